import { expect, test } from 'vitest';
import { bareRepository, temporaryDirectory } from '../../../test/native-git.ts';
import { openTestIndexes } from '../../../test/search/test-indexes.ts';
import { changeOf, commitFilesTo, openTestRepository, pathsOf, text } from '../../../test/test-repository.ts';
import type { Scope } from '../../contract/scope.ts';
import type { OpenWiki, Round, WikiDirectory } from '../directory-port.ts';
import { newRound } from '../operations/maintenance/round.ts';
import { limitDirectory } from './limited-repository.ts';
import { LinksElsewhere } from './links-elsewhere.ts';

const scope: Scope = { read: ['in/'], write: ['in/Deep/'] };
const ROUND: Round = newRound(1, null);

async function openLimited(within: Scope) {
  const repository = await openTestRepository(bareRepository());
  const first = await commitFilesTo(repository, text('in/A.md', 'a'), text('in/Deep/B.md', 'b'));
  const second = await commitFilesTo(repository, text('out/C.md', 'c'), text('in/Deep/B.md', 'changed'));
  const third = await commitFilesTo(repository, text('in/A.md', 'changed'));
  const indexes = await openTestIndexes();
  const index = indexes.open({ repository, snapshotDirectory: temporaryDirectory(), readOnly: false });
  const describe = async () => ({ ...(await repository.describe()), clone: 'git clone all-of-it' });
  const whole: OpenWiki = { repository: { ...repository, describe }, index };
  const kept: unknown[] = [];
  const directory: WikiDirectory = {
    names: async () => ['test', 'other'],
    requireDefault: async () => {
      throw new Error('no default');
    },
    create: async () => {
      throw new Error('made');
    },
    importBundle: async () => {
      throw new Error('imported');
    },
    open: async (name) => {
      kept.push(name);
      return whole;
    },
    unopened: () => {
      throw new Error('Nobody asks.');
    },
    visit: async (name, act) => {
      kept.push(name);
      return act(whole);
    },
    readRound: async () => ROUND,
    keepRound: async (round) => void kept.push(round),
    uploads: () => {
      throw new Error('uploaded');
    },
    removeOldUploads: async () => 0,
  };
  const limited = limitDirectory(directory, within, new LinksElsewhere(within));
  return { limited, wiki: await limited.open('test'), whole, kept, commits: [first, second, third] };
}

const forbidden = (what: string) => ({
  code: 'forbidden',
  text: {
    happened: expect.stringContaining(
      `${what} takes the whole wiki, and from here only a part may be seen or changed: only what lies in "in/" is there`,
    ),
  },
});

test('a limited directory names and opens wikis, and makes none', async () => {
  const { limited, kept } = await openLimited(scope);
  expect(await limited.names()).toEqual(['test', 'other']);
  await expect(limited.requireDefault()).rejects.toThrow('no default');
  await expect(limited.create('new', async () => {})).rejects.toMatchObject(forbidden('Making a wiki'));
  const options = { dryRun: true, call: {} };
  await expect(limited.importBundle('new', new Uint8Array(), options)).rejects.toMatchObject(
    forbidden('Importing a history'),
  );
  expect(await limited.readRound()).toBe(ROUND);
  await limited.keepRound(ROUND);
  const paths = await limited.visit('other', async ({ repository }) => pathsOf(await repository.head()));
  expect(paths).toEqual(['in/A.md', 'in/Deep/B.md']);
  expect(kept).toEqual(['test', ROUND, 'other']);
});

test('a limited repository shows the files in the folders at any commit, and no whole', async () => {
  const { wiki, commits } = await openLimited(scope);
  const { repository, index } = wiki;
  const [first = '', second = '', third = ''] = commits;
  expect(await pathsOf(await repository.head())).toEqual(['in/A.md', 'in/Deep/B.md']);
  expect(await pathsOf(await repository.at(second))).toEqual(['in/A.md', 'in/Deep/B.md']);
  expect(await repository.resolveCommit(second.slice(0, 12))).toBe(second);
  await expect(repository.resolveCommit(second.slice(0, 4))).rejects.toMatchObject({ code: 'invalid_input' });
  expect(index.seesEveryPage).toBe(false);
  expect((await repository.changes(second, third)).map(({ path }) => path)).toEqual(['in/A.md']);
  for (const changes of [repository.changes, repository.everyChange]) {
    await expect(changes(first, second)).rejects.toMatchObject({
      code: 'forbidden',
      // No name of what lies elsewhere.
      text: { happened: 'The commit changed more than what may be seen from here, which is "in/".' },
      data: { scope },
    });
  }
  expect(() => repository.log(third)).toThrow(/^forbidden: The log takes the whole wiki/);
  await expect(repository.bundle(third, {}, 1)).rejects.toMatchObject(forbidden('A bundle'));
  expect(await repository.describe()).toEqual({ clone: null, readOnly: false, problems: [] });
  const { maintenance } = repository;
  const limits = { mostMs: 1 } as never;
  for (const act of [maintenance.tidy, maintenance.check, maintenance.repair])
    await expect(act(limits)).rejects.toMatchObject(forbidden('Maintenance'));
});

