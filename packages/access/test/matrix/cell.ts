import { toWikiError, type Wiki } from '@pagetree/wiki/contract';
import { expect } from 'vitest';
import { git } from '../../../wiki/test/native-git.ts';
import { blank } from '../../../wiki/test/operations/scope/scope-wiki.ts';
import type { Decision } from '../../src/limit-to-rights.ts';
import { type Kind, type Target, targetAtFirst, type Variant } from './calls.ts';
import {
  DEFAULT_OF,
  MAY,
  NOWHERE,
  type PersonName,
  PLACES,
  type Place,
  WIKIS,
  type WikiName,
} from './people.ts';
import { markOf, run, textOf, type World } from './worlds.ts';

export interface Cell {
  number: number;
  person: PersonName;
  /** Null: the call names none. */
  wiki: WikiName | typeof NOWHERE | null;
  variant: Variant;
  place: Place;
  kind: Kind;
}

/** A person's view of everything, and of a directory that has nothing but what they may see. */
export interface Views {
  full: World;
  bare: World;
  /** Limited to the rights of the person. */
  ofFull: Wiki;
  ofBare: Wiki;
  /** The decisions about calls of `ofFull`. */
  decisions: Decision[];
  zip: string;
}

/** `refused`: fails in some way that depends on what it names, and changes nothing. */
export type Outcome = 'allowed' | 'missing' | 'forbidden' | 'refused';

/** The outcome by the table that was worked out by hand. */
export function expected({ person, wiki: named, variant, place }: Cell): Outcome {
  const { name, needs, byCommit } = variant;
  const wiki = named ?? DEFAULT_OF[person];
  const may = MAY[person][wiki];
  if (name === 'list_wikis') return 'allowed';
  if (name === 'list_remotes' || (name === 'maintain_wiki' && needs === 'any')) return 'forbidden';
  if (name === 'create_wiki') return may?.administer && named !== null ? 'refused' : 'forbidden';
  if (may === undefined) return 'missing';
  if (needs === 'administer' && !may.administer) return 'forbidden';
  if (needs === 'write' && may.write.length === 0) return 'forbidden';
  const isOutside = reachesOut(variant, place, may);
  if (wiki === NOWHERE) return isOutside && needs === 'write' ? 'refused' : 'missing';
  if (!isOutside) return 'allowed';
  return byCommit ? 'refused' : 'forbidden';
}

/** True if it needs a right in a place where the person has none. */
function reachesOut(
  { needs, to, everywhere, anywhere }: Variant,
  place: Place,
  may: { read: readonly Place[]; write: readonly Place[] },
): boolean {
  if (needs !== 'write' && !everywhere) return false;
  const places = everywhere ? PLACES : [place, to ?? place];
  const inside = needs === 'write' ? may.write : may.read;
  if (anywhere) return inside.length === 0;
  return !places.every((each) => inside.includes(each));
}

/** Makes the call in each view and compares. */
export async function check(cell: Cell, views: Views): Promise<void> {
  const { person, variant, place, kind } = cell;
  const { full, bare, ofFull, ofBare, decisions } = views;
  const outcome = expected(cell);
  const isWrite = variant.needs !== 'read' && variant.name !== 'list_wikis';
  const [target, targetOfBare] = await targets(cell, outcome, views);
  const before = isWrite ? await full.trees() : '';
  decisions.length = 0;
  const mine = await answerOf(ofFull, cell, target);
  const theirs = await answerOf(ofBare, cell, targetOfBare);
  expect(mine, 'as if nothing else were there').toEqual(theirs);
  if (isAnswerOfBare(cell, outcome)) {
    expect(mine, 'as a wiki without rights answers where nothing else is').toEqual(
      await answerOf(bare.wiki, cell, targetOfBare),
    );
  }
  const isReadable = MAY[person][target.wiki as WikiName]?.read.includes(place) ?? false;
  const isThere = kind === 'page' && isReadable;
  const { code } = mine as { code?: string };
  const { path = '[[' } = variant.input(target) as { path?: string };
  const namesHidden = code === 'not_found' && !path.startsWith('[[') && !isReadable;
  expect(decisions).toEqual([
    expect.objectContaining({ operation: variant.name, isAllowed: isAllowed(cell, outcome, namesHidden) }),
  ]);
  requireOutcome(outcome, cell, mine, variant.mayFail === true || !isThere);
  requireNoMark(person, cell, target, mine);
  if (isWrite) await requireNoEffectElsewhere(cell, outcome, before, full);
}

