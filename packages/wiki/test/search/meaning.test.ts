import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { WikiError } from '../../src/contract/errors.ts';
import type { Call } from '../../src/contract/wiki.ts';
import { type Embedder, openWiki } from '../../src/index.ts';
import { temporaryDirectory } from '../native-git.ts';

const call: Call = { caller: { author: { name: 'Ada', email: 'ada@example.org' }, agent: null } };

/** A provider whose texts mean the same if they speak of the same of these things. */
const THINGS = [
  ['dog', 'hound'],
  ['car', 'automobile'],
  ['sea', 'ocean'],
  ['bread', 'loaf'],
];

function provider() {
  const state = {
    ...{ name: 'test', failure: null as string | null, texts: [] as string[], silent: false },
    /** Why each call of a silent provider was given up. */
    givenUp: [] as string[],
  };
  const embedder: Embedder = {
    get name() {
      return state.name;
    },
    async embed(texts, _use, signal) {
      if (state.silent)
        await new Promise((_, reject) => {
          signal.addEventListener('abort', () => {
            state.givenUp.push(signal.reason.name);
            reject(failed('slow'));
          });
        });
      if (state.failure !== null) throw failed(state.failure);
      state.texts.push(...texts);
      return texts.map((text) =>
        Float32Array.from([
          0.1,
          ...THINGS.map((words) => Number(words.some((word) => text.toLowerCase().includes(word)))),
        ]),
      );
    },
  };
  return { state, embedder };
}

function failed(reason: string): WikiError {
  return new WikiError('backend_unavailable', { happened: `It failed: ${reason}.`, now: '', next: '' });
}

async function open(directory: string, embedder: Embedder) {
  const host = { backend: 'local', versions: {}, problems: [] };
  const workDirectory = temporaryDirectory();
  const opened = await openWiki({
    directory,
    wiki: 'main',
    placement: 'local',
    embedder,
    workDirectory,
    host,
  });
  onTestFinished(() => opened.close());
  const search = async (query: string, more: { prefix?: string; scope?: string[]; at?: string } = {}) => {
    const { scope, ...input } = more;
    const scoped = scope === undefined ? call : { ...call, scope: { read: scope, write: scope } };
    const found = await opened.wiki.search_pages(
      { query, mode: 'words', context_lines: 0, limit: 10, ...input },
      scoped,
    );
    return { paths: found.hits.map(({ path }) => path), total: found.total, note: found.note ?? null };
  };
  const write = (path: string, content: string) =>
    opened.wiki.write_page({ path, content, allow_shrink: true }, call);
  const rewrite = async (path: string, content: string) => {
    const input = { path, mode: 'content' as const, start_line: 1, start_char: 0 };
    const { version } = await opened.wiki.read_page(input, call);
    await opened.wiki.write_page({ path, content, allow_shrink: true, version }, call);
  };
  return { ...opened, search, write, rewrite };
}

const QUESTION = 'where does the automobile go';

async function openPets(embedder = provider()) {
  const directory = temporaryDirectory();
  const wiki = await open(directory, embedder.embedder);
  await wiki.write('Garage', 'The car is kept here.\n');
  await wiki.write('Kennel', 'A hound sleeps here.\n');
  await wiki.write('Private/Beach', 'The ocean, and a car beside it.\n');
  return { directory, ...embedder, ...wiki };
}

/** Waits until every page has vectors. */
async function covered(search: (query: string) => Promise<{ note: string | null }>) {
  await expect.poll(async () => (await search(QUESTION)).note).toBeNull();
}

test('a page that says it in other words is found once it has a vector, and until then the search says so', async () => {
  const { search, rewrite } = await openPets();
  const first = await search(QUESTION);
  expect(first.note).toMatch(/^The search of \d+ pages without vectors went by words alone\.$/);
  await covered(search);
  expect((await search(QUESTION)).paths.slice(0, 2).toSorted()).toEqual(['Garage', 'Private/Beach']);
  await rewrite('Garage', 'Nothing is here.\n');
  await covered(search);
  expect((await search(QUESTION)).paths[0]).toBe('Private/Beach');
});

test('a search as of a commit goes by words alone, and sends nothing to the provider', async () => {
  const { search, state } = await openPets();
  await covered(search);
  const sent = state.texts.length;
  expect(await search('where does the hound go', { at: 'today' })).toEqual({
    paths: ['Kennel'],
    total: 1,
    note: 'The search went by words alone. Only the newest pages have vectors.',
  });
  expect(state.texts).toHaveLength(sent);
});