test('a write sees the files in the folders, and changes those that it may', async () => {
  const { wiki, whole } = await openLimited(scope);
  const seen: string[][] = [];
  const write = (path: string) =>
    wiki.repository.write(
      changeOf([], {
        apply: async (snapshot) => {
          seen.push(await pathsOf(snapshot));
          return { message: 'm', files: [text(path, 'new')] };
        },
      }),
    );
  expect(await write('in/Deep/New.md')).toMatchObject({ kind: 'committed' });
  for (const path of ['in/New.md', 'out/C.md']) {
    await expect(write(path)).rejects.toMatchObject({ code: 'forbidden', data: { path } });
  }
  expect(seen[0]).toEqual(['in/A.md', 'in/Deep/B.md']);
  expect(await pathsOf(await whole.repository.head())).toEqual([
    'in/A.md',
    'in/Deep/B.md',
    'in/Deep/New.md',
    'out/C.md',
  ]);
});

test('a write takes the spelling of a folder on the way to the scope, which a read does not show', async () => {
  const { wiki } = await openLimited({ read: ['in/', 'out/none/'], write: ['in/'] });
  let folder: unknown;
  await wiki.repository.write(
    changeOf([], {
      apply: async (snapshot) => {
        folder = await snapshot.folder('out');
        return { message: 'm', files: [] };
      },
    }),
  );
  expect(folder).toEqual([]);
  expect(await (await wiki.repository.head()).folder('out')).toBeNull();
});

test('a file that the call looked at may be read, and no other one for it', async () => {
  const { wiki, whole } = await openLimited(scope);
  await commitFilesTo(whole.repository, text('in/a.png', 'image'), text('in/b.png', 'other'));
  const [a, b] = await Promise.all(
    ['in/a.png', 'in/b.png'].map(async (path) => (await whole.repository.head()).entry(path)),
  );
  const head = await wiki.repository.head();
  await head.entry('in/a.png');
  expect(Buffer.from(await head.blob(a?.oid ?? '')).toString()).toBe('image');
  await expect(head.blob(b?.oid ?? '')).rejects.toMatchObject({ code: 'not_found' });
});

test('an empty wiki has no version that may be read', async () => {
  const repository = await openTestRepository(bareRepository());
  const indexes = await openTestIndexes();
  const index = indexes.open({ repository, snapshotDirectory: temporaryDirectory(), readOnly: false });
  const directory = { open: async () => ({ repository, index }) } as unknown as WikiDirectory;
  const wiki = await limitDirectory(directory, scope, new LinksElsewhere(scope)).open('test');
  const empty = await wiki.repository.head();
  expect(empty.commit).toBeNull();
  await expect(empty.blob('0'.repeat(40))).rejects.toThrow(/There is no version 0/);
});

const PARTS: Scope[] = [
  { read: ['in/'], write: ['in/'] },
  { read: [''], write: ['in/'] },
  { read: ['in/'], write: [''] },
];

test.each(PARTS)(
  'under $read and $write no push, no merge of histories and no remote is let in',
  async (part) => {
    const { limited, wiki, whole } = await openLimited(part);
    const { repository } = wiki;
    const head = (await whole.repository.head()).commit;
    const refused = (what: string) => ({
      code: 'forbidden',
      message: expect.stringContaining(`${what} takes the whole`),
    });
    await expect(repository.receivePush({} as never)).rejects.toMatchObject(refused('A push'));
    await expect(repository.mergeCommits({} as never)).rejects.toMatchObject(refused('A merge'));
    const { settings, set, report, keepReport } = repository.remote;
    for (const act of [settings, set, report, keepReport])
      await expect((act as (given: unknown) => Promise<unknown>)({})).rejects.toMatchObject(
        refused('A remote'),
      );
    expect(() => limited.unopened('test')).toThrow('A remote takes the whole');
    expect((await whole.repository.head()).commit).toBe(head);
  },
);

