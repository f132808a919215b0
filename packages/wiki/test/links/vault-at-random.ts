import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { expect } from 'vitest';
import { AllowedFiles } from '../../src/local-files/allowed-files.ts';
import { readForImport } from '../../src/local-transfer.ts';
import { openWiki } from '../../src/open-wiki.ts';
import { git, temporaryDirectory } from '../native-git.ts';
import { commitFiles } from '../operations/local-backends.ts';
import { TestWiki } from '../operations/test-wiki.ts';
import { checkWiki } from './get-links-check.ts';
import { checkEffect } from './link-check.ts';
import { type Change, changes } from './random-changes.ts';
import { filePlaces, type PageSpec, type Place, pageSpecs, pathOf, places, textOf } from './random-vault.ts';
import { request } from './requests.ts';
import { stateOf, type VaultState } from './vault-state.ts';

/** The counts of a run, for printing. */
export interface Tally {
  vaults: number;
  requests: Map<string, number>;
  refused: Map<string, number>;
  linksChecked: number;
  linksKept: number;
  /** Those of them whose anchor named a heading or block. */
  anchorsKept: number;
  retargets: number;
}

export function newTally(): Tally {
  return {
    vaults: 0,
    requests: new Map(),
    refused: new Map(),
    linksChecked: 0,
    linksKept: 0,
    anchorsKept: 0,
    retargets: 0,
  };
}

interface Vault {
  pages: readonly (readonly [Place, PageSpec])[];
  files: readonly Place[];
  /** Which of the pages and files git has under the decomposed form of their path, again and again. */
  decomposed: readonly boolean[];
  changes: readonly Change[];
}

export function vaults({ pages, steps }: { pages: number; steps: number }): fc.Arbitrary<Vault> {
  return fc.record({
    pages: fc.uniqueArray(fc.tuple(places, pageSpecs), {
      minLength: 3,
      maxLength: pages,
      selector: ([place]) => pathOf(place).toLowerCase(),
    }),
    files: fc.uniqueArray(filePlaces, { maxLength: 3, selector: pathOf }),
    decomposed: fc.array(fc.boolean(), { minLength: 1, maxLength: 5 }),
    changes: fc.array(changes, { minLength: 1, maxLength: steps }),
  });
}

/** Makes the vault, asks for one change after another, and checks all links after each. */
export async function runVault(vault: Vault, tally: Tally, { copies = false } = {}): Promise<void> {
  const directory = temporaryDirectory();
  const repository = join(directory, 'test.git');
  git(directory, ['init', '--quiet', '--bare', '--initial-branch=main', repository]);
  commitFiles(repository, filesOf(vault));
  const host = { backend: 'local', versions: {}, problems: [] };
  const opened = await openWiki({ directory, wiki: 'test', placement: 'local', host });
  const wiki = new TestWiki({
    wiki: opened.wiki,
    settle: opened.settle,
    git: (args) => git(repository, args),
  });
  tally.vaults += 1;
  try {
    const last = await runChanges(wiki, vault.changes, tally);
    if (copies && isPortable(last)) tally.linksChecked += await checkCopies(wiki, last);
    expect(await wiki.git('fsck', '--strict', '--no-dangling')).toBe('');
  } finally {
    await opened.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Whether every name is one that can be imported. */
function isPortable({ paths }: VaultState): boolean {
  return !paths.some((path) => /\?|\.md\.md$/.test(path));
}

function filesOf({ pages, files, decomposed }: Vault): Record<string, string> {
  const contents = [
    ...pages.map(([place, spec]) => [`${pathOf(place)}.md`, textOf(spec, pathOf(place))] as const),
    ...files.map((place) => [pathOf(place), `file ${pathOf(place)}`] as const),
  ];
  return Object.fromEntries(
    contents.map(([path, content], at) => {
      return [path.normalize(decomposed[at % decomposed.length] ? 'NFD' : 'NFC'), content];
    }),
  );
}

async function runChanges(wiki: TestWiki, changes: readonly Change[], tally: Tally): Promise<VaultState> {
  let state = await stateOf(wiki);
  tally.linksChecked += await checkWiki(wiki, state);
  for (const change of changes) {
    const effect = await request(wiki, state, change);
    if (effect === null) continue;
    const after = await stateOf(wiki);
    if (typeof effect === 'string') {
      count(tally.refused, `${change.op}: ${effect}`);
      checkUntouched(state.files, after.files);
      continue;
    }
    count(tally.requests, change.op);
    const kept = checkEffect(state, after, effect);
    tally.linksKept += kept.links;
    tally.anchorsKept += kept.anchors;
    tally.retargets += effect.answer.retargeted_total ?? 0;
    tally.linksChecked += await checkWiki(wiki, after);
    state = after;
  }
  return state;
}

/** Imports the vault into new wikis, from a zip and from a folder: every link must lead to the same place as here. */
async function checkCopies(wiki: TestWiki, state: VaultState): Promise<number> {
  const { content } = await wiki.run('export_wiki', { format: 'zip' });
  await wiki.run('import_wiki', { wiki: 'from-zip', content: content ?? '' });
  const folder = temporaryDirectory();
  for (const [path, bytes] of state.files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), bytes);
  }
  const packed = Buffer.from(
    await readForImport(folder, { mostBytes: 10_000_000, files: new AllowedFiles(null) }),
  ).toString('base64');
  rmSync(folder, { recursive: true });
  await wiki.run('import_wiki', { wiki: 'from-folder', content: packed });
  return (await checkWiki(wiki, state, 'from-zip')) + (await checkWiki(wiki, state, 'from-folder'));
}

/** The counts of a run, in one line. */
export function printed(seed: number, tally: Tally): string {
  const { requests, refused, ...numbers } = tally;
  return `${JSON.stringify({ seed, ...numbers, requests: Object.fromEntries(requests), refused: Object.fromEntries(refused) })}\n`;
}

function checkUntouched(before: ReadonlyMap<string, Buffer>, after: ReadonlyMap<string, Buffer>): void {
  const shown = (files: ReadonlyMap<string, Buffer>) =>
    [...files].map(([path, bytes]) => `${path}\n${bytes}`).toSorted();
  if (shown(before).join('\0') !== shown(after).join('\0'))
    throw new Error('A refused request changed the wiki.');
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
