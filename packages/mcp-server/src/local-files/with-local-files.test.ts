import {
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { openWiki } from '@pagetree/wiki';
import { callOperation, limits, type OperationName, type Wiki, WikiError } from '@pagetree/wiki/contract';
import { expect, onTestFinished, test } from 'vitest';
import { bareRepository, git, temporaryDirectory } from '../../../wiki/test/native-git.ts';
import { zipOf } from '../../../wiki/test/operations/archives.ts';
import { commitFiles } from '../../../wiki/test/operations/local-backends.ts';
import { servedWiki } from './served-wiki.ts';

const call = { caller: { author: { name: 'Ada', email: 'ada@example.org' }, agent: null } };
const TOO_LARGE = new WikiError('too_large', { happened: 'No.', now: 'Nothing.', next: 'Less.' });

/** A wiki with one page and one file, and an allowed folder. */
async function served({
  savesFiles = true,
  isRemote = false,
  replaced = (_: Wiki): Partial<Wiki> => ({}),
} = {}) {
  const directory = temporaryDirectory();
  const repository = join(directory, 'main.git');
  git(directory, ['init', '--quiet', '--bare', '--initial-branch=main', repository]);
  commitFiles(repository, { 'Home.md': '# Home\n', 'a.bin': Buffer.from([0, 255, 10]) });
  const host = { backend: 'test', versions: {}, problems: [] };
  const opened = await openWiki({ directory, wiki: 'main', placement: 'local', host });
  onTestFinished(() => opened.close());
  const folder = realpathSync(temporaryDirectory());
  const wiki = { ...opened.wiki, ...replaced(opened.wiki) };
  const backend = { wiki, isRemote, place: 'test', watchEveryMs: 1, close: async () => undefined };
  const reached = servedWiki(backend, [folder], savesFiles);
  const run = (name: OperationName, input: object) => callOperation(reached.wiki, name, input, call);
  const ask = (name: OperationName, input: object) => callOperation(opened.wiki, name, input, call);
  return { folder, run, ask };
}

test('an attachment is saved as a file, and a file is attached, byte for byte', async () => {
  const { folder, run } = await served();
  expect(await run('get_attachment', { path: 'a.bin', local_path: 'saved.bin' })).toMatchObject({
    path: 'a.bin',
    content: null,
    saved_to: join(folder, 'saved.bin'),
  });
  expect([...readFileSync(join(folder, 'saved.bin'))]).toEqual([0, 255, 10]);
  expect(await run('put_attachment', { path: 'b.bin', local_path: 'saved.bin' })).toMatchObject({ size: 3 });
  expect(await run('get_attachment', { path: 'b.bin' })).toMatchObject({ content: 'AP8K' });
  for (const local_path of ['saved.bin', join(folder, 'missing', 'saved.bin')]) {
    await expect(run('get_attachment', { path: 'a.bin', local_path })).rejects.toMatchObject({
      code: local_path === 'saved.bin' ? 'already_exists' : 'not_found',
    });
  }
  await expect(run('put_attachment', { path: 'c.bin', local_path: 'none.bin' })).rejects.toThrow(
    /^not_found: There is nothing at "none.bin" on this machine\./,
  );
});

test('calls that name no file are those of the wiki', async () => {
  const { run, ask } = await served();
  expect(await run('get_attachment', { path: 'a.bin' })).toEqual(
    await ask('get_attachment', { path: 'a.bin' }),
  );
  expect(await run('put_attachment', { path: 'c.bin', content: 'AP8K' })).toMatchObject({ size: 3 });
  const content = await zipOf({ 'Note.md': 'x' });
  expect(await run('import_wiki', { wiki: 'other', content })).toMatchObject({ wiki: 'other', pages: 1 });
  expect(await run('read_page', { path: 'Home' })).toEqual(await ask('read_page', { path: 'Home' }));
});

test('a wiki is exported as a folder or a zip, which are imported as they were', async () => {
  const { folder, run } = await served();
  const exported = await run('export_wiki', { format: 'folder', local_path: 'out' });
  expect(exported).toMatchObject({ format: 'folder', files: 2, saved_to: join(folder, 'out') });
  expect(readdirSync(join(folder, 'out')).toSorted()).toEqual(['Home.md', 'a.bin']);
  await run('export_wiki', { format: 'zip', local_path: 'out.zip' });
  expect(statSync(join(folder, 'out.zip')).isFile()).toBe(true);
  for (const [wiki, local_path] of Object.entries({ folder: 'out', zip: 'out.zip' })) {
    expect(await run('import_wiki', { wiki, local_path })).toMatchObject({ wiki, pages: 1, attachments: 1 });
  }
  await expect(run('import_wiki', { wiki: 'none', local_path: 'none' })).rejects.toThrow(
    /^not_found: There is nothing at "none" on this machine\./,
  );
});

test('an export to a place that is taken does not even begin, and needs a place', async () => {
  let exports = 0;
  const { folder, run } = await served({
    replaced: (wiki) => ({
      export_wiki: (...given) => {
        exports += 1;
        return wiki.export_wiki(...given);
      },
    }),
  });
  symlinkSync('nowhere', join(folder, 'link'));
  mkdirSync(join(folder, 'out'));
  for (const local_path of ['link', 'out']) {
    await expect(run('export_wiki', { local_path })).rejects.toMatchObject({ code: 'already_exists' });
  }
  await expect(run('export_wiki', {})).rejects.toMatchObject({
    message:
      'invalid_input: The arguments of export_wiki do not fit: local_path is missing. Nothing was exported. Say where to write it on this machine.',
  });
  expect(exports).toBe(0);
});

test('a history that is too large for one call is saved in parts, of the wiki that is meant', async () => {
  const export_wiki = async () => {
    throw TOO_LARGE;
  };
  const { folder, run } = await served({ isRemote: true, replaced: () => ({ export_wiki }) });
  await run('import_wiki', { wiki: 'other', content: await zipOf({ 'Note.md': 'x' }) });
  for (const [wiki, input] of Object.entries({ other: { wiki: 'other' }, main: {} })) {
    const local_path = `${wiki}.bundle`;
    const exported = await run('export_wiki', { format: 'bundle', local_path, ...input });
    expect(exported).toMatchObject({ wiki, saved_to: join(folder, local_path) });
  }
  await expect(run('export_wiki', { format: 'zip', local_path: 'a.zip' })).rejects.toBe(TOO_LARGE);
});

test.each(['folder', 'bundle'])(
  'an export that a wiki elsewhere refuses is not begun again in parts: %s',
  async (format) => {
    let calls = 0;
    const { run } = await served({
      isRemote: true,
      replaced: () => ({
        export_wiki: async () => {
          calls += 1;
          throw new WikiError('not_found', { happened: `No ${calls}.`, now: 'Nothing.', next: 'Less.' });
        },
      }),
    });
    await expect(run('export_wiki', { format, local_path: 'out' })).rejects.toThrow('not_found: No 1.');
    expect(calls).toBe(1);
  },
);

test('an export to a place within a file says that it cannot be written there', async () => {
  const { folder, run } = await served();
  writeFileSync(join(folder, 'file'), 'text');
  await expect(run('export_wiki', { local_path: 'file/new' })).rejects.toMatchObject({
    code: 'backend_unavailable',
    text: { happened: expect.stringContaining('could not be written on this machine: ENOTDIR') },
  });
});

test('a server that only reads saves nothing, and says so', async () => {
  const { folder, run } = await served({ savesFiles: false });
  const refusal =
    'this server only reads. Nothing was read or written. Leave out local_path, or ask the person who runs this server to offer more tools than read-only.';
  for (const [name, input] of [
    ['get_attachment', { path: 'a.bin' }],
    ['export_wiki', {}],
  ] as const) {
    await expect(run(name, { ...input, local_path: 'b.bin' }), name).rejects.toMatchObject({
      message: `forbidden: Nothing is written to "b.bin": ${refusal}`,
      data: { local_path: 'b.bin' },
    });
  }
  await expect(run('get_attachment', { path: 'a', local_path: 'x'.repeat(400) })).rejects.toMatchObject({
    text: { happened: `Nothing is written to "${'x'.repeat(300)}": this server only reads.` },
  });
  expect(await run('get_attachment', { path: 'a.bin' })).toMatchObject({ content: 'AP8K' });
  expect(readdirSync(folder)).toEqual([]);
});

test('a history that is too large for one call is imported in steps', async () => {
  const { folder, run } = await served({ replaced: refusingFirstImport(TOO_LARGE) });
  const repository = bareRepository();
  commitFiles(repository, { 'Page.md': 'x' });
  git(folder, ['clone', '--quiet', '--bare', repository, 'clone.git']);
  expect(await run('import_wiki', { wiki: 'cloned', local_path: 'clone.git' })).toMatchObject({
    wiki: 'cloned',
    kind: 'history',
    commit: git(repository, ['rev-parse', 'main']),
    commits: 1,
  });
});

test.each([
  ['a trial', TOO_LARGE, 'clone.git', { dry_run: true }],
  ['what is no history', TOO_LARGE, 'page.zip', {}],
  [
    'another failure',
    new WikiError('busy', { happened: 'No.', now: 'Nothing.', next: 'Wait.' }),
    'clone.git',
    {},
  ],
])('%s is imported in one call, or not at all', async (_, error, local_path, input) => {
  const { folder, run } = await served({ replaced: refusingFirstImport(error) });
  const repository = bareRepository();
  commitFiles(repository, { 'Page.md': 'x' });
  git(folder, ['clone', '--quiet', '--bare', repository, 'clone.git']);
  writeFileSync(join(folder, 'page.zip'), await zipOf({ 'Page.md': 'x' }), 'base64');
  await expect(run('import_wiki', { wiki: 'other', local_path, ...input })).rejects.toBe(error);
});

/** Refuses an import, and takes the next one. */
function refusingFirstImport(error: WikiError) {
  return (wiki: Wiki): Partial<Wiki> => {
    let imports = 0;
    return {
      import_wiki: async (...given) => {
        imports += 1;
        if (imports === 1) throw error;
        return wiki.import_wiki(...given);
      },
    };
  };
}

test('attachments do not wait for an import', async () => {
  const [begun, done] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { folder, run } = await served({
    replaced: (wiki) => ({
      import_wiki: async (...given) => {
        begun.resolve();
        await done.promise;
        return wiki.import_wiki(...given);
      },
    }),
  });
  writeFileSync(join(folder, 'page.zip'), await zipOf({ 'Page.md': 'x' }), 'base64');
  const importing = run('import_wiki', { wiki: 'other', local_path: 'page.zip' });
  await begun.promise;
  await run('get_attachment', { path: 'a.bin', local_path: 'saved.bin' });
  await run('put_attachment', { path: 'b.bin', local_path: 'saved.bin' });
  done.resolve();
  expect(await importing).toMatchObject({ pages: 1 });
});

test('a file that is larger than an attachment may be is not read', async () => {
  const given: object[] = [];
  const { folder, run } = await served({
    replaced: () => ({
      put_attachment: async (input) => {
        given.push(input);
        throw TOO_LARGE;
      },
    }),
  });
  const put = (bytes: number) => {
    truncateSync(join(folder, 'large.bin'), bytes);
    return run('put_attachment', { path: 'b.bin', local_path: 'large.bin' });
  };
  writeFileSync(join(folder, 'large.bin'), '');
  await expect(put(limits.attachmentBytes)).rejects.toBe(TOO_LARGE);
  expect(given).toHaveLength(1);
  await expect(put(limits.attachmentBytes + 1)).rejects.toMatchObject({
    code: 'too_large',
    data: { most: limits.attachmentBytes },
  });
  expect(given).toHaveLength(1);
});

test('a folder travels compressed to a wiki elsewhere, and as it is within the process', async () => {
  const sizes: number[] = [];
  const measuring = (wiki: Wiki): Partial<Wiki> => ({
    import_wiki: (input, given) => {
      sizes.push(given.bytes?.length ?? 0);
      return wiki.import_wiki(input, given);
    },
  });
  for (const isRemote of [false, true]) {
    const { folder, run } = await served({ isRemote, replaced: measuring });
    mkdirSync(join(folder, 'vault'));
    writeFileSync(join(folder, 'vault', 'Page.md'), 'word '.repeat(10_000));
    await run('import_wiki', { wiki: 'vault', local_path: 'vault' });
  }
  expect(sizes[0]).toBeGreaterThan(50_000);
  expect(sizes[1]).toBeLessThan(5_000);
});

test.each([
  [['/folder'], true, 'offered'],
  [[], true, 'impossible'],
  [['/folder'], false, 'forbidden'],
  [[], false, 'forbidden'],
])(
  'of saving to the folders %j, by a server that saves: %s, the list of tools says %s',
  (folders, saves, said) => {
    const backend = {
      wiki: {} as Wiki,
      isRemote: false,
      place: '',
      watchEveryMs: 1,
      close: async () => undefined,
    };
    expect(servedWiki(backend, folders, saves).saving).toBe(said);
  },
);
