import { expect, test } from 'vitest';
import { bareRepository, git, temporaryDirectory } from '../../../test/native-git.ts';
import { openTestIndexes } from '../../../test/search/test-indexes.ts';
import { commitFilesTo, openTestRepository, text } from '../../../test/test-repository.ts';
import { limits } from '../../contract/limits.ts';
import type { Index } from '../index-port.ts';
import type { TreeEntry } from '../ports.ts';
import { limitIndex } from './limited-index.ts';
import { LinksElsewhere } from './links-elsewhere.ts';

const scope = { read: ['notes/'], write: ['notes/'] };
const LONG = 'A line of its own\n'.repeat(20);

/** A page came from elsewhere, one went there, another one moved within the scope, and one stays elsewhere. */
async function limitedWiki(wrap = (index: Index) => index) {
  const repository = await openTestRepository(bareRepository());
  const long = (word: string) => `# ${word}\n\n${`${word} has a line of its own\n`.repeat(20)}`;
  const past = await commitFilesTo(
    repository,
    text('secret/Came.md', long('Came')),
    text('secret/Zebra.md', long('Zebra')),
    text('notes/Old.md', long('Moved')),
    text('notes/Left.md', long('Left')),
  );
  await commitFilesTo(
    repository,
    { path: 'secret/Came.md', remove: true },
    text('notes/Came.md', long('Came')),
  );
  const commit = await commitFilesTo(
    repository,
    { path: 'notes/Old.md', remove: true },
    text('notes/New.md', long('Moved')),
    { path: 'notes/Left.md', remove: true },
    text('secret/Went.md', long('Left')),
  );
  const indexes = await openTestIndexes();
  const opened = indexes.open({ repository, snapshotDirectory: temporaryDirectory(), readOnly: false });
  const base = wrap(opened);
  const added: TreeEntry[] = [];
  const blobs = { add: (entry: TreeEntry) => added.push(entry), includes: async () => true };
  const elsewhere = new LinksElsewhere(scope);
  const limited = limitIndex(base, repository, scope, blobs, elsewhere);
  return { base, limited, past, commit, added, elsewhere };
}

test('the history of a page names no place outside of the scope that it came from', async () => {
  const { base, limited, commit } = await limitedWiki();
  const originOf = async (index: Index, path: string) => {
    const { entries } = await index.history({ commit, path, offset: 0, limit: 10, pagesMost: 10 });
    return entries[0]?.origin;
  };
  expect(await originOf(base, 'notes/Came')).toBe('secret/Came');
  expect(await originOf(limited, 'notes/Came')).toBeNull();
  expect(await originOf(limited, 'notes/New')).toBe('notes/Old');
});

test('the anchors of a page outside of the scope are not there', async () => {
  const { base, limited, commit } = await limitedWiki();
  const asked = ['notes/New.md', 'secret/Zebra.md'];
  expect([...(await base.anchors(commit, asked)).keys()]).toEqual(asked);
  expect([...(await limited.anchors(commit, asked)).keys()]).toEqual(['notes/New.md']);
});

test('a conflict of a page outside of the scope is not there', async () => {
  const directory = bareRepository();
  const repository = await openTestRepository(directory);
  const first = await commitFilesTo(repository, text('secret/A.md', 'a'), text('notes/A.md', 'a'));
  const side = git(directory, ['commit-tree', '-p', first, '-m', 'Side', `${first}^{tree}`]);
  const named = 'Conflict: notes/A.md\nConflict: secret/A.md\n';
  const message = `Merge\n\n${named}Request-Id: merged-commit-${side}\nRequest-Digest: x\nNonce: x\n`;
  const parents = ['-p', first, '-p', side];
  const commit = git(directory, ['commit-tree', ...parents, '-F', '-', `${first}^{tree}`], message);
  git(directory, ['update-ref', 'refs/heads/main', commit]);
  const indexes = await openTestIndexes();
  const base = indexes.open({ repository, snapshotDirectory: temporaryDirectory(), readOnly: false });
  const blobs = { add: () => undefined, includes: async () => true };
  const limited = limitIndex(base, repository, scope, blobs, new LinksElsewhere(scope));
  const paths = async (index: Index) => (await index.conflicts(commit)).map(({ path }) => path);
  expect([await paths(base), await paths(limited)]).toEqual([['notes/A', 'secret/A'], ['notes/A']]);
  for (const [whole, part] of [
    [base, limited],
    [base.atOnce, limited.atOnce],
  ] as const) {
    expect(await whole.conflictOf(commit, 'secret/A')).toBe(commit);
    expect(await part.conflictOf(commit, 'secret/A')).toBeNull();
    expect(await part.conflictOf(commit, 'notes/A')).toBe(commit);
  }
});

