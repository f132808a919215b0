import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openWiki } from '@pagetree/wiki';
import { callOperation } from '@pagetree/wiki/contract';
import { startWebLab } from '../../../web/test/lambda/start-web-lab.ts';
import { TestBrowser } from '../../../web/test/login/browser.ts';
import { OwnIssuer } from '../../../web/test/login/own-issuer.ts';
import { HOST } from '../../../web/test/login/team.ts';
import { table } from '../markdown-table.ts';
import { readOptions } from '../options.ts';
import { percentile } from '../percentile.ts';
import { FOLDERS, runPerson, SHARED_PAGES, type Tally, wordOf } from './person.ts';

/**
 * `pnpm bench team [--people N] [--seconds N]`: people who log in and write at once, through the function of the pages
 * and that of the wiki in the Lambda lab. Native git says what became of their writes, and whose they are.
 */
export async function benchTeam(args: readonly string[]): Promise<string> {
  const values = readOptions('team', args, {
    people: { type: 'string', default: '200' },
    seconds: { type: 'string', default: '120' },
  });
  const [people = 0, seconds = 0] = Object.entries(values).map(([name, value]) => {
    if (!/^[1-9]\d{0,3}$/.test(value)) throw new Error(`--${name} takes a whole number from 1 to 9999.`);
    return Number(value);
  });
  let endsAt = 0;
  const goesOn = () => Date.now() < endsAt;
  const began = () => {
    endsAt = Date.now() + seconds * 1_000;
  };
  return reportTeam(await measureTeam({ people, pauseMs: 2_000, goesOn, began }), seconds);
}

export interface MeasuredTeam {
  people: readonly Tally[];
  /** Acknowledged lines that are not in the newest pages, lines that are there twice, and lines by somebody else. */
  lost: string[];
  doubled: string[];
  byOthers: string[];
}

interface TeamSize {
  people: number;
  pauseMs: number;
  goesOn(done: number): boolean;
  /** Called when everything stands, before the first person logs in. */
  began?(): void;
}

export async function measureTeam({ people, pauseMs, goesOn, began }: TeamSize): Promise<MeasuredTeam> {
  const directory = await mkdtemp(join(tmpdir(), 'pagetree-bench-team-'));
  const ends: (() => unknown)[] = [() => rm(directory, { recursive: true, force: true })];
  try {
    await fill(directory);
    const issuer = await OwnIssuer.open((close) => ends.push(close));
    const rules = FOLDERS.map((folder) => ({
      groups: [folder],
      wikis: ['main'],
      folders: [`${folder}/`],
      may: 'write',
    }));
    const lab = await startWebLab({
      ...{ directory, rules, issuer: issuer.address, origin: null },
      ofWeb: { concurrency: 8 },
      ofWiki: { concurrency: 2 },
    });
    ends.push(() => lab.stop());
    began?.();
    const port = Number(new URL(lab.origin).port);
    const tallies = await Promise.all(
      Array.from({ length: people }, (_, number) =>
        runPerson({ ...{ number, issuer, goesOn, pauseMs }, browser: new TestBrowser(port, HOST) }),
      ),
    );
    const lines = await linesOf(directory, people);
    const acknowledged = tallies.flatMap((tally) => tally.acknowledged);
    return {
      people: tallies,
      lost: acknowledged.filter((line) => !lines.has(line)),
      doubled: [...lines].flatMap(([line, authors]) => (authors.length > 1 ? [line] : [])),
      byOthers: [...lines].flatMap(([line, [author = '']]) =>
        line.split('\t')[1]?.startsWith(`${author} `) ? [] : [`${line} is by ${author}`],
      ),
    };
  } finally {
    for (const end of ends.reverse()) await end();
  }
}

async function fill(directory: string): Promise<void> {
  const opened = await open(directory);
  for (const folder of FOLDERS) {
    for (let page = 0; page < SHARED_PAGES; page += 1) {
      const input = { wiki: 'main', path: `${folder}/Shared ${page}`, content: `${wordOf(folder)}\n` };
      await callOperation(opened.wiki, 'write_page', input, { caller: CALLER });
    }
  }
  await opened.close();
}

function open(directory: string) {
  const host = { backend: 'local', versions: {}, problems: [] };
  return openWiki({ directory, wiki: 'main', placement: 'shared', host });
}

/** Each line of the people in the newest pages, with the authors of the commits that wrote it. */
async function linesOf(directory: string, people: number): Promise<Map<string, string[]>> {
  const opened = await open(directory);
  // Brings the branch to the newest commit.
  await callOperation(opened.wiki, 'wiki_status', { wiki: 'main' }, { caller: CALLER });
  await opened.settle();
  await opened.close();
  const repository = join(directory, 'main.git');
  const found = new Map<string, string[]>();
  const own = Array.from({ length: people }, (_, at) => `${FOLDERS[at % FOLDERS.length]}/Person ${at}`);
  const shared = FOLDERS.flatMap((folder) =>
    Array.from({ length: SHARED_PAGES }, (_, page) => `${folder}/Shared ${page}`),
  );
  for (const path of [...own, ...shared]) {
    const args = ['-C', repository, 'blame', '--line-porcelain', 'main', '--', `${path}.md`];
    const options = { maxBuffer: 256_000_000 };
    const stdout = await run('git', args, options).then(
      (blamed) => blamed.stdout,
      // Somebody who wrote nothing has no page.
      () => '',
    );
    for (const [, author = '', line = ''] of stdout.matchAll(/^author (.*)$[\s\S]*?^\t(.*)$/gm)) {
      if (line.startsWith('Person '))
        found.set(`${path}\t${line}`, [...(found.get(`${path}\t${line}`) ?? []), author]);
    }
  }
  return found;
}

const run = promisify(execFile);

export function reportTeam({ people, lost, doubled, byOthers }: MeasuredTeam, seconds: number): string {
  const all = <Value>(of: (tally: Tally) => readonly Value[]) => people.flatMap((person) => of(person));
  const statuses = new Map<number, number>();
  for (const [status, count] of all((person) => [...person.statuses]))
    statuses.set(status, (statuses.get(status) ?? 0) + count);
  const times = all((person) => person.milliseconds);
  const sum = (of: (tally: Tally) => number) => people.reduce((total, person) => total + of(person), 0);
  return [
    `${people.length} people for ${seconds} s.`,
    '',
    table(
      ['', ''],
      [
        ['acknowledged writes', all((person) => person.acknowledged).length],
        ['of these lost', lost.length],
        ['made twice', doubled.length],
        ['by somebody else', byOthers.length],
        ['answers for somebody else', all((person) => person.mixedUp).length],
        ['forms that met a change of somebody else', sum((person) => person.conflicts)],
        ['HTTP statuses', [...statuses].map(([status, count]) => `${status}: ${count}`).join(', ')],
        ['of 429 with Retry-After, the rest is throttled by Lambda', sum((person) => person.withTime)],
        ['pages that turn away without saying for how long', sum((person) => person.withoutTime)],
        [
          'answers, p50 and p95',
          [0.5, 0.95].map((share) => `${percentile(times, share).toFixed(0)} ms`).join(', '),
        ],
      ],
    ),
  ].join('\n');
}

const CALLER = { author: { name: 'Bench', email: 'bench@example.org' }, agent: 'bench/1' };