/** A write that is allowed gets a page of its own, which both worlds have. */
async function targets(cell: Cell, outcome: Outcome, views: Views): Promise<[Target, Target]> {
  const { person, variant, place, kind, number } = cell;
  const wiki = cell.wiki ?? DEFAULT_OF[person];
  const { full, bare, zip } = views;
  const readable = MAY[person][wiki]?.read[0] ?? place;
  const first = (world: World) => {
    // A commit that is not in a world is named by the id that it has in the other.
    const commitOf = (at: Place) => world.written(wiki, at) ?? full.written(wiki, at) ?? UNKNOWN;
    const commits = { commit: commitOf(place), known: commitOf(readable) };
    return targetAtFirst({ wiki, place, kind, number, zip }, commits);
  };
  const pair: [Target, Target] = [first(full), first(bare)];
  const needsOwn = outcome === 'allowed' && variant.needs === 'write' && kind === 'page';
  if (!needsOwn) return pair;
  const path = `${place}Cell ${number}`;
  const caller = { author: { name: 'Prepared', email: 'prepared@example.org' }, agent: null };
  const prepared = [full, bare].map(async (world, at) => {
    const content = textOf(place, `own${number}`, 'only');
    await run(world.wiki, 'write_page', { wiki, path, content }, { caller });
    const file = `${place}cell ${number}.png`;
    const bytes = Buffer.from(`image ${number}`).toString('base64');
    const put = await run(world.wiki, 'put_attachment', { wiki, path: file, content: bytes }, { caller });
    const last = await run(world.wiki, 'append_to_page', { wiki, path, content: 'last line' }, { caller });
    const { version, commit } = last as { version: string; commit: string };
    const { version: fileVersion } = put as { version: string };
    return { ...(pair[at] as Target), path, treePath: `${path}.md`, version, commit, file, fileVersion };
  });
  return (await Promise.all(prepared)) as [Target, Target];
}

const UNKNOWN = 'f'.repeat(40);

async function answerOf(wiki: Wiki, cell: Cell, target: Target): Promise<unknown> {
  const caller = { author: { name: 'Cell', email: 'cell@example.org' }, agent: 'matrix/1' };
  const input = { ...cell.variant.input(target), ...(cell.wiki !== null && { wiki: cell.wiki }) };
  try {
    const answer = (await run(wiki, cell.variant.name, input, { caller })) as object;
    // A bundle holds the ids of commits.
    const isBundle = 'format' in answer && answer.format === 'bundle';
    return blank(isBundle ? { ...answer, content: null, size: 0 } : answer);
  } catch (error) {
    const { code, text, data, cause } = toWikiError(error);
    if (code === 'internal') throw cause;
    return blank({ code, text, data });
  }
}

/**
 * True if the answer must be that of a wiki which knows no rights. `import_wiki` would make one, and `upload_part` be
 * held for one; `wiki_status` and `list_mentions` answer what may be changed; a past version is read under a scope only if the page's history names it.
 */
function isAnswerOfBare({ variant: { name, needs }, kind }: Cell, outcome: Outcome): boolean {
  if (outcome === 'missing') return name !== 'import_wiki' && name !== 'upload_part';
  if (name === 'read_files' && kind === 'gone') return false;
  return outcome === 'allowed' && needs === 'read' && !['wiki_status', 'list_mentions'].includes(name);
}

/**
 * The expected line of the log. A page that is hidden was not allowed. A wiki that is not there may be looked for by those
 * whose rights are for every wiki.
 */
function isAllowed({ person, wiki }: Cell, outcome: Outcome, namesHidden: boolean): unknown {
  if (outcome === 'allowed') return !namesHidden;
  const isLookedFor = outcome === 'missing' && wiki === NOWHERE && MAY[person].nowhere !== undefined;
  return outcome === 'refused' || isLookedFor ? expect.any(Boolean) : false;
}

function requireOutcome(outcome: Outcome, cell: Cell, answer: unknown, mayFail: boolean): void {
  const { code } = answer as { code?: string };
  if (outcome === 'allowed') {
    if (mayFail) expect(code).not.toBe('forbidden');
    else expect(answer).not.toHaveProperty('code');
  } else if (outcome === 'refused') expect(code).toBeDefined();
  else if (outcome === 'forbidden') expect(code).toBe('forbidden');
  else {
    const seen = WIKIS.filter((wiki) => MAY[cell.person][wiki] !== undefined);
    expect(answer).toMatchObject({ code: 'not_found', data: { wikis: seen } });
  }
}

/** No answer holds a word of a page, a commit or a wiki that the person may not see, but those that they named. */
function requireNoMark(person: PersonName, cell: Cell, target: Target, answer: unknown): void {
  const text = JSON.stringify(answer);
  const named = JSON.stringify([cell.wiki, cell.variant.input(target)]);
  for (const wiki of WIKIS) {
    const may = MAY[person][wiki];
    const hidden = PLACES.filter((place) => !may?.read.includes(place)).map((place) => markOf(wiki, place));
    for (const word of may === undefined ? [...hidden, wiki] : hidden) {
      if (!named.includes(word)) expect(text.includes(word), `${word} is in ${text}`).toBe(false);
    }
  }
}

async function requireNoEffectElsewhere(cell: Cell, outcome: Outcome, before: string, full: World) {
  const after = await full.trees();
  if (outcome !== 'allowed') return expect(after).toBe(before);
  const wiki = cell.wiki ?? DEFAULT_OF[cell.person];
  const [was, is] = [before, after].map(
    (trees) => new Map(trees.split('\n').map((line) => line.split(' ') as [string, string])),
  );
  for (const [name, tree] of is ?? []) {
    const old = was?.get(name);
    if (tree === old) continue;
    expect(name).toBe(`${wiki}.git`);
    const changed = git(`${full.directory}/${name}`, ['diff', '--name-only', '-z', old ?? '', tree]);
    const may = MAY[cell.person][wiki]?.write ?? [];
    for (const file of changed.split('\0').filter(Boolean)) {
      expect(may, file).toContain(`${file.slice(0, file.lastIndexOf('/') + 1)}`);
    }
  }
  expect([...(is ?? new Map()).keys()]).toEqual([...(was ?? new Map()).keys()]);
}