test('no answer about a commit names a page outside of the scope, as those of the whole index do', async () => {
  const repository = await openTestRepository(bareRepository());
  const many = Array.from({ length: 10_100 }, (_, at) => `[[Secret ${at}]]`).join(' ');
  const tagged = (title: string, rest = '') => `# ${title}\n\nA word and #tag-of-${title}. ${rest}\n`;
  const past = await commitFilesTo(
    repository,
    text('secret/Gone.md', tagged('Gone')),
    text('secret/Left.md', tagged('Left', many)),
  );
  await commitFilesTo(repository, { path: 'secret/Gone.md', remove: true });
  await commitFilesTo(
    repository,
    { path: 'secret/Left.md', remove: true },
    text('secret/Many.md', tagged('Left', many)),
  );
  const commit = await commitFilesTo(
    repository,
    text('secret/Many.md', many),
    text('secret/Secret.md', `---\naliases: [Secret Alias]\n---\n${tagged('Secret', 'See [[Secret]].')}`),
    text('secret/file.png', 'png'),
    text('notes/Here.md', tagged('Here', 'See [[Secret]].')),
  );
  const indexes = await openTestIndexes();
  const base = indexes.open({ repository, snapshotDirectory: temporaryDirectory(), readOnly: false });
  const blobs = { add: () => undefined, includes: async () => true };
  const limited = limitIndex(base, repository, scope, blobs, new LinksElsewhere(scope));
  const page = { commit, prefix: '', offset: 0, limit: 50 };
  const questions: Record<string, (index: Index) => Promise<unknown>> = {
    paths: (index) => index.paths(commit),
    list: (index) => index.list({ ...page, sort: 'path' }),
    search: (index) => index.search({ ...page, query: 'word', mode: 'words', contextLines: 0 }),
    tags: (index) => index.tags(page),
    history: (index) => index.history({ commit, offset: 0, limit: 10, pagesMost: 10 }),
    departure: (index) => index.departure(commit, 'secret/Gone'),
    'departure at once': (index) => index.atOnce.departure(commit, 'secret/Gone'),
    moveAfter: (index) => index.moveAfter(commit, 'secret/Left', past),
    unread: (index) => index.unread(commit),
    everyLink: (index) => index.everyLink(commit),
    linksNamed: (index) => index.linksNamed(commit, ['secret']),
    namesLike: (index) => index.namesLike(commit, ['secret', 'secret alias']),
    names: (index) => index.names(commit),
    pagesNaming: (index) => index.pagesNaming(commit, ['Secret'], 10),
    files: (index) => index.files(commit),
    sketches: async (index) => (await index.sketches(commit)).map(({ path }) => path),
    links: (index) => index.links(commit, 'secret/Secret'),
  };
  for (const [name, ask] of Object.entries(questions)) {
    const [whole, part] = [JSON.stringify(await ask(base)), JSON.stringify(await ask(limited))];
    expect(whole, name).toMatch(ABROAD);
    expect(part, name).not.toMatch(ABROAD);
  }
  expect([await base.count(commit), await limited.count(commit)]).toEqual([3, 1]);
});

test('where nothing lies outside of the scope, every answer is that of the whole index', async () => {
  const repository = await openTestRepository(bareRepository());
  const past = await commitFilesTo(
    repository,
    text('notes/Gone.md', 'x'),
    text('notes/Left.md', `# Left\n\n${LONG}`),
    text('notes/Stays.md', 'See [[Nowhere]].'),
  );
  await commitFilesTo(
    repository,
    { path: 'notes/Gone.md', remove: true },
    { path: 'notes/Left.md', remove: true },
    text('notes/Went.md', `# Left\n\n${LONG}`),
  );
  const commit = await commitFilesTo(
    repository,
    text('notes/Here.md', '---\naliases: [Alias]\n---\n#tag See [[Went]], [[Nowhere]] and ![[file.png]].'),
    text('notes/Large.md', `See [[Alias]].\n${'x'.repeat(limits.pageBytes)}`),
    text('notes/Odd.md', '---\na: [\n---\nSee [[Here]].'),
    text('notes/file.png', 'png'),
  );
  const base = (await openTestIndexes()).open({
    repository,
    snapshotDirectory: temporaryDirectory(),
    readOnly: false,
  });
  const blobs = { add: () => undefined, includes: async () => true };
  const limited = limitIndex(base, repository, scope, blobs, new LinksElsewhere(scope));
  const page = { commit, prefix: '', offset: 0, limit: 50 };
  const linked = ['notes/Here', 'notes/Large', 'notes/Odd', 'notes/Went', 'notes/file.png', 'notes/Absent'];
  const questions: ((index: Index) => Promise<unknown>)[] = [
    (index) => index.paths(commit),
    (index) => index.list({ ...page, sort: 'path' }),
    async (index) => {
      const { rows, total } = await index.search({ ...page, query: 'see', mode: 'words', contextLines: 0 });
      return { rows, total };
    },
    (index) => index.tags(page),
    (index) => index.departure(commit, 'notes/Gone'),
    (index) => index.departure(commit, 'notes/Left'),
    (index) => index.atOnce.departure(commit, 'notes/Left'),
    (index) => index.moveAfter(commit, 'notes/Left', past),
    (index) => index.moveAfter(commit, 'notes/Stays', past),
    (index) => index.unread(commit),
    (index) => index.linksNamed(commit, ['went']),
    (index) => index.namesLike(commit, ['alias']),
    (index) => index.pagesNaming(commit, ['See'], 10),
    (index) => index.pagesNaming(commit, ['See'], 2),
    (index) => index.files(commit),
    (index) => index.anchors(commit, ['notes/Went.md']),
    (index) => index.sketches(commit),
    ...linked.map((path) => (index: Index) => index.links(commit, path)),
  ];
  await base.catchUp(commit);
  for (const ask of questions) expect(await ask(limited), `${ask}`).toEqual(await ask(base));
});