test('filters and scopes hold for meaning too', async () => {
  const { search } = await openPets();
  await covered(search);
  expect((await search(QUESTION, { prefix: 'Private/' })).paths).toEqual(['Private/Beach']);
  const scoped = await search(QUESTION, { scope: ['Private/'] });
  expect(scoped.paths).toEqual(['Private/Beach']);
  expect((await search(QUESTION, { scope: ['Nowhere/'] })).paths).toEqual([]);
});

test('a call with a scope sends and counts only the pages of its scope', async () => {
  const { search, state } = await openPets();
  const inScope = () => search(QUESTION, { scope: ['Private/'] });
  expect((await inScope()).note).toBe('The search of 1 page without vectors went by words alone.');
  await covered(inScope);
  const sent = state.texts.filter((text) => text !== QUESTION);
  expect(sent).toHaveLength(1);
  expect(sent[0]).toContain('The ocean');
  expect((await search(QUESTION)).note).toMatch(/ of [2-9] pages without vectors/);
  await covered(search);
  expect(await inScope()).toEqual({ paths: ['Private/Beach'], total: 1, note: null });
});

test('a list of words that a page has all of goes by words alone', async () => {
  const { search, write } = await openPets();
  await write('Manual', 'The automobile manual.\n');
  await covered(search);
  expect((await search('automobile')).paths).toEqual(['Manual']);
  expect((await search('automobil manuel parts')).paths).toContain('Garage');
});

test('vectors stay beside the wiki, a damaged file is made again, and another model has its own', async () => {
  const { directory, search, close, state } = await openPets();
  await covered(search);
  await close();
  const documents = (before: number) => state.texts.slice(before).filter((text) => text.includes('\n'));

  let before = state.texts.length;
  const again = provider();
  again.state.texts = state.texts;
  const second = await open(directory, again.embedder);
  await covered(second.search);
  expect(documents(before)).toEqual([]);
  await second.close();

  const vectors = join(directory, 'main.git', 'pagetree', 'vectors');
  const [model = ''] = await readdir(vectors);
  for (const name of await readdir(join(vectors, model))) {
    const bytes = await readFile(join(vectors, model, name));
    bytes[30] = (bytes[30] ?? 0) ^ 1;
    await writeFile(join(vectors, model, name), bytes);
  }
  before = state.texts.length;
  const third = await open(directory, again.embedder);
  await covered(third.search);
  expect(documents(before).length).toBeGreaterThan(2);
  expect((await third.search(QUESTION)).paths).toContain('Garage');
  await third.close();

  again.state.name = 'another';
  before = state.texts.length;
  const fourth = await open(directory, again.embedder);
  await covered(fourth.search);
  expect(documents(before).length).toBeGreaterThan(2);
  expect(await readdir(vectors)).toHaveLength(2);
});

test('a provider that fails leaves a search by words, which says why, and serves again when it is back', async () => {
  const { search, state } = await openPets();
  state.failure = 'no connection';
  await search('where is the car');
  const found = await search('where is the car');
  expect(found.paths).toEqual(expect.arrayContaining(['Garage', 'Private/Beach']));
  expect(found.note).toBe('The search went by words alone. It failed: no connection.');
  state.failure = null;
  await expect.poll(async () => (await search(QUESTION)).note, { interval: 500 }).toBeNull();
  expect((await search(QUESTION)).paths).toContain('Garage');
});

test('quotation marks and beginnings of words ask for words, and the provider for nothing', async () => {
  const { search, state } = await openPets();
  await covered(search);
  const before = state.texts.length;
  expect((await search('"where does the automobile go"')).paths).toEqual([]);
  expect((await search('where does the automob*')).paths).not.toContain('Garage');
  expect(state.texts).toHaveLength(before);
});

test('a silent provider holds up neither a search nor the end', async () => {
  const { search, state, close } = await openPets();
  state.silent = true;
  expect((await search('where is the car')).paths).toContain('Garage');
  expect(state.givenUp).toEqual(['TimeoutError']);
  await close();
  // The vectors of the pages were given up by the end, and not when their own time was over.
  expect(state.givenUp).toEqual(['TimeoutError', 'AbortError']);
});

test('vectors that cannot be saved still serve', async () => {
  const { directory, search } = await openPets();
  await rm(join(directory, 'main.git', 'pagetree', 'vectors'), { recursive: true, force: true });
  await writeFile(join(directory, 'main.git', 'pagetree', 'vectors'), 'in the way');
  await covered(search);
  expect((await search(QUESTION)).paths).toContain('Garage');
});