test('under a scope that is the whole wiki pushes and merges are let in', async () => {
  const { wiki } = await openLimited({ read: [''], write: [''] });
  for (const act of [wiki.repository.receivePush, wiki.repository.mergeCommits]) {
    const error = await (act as (given: unknown) => Promise<unknown>)({}).catch(
      (failure: unknown) => failure,
    );
    expect(error).toBeInstanceOf(Error);
    expect(error).not.toMatchObject({ code: 'forbidden' });
  }
});

test('of a commit that reaches out only the changes in the folders are visible, and that it does', async () => {
  const { wiki, commits } = await openLimited(scope);
  const [first = '', second = '', third = ''] = commits;
  const seen = async (from: string, to: string) => {
    const { files, leavesOut } = await wiki.repository.visibleChanges(from, to);
    return [files.map(({ path }) => path), leavesOut];
  };
  expect(await seen(first, second)).toEqual([['in/Deep/B.md'], true]);
  expect(await seen(second, third)).toEqual([['in/A.md'], false]);
});

test('uploads are those of the whole directory: each belongs to its caller', async () => {
  const { limited } = await openLimited(scope);
  expect(() => limited.uploads('test')).toThrow('uploaded');
  expect(await limited.removeOldUploads()).toBe(0);
});

test('a clone takes the whole wiki', async () => {
  const { wiki } = await openLimited(scope);
  const { refs, plan } = wiki.repository.sending;
  for (const act of [refs, plan])
    await expect((act as (given: unknown) => Promise<unknown>)({})).rejects.toMatchObject(
      forbidden('A clone'),
    );
});

test('if everything may be read, only writes are limited', async () => {
  const { wiki, whole, commits } = await openLimited({ read: ['', 'in/'], write: ['in/'] });
  const [first = '', second = ''] = commits;
  expect(wiki.index).toBe(whole.index);
  expect(await wiki.repository.changes(first, second)).toHaveLength(2);
  expect(await pathsOf(await wiki.repository.head())).toHaveLength(3);
  await expect(wiki.repository.write(changeOf([text('out/C.md', 'new')]))).rejects.toMatchObject({
    code: 'forbidden',
  });
  await expect(wiki.repository.maintenance.check({} as never)).rejects.toMatchObject({ code: 'forbidden' });
});

test('a version may be read if it is or was one of a page that the call looked at', async () => {
  const { limited, whole, commits } = await openLimited(scope);
  const [first = ''] = commits;
  const oidOf = async (commit: string, path: string) => {
    const entry = await (await whole.repository.at(commit)).entry(path);
    return entry?.oid ?? '';
  };
  const head = await whole.repository.head();
  const old = await oidOf(first, 'in/Deep/B.md');
  const elsewhere = await oidOf(head.commit ?? '', 'out/C.md');
  const open = async () => (await limited.open('test')).repository.head();

  const unread = await open();
  await expect(unread.blob(old)).rejects.toMatchObject({ code: 'not_found' });
  const other = await open();
  await other.entry('in/A.md');
  await expect(other.blob(old)).rejects.toMatchObject({ code: 'not_found' });
  const looked = await open();
  await looked.entry('in/Deep/B.md');
  expect(Buffer.from(await looked.blob(old)).toString()).toBe('b');
  await expect(looked.blob(elsewhere)).rejects.toMatchObject({ code: 'not_found' });
  const listed = await limited.open('test');
  const query = { commit: head.commit ?? '', prefix: '', sort: 'path', offset: 0, limit: 10 } as const;
  const { rows } = await listed.index.list(query);
  expect(rows.map(({ path }) => path)).toEqual(['in/A', 'in/Deep/B']);
  const now = await oidOf(head.commit ?? '', 'in/A.md');
  expect(Buffer.from(await (await listed.repository.head()).blob(now)).toString()).toBe('changed');
});

test('a version of long ago may be read', async () => {
  const { limited, whole, commits } = await openLimited(scope);
  const [first = ''] = commits;
  const old = await (await whole.repository.at(first)).entry('in/A.md');
  for (let at = 0; at < 30; at += 1) await commitFilesTo(whole.repository, text('in/A.md', `changed ${at}`));
  const head = await (await limited.open('test')).repository.head();
  await head.entry('in/A.md');
  expect(await head.blob(old?.oid ?? '')).toEqual(
    await whole.repository.head().then((each) => each.blob(old?.oid ?? '')),
  );
});