test('the pages that a list or a search returns may be read', async () => {
  const { limited, commit, added } = await limitedWiki();
  const page = { commit, prefix: '', offset: 0, limit: 50 };
  const { rows } = await limited.list({ ...page, sort: 'path' });
  const listed = rows.map(({ path, version }) => ({ path: `${path}.md`, oid: version, mode: '100644' }));
  expect(listed.map(({ path }) => path)).toEqual(['notes/Came.md', 'notes/New.md']);
  expect(added.splice(0)).toEqual(listed);
  await limited.search({ ...page, query: 'Came', mode: 'words', contextLines: 0 });
  expect(added).toEqual(listed.slice(0, 1));
});

test('long work is done for a limited call, whose caller hears nothing of its progress', async () => {
  // The wiki is too small for an index to report any.
  const reporting = (work: Index['catchUp']): Index['catchUp'] => {
    return (commit, progress, signal) => {
      progress?.(1, 2, 'Reading pages');
      return work(commit, progress, signal);
    };
  };
  const { base, limited, commit } = await limitedWiki((index) => ({
    ...index,
    catchUp: reporting(index.catchUp),
    standAt: reporting(index.standAt),
  }));
  const reported: unknown[] = [];
  const report = (done: unknown) => {
    reported.push(done);
  };
  // The fast answer of an index that knows the commit.
  expect(await limited.atOnce.departure(commit, 'notes/Old')).toBeNull();
  await limited.catchUp(commit, report);
  expect(await limited.atOnce.departure(commit, 'notes/Old')).toEqual({ commit, movedTo: 'notes/New' });
  await limited.standAt(commit, report);
  expect(await limited.save(commit)).toBe(true);
  expect(reported).toEqual([]);
  await base.catchUp(commit, report);
  expect(reported).toEqual([1]);
});

test('it does not see every page, and a change after which it looked for links says so', async () => {
  const { limited, commit, elsewhere } = await limitedWiki();
  const change = { changed: true };
  expect(limited.seesEveryPage).toBe(false);
  expect(elsewhere.addTo(change)).toBe(change);
  await limited.linksNamed(commit, ['new']);
  expect(elsewhere.addTo(change)).toMatchObject({ links_elsewhere: expect.stringContaining('notes/') });
});

test('a page that moved out of the scope has left for an unknown place, and its move is not reported', async () => {
  const { limited, commit, past } = await limitedWiki();
  await limited.catchUp(commit);
  for (const { departure } of [limited, limited.atOnce]) {
    expect(await departure(commit, 'notes/Left')).toEqual({ commit, movedTo: null });
  }
  expect(await limited.moveAfter(commit, 'notes/Left', past)).toBeNull();
});

/** A place outside of the scope, a tag there, or the commit that deleted a page there. */
const ABROAD = /secret\/|Secret Alias|tag-of-secret|"commit":"[0-9a-f]{40}","movedTo"/i;

test('work for a limited call ends when the call is cancelled', async () => {
  const { limited, commit } = await limitedWiki();
  const signal = AbortSignal.abort();
  const cancelled = { code: 'busy', message: expect.stringContaining('cancelled') };
  await expect(limited.catchUp(commit, undefined, signal)).rejects.toMatchObject(cancelled);
  await expect(limited.standAt(commit, undefined, signal)).rejects.toMatchObject(cancelled);
  expect(await limited.save(commit, signal)).toBe(false);
  expect(await limited.save(commit)).toBe(true);
});

test('a limited call whose sketches are compared can be cancelled too', async () => {
  const { base, commit } = await limitedWiki();
  const heard: unknown[] = [];
  const watched: Index = {
    ...base,
    sketches(...given) {
      heard.push(given.at(2));
      return base.sketches(...given);
    },
  };
  const repository = await openTestRepository(bareRepository());
  const blobs = { add: () => undefined, includes: async () => true };
  const limited = limitIndex(watched, repository, scope, blobs, new LinksElsewhere(scope));
  const { signal } = new AbortController();
  await limited.sketches(commit, undefined, signal);
  expect(heard).toEqual([signal]);
});
