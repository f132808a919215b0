import { setTimeout as wait } from 'node:timers/promises';
import type { Answer, TestBrowser } from '../../../web/test/login/browser.ts';
import type { OwnIssuer } from '../../../web/test/login/own-issuer.ts';
import { logIn } from '../../../web/test/login/team.ts';
import { fieldsIn } from '../../../web/test/posting.ts';

/** The folder that each half of the people has for itself, and the word that is in its pages alone. */
export const FOLDERS = ['North', 'South'] as const;
export const wordOf = (folder: string) => `word-of-${folder.toLowerCase()}`;
export const SHARED_PAGES = 5;

/** One person with a browser, and what became of what they did. */
export interface Tally {
  name: string;
  /** Lines whose form was answered by the page, with the path of the page. */
  acknowledged: string[];
  /** Forms that met somebody else's change. */
  conflicts: number;
  statuses: Map<number, number>;
  /** Answers with another person's name, or a word of the other folder. */
  mixedUp: string[];
  /** Answers 429 that say when to come again, and pages of ours that turn somebody away without it. */
  withTime: number;
  withoutTime: number;
  milliseconds: number[];
}

export interface PersonOptions {
  number: number;
  browser: TestBrowser;
  issuer: OwnIssuer;
  /** True as long as there is another thing to do; asked before each, with how many were done. */
  goesOn(done: number): boolean;
  /** Between two things, in milliseconds. */
  pauseMs: number;
}

/** Logs in, then reads and writes pages as a person does, each answer checked for who it is for. */
export async function runPerson(options: PersonOptions): Promise<Tally> {
  const { number, browser, issuer, goesOn, pauseMs } = options;
  const name = `Person ${number}`;
  const folder = FOLDERS[number % FOLDERS.length] ?? FOLDERS[0];
  const other = FOLDERS[(number + 1) % FOLDERS.length] ?? FOLDERS[1];
  const tally: Tally = {
    ...{ name, acknowledged: [], conflicts: 0, statuses: new Map(), mixedUp: [] },
    ...{ withTime: 0, withoutTime: 0, milliseconds: [] },
  };
  const answered = async (send: () => Promise<Answer>, what: string): Promise<Answer> => {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const began = performance.now();
      const answer = await send();
      tally.milliseconds.push(performance.now() - began);
      const { status, headers } = answer;
      tally.statuses.set(status, (tally.statuses.get(status) ?? 0) + 1);
      tally.mixedUp.push(...signsOfOthers(answer, name, other).map((sign) => `${what}: ${sign}`));
      // Also where AWS itself throttles, or a function failed: a form may be sent again.
      if (![429, 502, 503].includes(status)) return answer;
      const after = headers['retry-after'];
      countTime(tally, answer);
      await wait(Number(after ?? 1) * 1_000 * (0.5 + Math.random()));
    }
    throw new Error(`${name} was turned away ${MAX_ATTEMPTS} times from ${what}.`);
  };
  const claims = { sub: `person-${number}`, name, email: `person${number}@example.org`, groups: [folder] };
  await logInPatiently(browser, issuer, claims);

  const write = async (path: string, line: string) => {
    const address = `/main/${encodeURI(path)}?view=edit`;
    const form = await answered(() => browser.get(address), `the form of ${path}`);
    const fields = fieldsIn(form.text.replace(/<form class="person"[\s\S]*?<\/form>/, ''));
    const content = `${fields.content ?? ''}${line}\n`;
    const sent = await answered(
      () => browser.post(address, { ...fields, content, do: 'save' }),
      `a save of ${path}`,
    );
    if (sent.status === 303) tally.acknowledged.push(`${path}\t${line}`);
    else if (sent.status === 409) tally.conflicts += 1;
    else throw new Error(`${name} was answered ${sent.status} for ${path}: ${sent.text.slice(0, 2_000)}`);
  };
  const things = [
    (done: number) => write(`${folder}/${name}`, `${name} wrote ${done}`),
    (done: number) => write(`${folder}/Shared ${done % SHARED_PAGES}`, `${name} added ${done}`),
    () => answered(() => browser.get(`/main/${folder}/`), 'a folder'),
    () => answered(() => browser.get(`/main/${other}/Shared%200`), 'a page of others'),
    (done: number) =>
      answered(() => browser.get(`/main/${folder}/Shared%20${done % SHARED_PAGES}`), 'a page'),
    () => answered(() => browser.get('/_/main/changes'), 'the changes'),
  ];
  for (let done = 0; goesOn(done); done += 1) {
    await things[(done + number) % things.length]?.(done);
    if (pauseMs > 0) await wait(pauseMs * (0.5 + Math.random()));
  }
  return tally;
}

/** The signs that an answer is for somebody else. */
function signsOfOthers({ text }: Answer, name: string, other: string): string[] {
  const [, shown = name] = /<form class="person"[\s\S]*?<bdi>([^<]*)</.exec(text) ?? [];
  return [
    ...(shown === name ? [] : [`shown as ${shown}, not ${name}`]),
    ...(text.includes(wordOf(other)) ? [`${name} sees ${other}`] : []),
  ];
}

function countTime(tally: Tally, { status, headers }: Answer): void {
  const saysWhen = headers['retry-after'] !== undefined;
  if (saysWhen && status === 429) tally.withTime += 1;
  if (!saysWhen && String(headers['content-type']).includes('text/html')) tally.withoutTime += 1;
}

/** Each step of a login may be turned away where many log in at once. */
async function logInPatiently(browser: TestBrowser, issuer: OwnIssuer, claims: object): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    const outcome = await logIn(browser, issuer, { claims: { ...claims } }).catch((error: Error) => error);
    if (!(outcome instanceof Error) && outcome.status === 200) return;
    if (attempt === MAX_LOGINS) throw new Error('Nobody is let in.', { cause: outcome });
    await wait(500 + Math.random() * 1_000);
  }
}

const MAX_LOGINS = 60;
/** Minutes, while 200 people wait for the same environments. */
const MAX_ATTEMPTS = 600;
