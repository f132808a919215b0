import { describe, expect, test } from 'vitest';
import { noise } from '../../../../../labs/noise.ts';
import type { Output } from '../../../src/contract/operations.ts';
import { ObjectHeap } from '../../git-input/bundles.ts';
import { bareRepository, git } from '../../native-git.ts';
import { bundleFile, bundleOf, filesOf, zipOf, zipPackedBy, zipThatSays, zipWithLink } from '../archives.ts';
import { type Backend, openTestWiki } from '../test-wiki.ts';

/** import_wiki and export_wiki. */
export function transferSuite(backend: Backend): void {
  const vault = {
    'Home.md': '# Home\n[[Note]] ![[images/a.png]]\n',
    'folder/Note.md': '---\naliases: [N]\n---\r\n[up](../Home.md)\r\n',
    'images/a.png': Uint8Array.of(0, 255, 13, 10),
    'Ünïcödé/日本.md': '',
  };
  const rubbish = { '.obsidian/app.json': '{}', '__MACOSX/._Home.md': 'x', 'folder/.DS_Store': 'x' };

  describe('import_wiki of a zip', () => {
    test('brings pages and attachments in one commit, and a second time nothing', async () => {
      const wiki = await openTestWiki(backend, { 'P.md': 'x' });
      const content = await zipOf({ ...vault, ...rubbish });
      const head = await wiki.head();
      const dry = await wiki.run('import_wiki', { content, dry_run: true });
      expect(dry).toMatchObject({ kind: 'files', changed: true, pages: 3, attachments: 1, changes: 4 });
      expect(dry.ignored.toSorted()).toEqual(Object.keys(rubbish).toSorted());
      expect(await wiki.head()).toBe(head);

      const imported = await wiki.run('import_wiki', { content, request_id: 'import-1' });
      expect(imported).toMatchObject({ changed: true, commits: 1, pages: 3, attachments: 1, changes: 4 });
      expect(await wiki.git('rev-parse', 'main^')).toBe(head);
      expect(await wiki.paths()).toEqual(['Home', 'P', 'folder/Note', 'Ünïcödé/日本']);
      expect(await wiki.git('cat-file', '-s', 'main:images/a.png')).toBe('4');
      expect((await wiki.run('check_wiki', { kinds: ['broken_link'] })).total).toBe(0);
      expect(await wiki.run('import_wiki', { content })).toMatchObject({ changed: false, changes: 0 });
    });

    test('refuses all where files exist with other content, unless asked to replace them', async () => {
      const wiki = await openTestWiki(backend, { 'Home.md': 'mine' });
      const content = await zipOf(vault);
      const error = await wiki.refused('import_wiki', { content });
      expect(error.message).toBe(
        'already_exists: 1 of 4 files exist in the wiki with other content: "Home.md". Nothing was imported. Set replace to replace them (history keeps what they are now), or give a prefix to import into a folder of its own.',
      );
      expect(await wiki.paths()).toEqual(['Home']);
      await wiki.run('import_wiki', { content, prefix: 'Vault' });
      expect(await wiki.content('Vault/Home')).toBe(vault['Home.md']);
      expect((await wiki.run('import_wiki', { content, replace: true })).changes).toBe(4);
      expect(await wiki.content('Home')).toBe(vault['Home.md']);
    });

    test('creates a missing wiki, and leaves none behind if it fails', async () => {
      const wiki = await openTestWiki(backend);
      const content = await zipOf(vault);
      await wiki.refused('import_wiki', { wiki: 'imported-1', content: await zipOf({ 'CON.md': 'x' }) });
      const dry = await wiki.run('import_wiki', { wiki: 'imported-1', content, dry_run: true });
      expect(dry).toMatchObject({ changed: true, changes: 4 });
      expect((await wiki.run('list_wikis', {})).wikis).not.toContain('imported-1');
      const imported = await wiki.run('import_wiki', { wiki: 'imported-1', content, request_id: 'i' });
      expect(await wiki.run('import_wiki', { wiki: 'imported-1', content, request_id: 'i' })).toEqual(
        imported,
      );
      const { entries } = await wiki.run('get_history', { wiki: 'imported-1' });
      expect(entries.map((entry) => entry.commit)).toEqual([imported.commit]);
    });

    test('lists every name that is not allowed, and imports nothing', async () => {
      const wiki = await openTestWiki(backend, { 'note.md': 'x' });
      const content = await zipOf({
        'Fine.md': 'x',
        'fine.md': 'y',
        '../out.md': 'x',
        'a/CON.md': 'x',
        'back\\slash.png': 'x',
        'large.md': 'x'.repeat(2_000_001),
      });
      const error = await wiki.refused('import_wiki', { content });
      expect(error.code).toBe('invalid_path');
      // In the order of the archive.
      expect(error.data.problems).toMatchObject([
        { path: 'fine.md', reason: 'it differs from "Fine.md" only in case or in what cannot be seen' },
        { path: '../out.md', reason: 'it holds "." or ".."; paths begin at the root of the wiki' },
        { path: 'a/CON.md', reason: 'a part of it is the name of a device on Windows, such as CON or NUL' },
        { path: expect.stringMatching(/^back.slash\.png$/) },
        { path: 'large.md', reason: 'it has 2000001 bytes; the most is 2000000' },
      ]);
      expect(error.message).toMatch(/^invalid_path: 5 of 6 files cannot be imported\.\n/);
      expect(error.message).toContain(
        'Nothing was imported. Rename, mend or remove these files, and import again.',
      );
      const clash = await wiki.refused('import_wiki', { content: await zipOf({ 'Note.md': 'x' }) });
      expect(clash.data.problems).toEqual([
        {
          path: 'Note.md',
          reason: 'the wiki has "note.md", which differs only in case or in what cannot be seen',
        },
      ]);
      expect(await wiki.paths()).toEqual(['note']);
    });

    test('takes a prefix whose letters and accents are apart, although it is longer than a path may be', async () => {
      const wiki = await openTestWiki(backend);
      const prefix = 'u\u0308/'.repeat(140);
      await wiki.run('import_wiki', { content: await zipOf({ 'Deep.md': 'x' }), prefix });
      expect(await wiki.paths()).toEqual([`${prefix}Deep`.normalize('NFC')]);
    });

    test('refuses a symbolic link, a zip bomb, and a file that is not an archive', async () => {
      const wiki = await openTestWiki(backend);
      const link = await wiki.refused('import_wiki', { content: zipWithLink('Passwords.md', '/etc/passwd') });
      expect(link.data.problems).toEqual([{ path: 'Passwords.md', reason: 'it is a symbolic link' }]);
      const bomb = await wiki.refused('import_wiki', { content: zipThatSays(0x7fff_ffff) });
      expect(bomb.code).toBe('invalid_path');
      expect(bomb.text.happened).toContain('it has 2147483647 bytes; the most is 2000000');
      const many = await wiki.refused('import_wiki', { content: zipThatSays(50_000_000, 7, 'bin') });
      // A function has less memory for it.
      expect(many.message).toMatch(
        /^too_large: The import would be too large: it has 350000000 bytes once unpacked; the most is (100000000|65\d{6})\. Nothing was unpacked or imported\. Import it in parts, or copy it with git\.$/,
      );
      const lie = await wiki.refused('import_wiki', { content: zipThatSays(10) });
      expect(lie.text.happened).toMatch(/^The zip cannot be read: /);
      const rare = await wiki.refused('import_wiki', { content: zipPackedBy(9) });
      expect(rare.text.happened).toBe(
        'The zip cannot be read: "Note.md" is compressed by method 9, not by the usual "deflate".',
      );
      const cut = Buffer.from(await zipOf(vault), 'base64')
        .subarray(0, 200)
        .toString('base64');
      expect((await wiki.refused('import_wiki', { content: cut })).code).toBe('invalid_input');
      const text = await wiki.refused('import_wiki', { content: Buffer.from('text').toString('base64') });
      expect(text.message).toBe(
        'invalid_input: What was given is no zip and no git bundle. Nothing was imported. Give a folder of Markdown, a zip of one, a git repository, or a file made by `git bundle create FILE HEAD main`.',
      );
      expect((await wiki.refused('import_wiki', { local_path: '/etc' })).code).toBe('invalid_input');
      expect(await wiki.head()).toBeNull();
    });
  });

  describe('import_wiki of a bundle', () => {
    test('keeps every commit, in a wiki of its own that can be written to', async () => {
      const wiki = await openTestWiki(backend);
      const { repository, content, tip } = bundleOf(vault, 3);
      const dry = await wiki.run('import_wiki', { wiki: 'history-1', content, dry_run: true });
      expect(dry).toMatchObject({ kind: 'history', commit: tip, commits: 4, pages: 4, attachments: 1 });
      expect((await wiki.run('list_wikis', {})).wikis).not.toContain('history-1');
      expect(await wiki.run('import_wiki', { wiki: 'history-1', content })).toEqual(dry);
      const { entries } = await wiki.run('get_history', { wiki: 'history-1' });
      expect(entries.map((entry) => entry.commit).join('\n')).toBe(
        git(repository, ['log', '--format=%H', 'main']),
      );
      await wiki.run('append_to_page', { wiki: 'history-1', path: 'Log', content: 'written here' });
      expect(await wiki.run('import_wiki', { wiki: 'history-1', content })).toEqual(dry);
    });

    test('is refused if it is incomplete or damaged, or if the wiki exists', async () => {
      const wiki = await openTestWiki(backend, { 'P.md': 'x' });
      const { content, newer } = bundleOf(vault, 3);
      expect((await wiki.refused('import_wiki', { content })).message).toMatch(
        /^already_exists: The wiki "[a-z0-9-]+" exists, and a history can only become a new wiki\. Nothing was imported\. Name a wiki that does not exist yet\.$/,
      );
      expect((await wiki.refused('import_wiki', { content, dry_run: true })).code).toBe('already_exists');
      const part = await wiki.refused('import_wiki', { wiki: 'history-2', content: newer });
      expect(part.message).toBe(
        'invalid_input: The git bundle cannot be imported: it holds only the newer part of a history; make it with `git bundle create FILE HEAD main`. Nothing was imported. Make it anew with `git bundle create FILE HEAD main`.',
      );
      const bytes = Buffer.from(content, 'base64');
      bytes.writeUInt8(bytes.readUInt8(bytes.length - 100) ^ 0xff, bytes.length - 100);
      const damaged = await wiki.refused('import_wiki', {
        wiki: 'history-2',
        content: bytes.toString('base64'),
      });
      expect(damaged.text.happened).toBe('The git bundle cannot be imported: its pack is damaged.');
      expect((await wiki.run('list_wikis', {})).wikis).not.toContain('history-2');
    });
  });

  describe('import_wiki of a bundle that was made to do harm', () => {
    const refusedBundle = async (make: (heap: ObjectHeap) => string) => {
      const wiki = await openTestWiki(backend);
      const heap = new ObjectHeap();
      const content = heap.bundle(make(heap)).toString('base64');
      const error = await wiki.refused('import_wiki', { wiki: 'harm', content });
      expect((await wiki.refused('import_wiki', { wiki: 'harm', content, dry_run: true })).code).toBe(
        error.code,
      );
      expect((await wiki.run('list_wikis', {})).wikis).not.toContain('harm');
      return error;
    };

    test('is refused if an export of it would contain a repository with settings', async () => {
      const error = await refusedBundle((heap) => {
        const config = heap.add('blob', '[core]\n\tfsmonitor = "touch /tmp/harm"\n');
        const inner = heap.tree([['100644', 'config', config]]);
        return heap.commit(heap.tree([['40000', '.git', inner]]));
      });
      expect(error.message).toMatch(
        /^invalid_input: The git bundle cannot be imported: the tree [0-9a-f]{40} would be refused by git: it has an entry "\.git", which some systems take for "\.git"\. Nothing was imported\. Look for it with `git fsck --strict`/,
      );
    });

    test.each([
      ['ten million files of a few trees', 24, 2, 'a commit of it has more than 200000 files'],
      ['folders a thousand deep', 1_000, 1, 'its folders lie more than 256 deep in one another'],
    ])('is refused if it names %s', async (_, levels, times, said) => {
      const error = await refusedBundle((heap) => {
        let tree = heap.tree([['100644', 'a.md', heap.add('blob', 'x')]]);
        for (let level = 0; level < levels; level += 1) {
          tree = heap.tree(Array.from({ length: times }, (__, at) => ['40000', `${at}`, tree] as const));
        }
        return heap.commit(tree);
      });
      expect(error.code).toBe('too_large');
      expect(error.text.happened).toBe(`The git bundle is too large to import: ${said}.`);
    });

    test('is refused if its commits change too much', async () => {
      const error = await refusedBundle((heap) => {
        const page = heap.add('blob', 'x');
        const names = (count: number) => Array.from({ length: count }, (_, at) => `${at + 10_000}`);
        const folder = heap.tree(names(2_000).map((name) => ['100644', name, page] as const));
        const tree = heap.tree(names(90).map((name) => ['40000', name, folder] as const));
        const empty = heap.tree([]);
        let commit = heap.commit(tree);
        for (let at = 0; at < 7; at += 1) commit = heap.commit(at % 2 ? tree : empty, [commit]);
        return commit;
      });
      expect(error.text.happened).toMatch(/its commits change files more than 1000000 times/);
    });
  });

  describe('export_wiki', () => {
    test('gives the files in parts, each of the same commit', async () => {
      const files = Object.fromEntries(Array.from({ length: 5 }, (_, at) => [`${at}.bin`, noise(1_500_000)]));
      const wiki = await openTestWiki(backend, { ...files, '.hidden.md': 'Of another program.' });
      const { commit } = await wiki.run('write_page', { path: 'Last', content: 'Last.\n' });
      const found: Record<string, Buffer> = {};
      const from: number[] = [];
      for (let next: number | null = 0; next !== null; ) {
        from.push(next);
        const part: Output<'export_wiki'> = await wiki.run('export_wiki', {
          at: commit ?? '',
          part_from: next,
        });
        expect(part).toMatchObject({ commit, files: 6, left_out: ['.hidden.md'] });
        Object.assign(found, await filesOf(part.content ?? ''));
        next = part.next_part ?? null;
      }
      expect(from).toEqual([0, 2, 4]);
      expect(found).toEqual({ ...files, 'Last.md': Buffer.from('Last.\n') });
      const none = await wiki.run('export_wiki', { part_from: 6 });
      expect(none).toMatchObject({ files: 6, next_part: null });
      expect(await filesOf(none.content ?? '')).toEqual({});
    });

    test('gives back what was imported, to the byte, of any commit', async () => {
      const wiki = await openTestWiki(backend);
      const { commit } = await wiki.run('import_wiki', { content: await zipOf(vault) });
      await wiki.write('Later', 'x');
      const exported = await wiki.run('export_wiki', { at: commit ?? '', format: 'zip' });
      expect(exported).toMatchObject({ commit, format: 'zip', files: 4, saved_to: null });
      const files = await filesOf(exported.content ?? '');
      expect(Object.keys(files).toSorted()).toEqual(Object.keys(vault).toSorted());
      for (const [path, content] of Object.entries(vault)) expect(files[path]).toEqual(Buffer.from(content));
      expect((await wiki.run('export_wiki', {})).files).toBe(5);
    });

    test('gives a bundle that native git clones, with every commit', async () => {
      const wiki = await openTestWiki(backend, vault);
      await wiki.run('append_to_page', { path: 'Home', content: 'more' });
      const { content, commit } = await wiki.run('export_wiki', { format: 'bundle' });
      const repository = bareRepository();
      git(repository, ['fetch', '--quiet', await bundleFile(content ?? ''), 'main:main']);
      expect(git(repository, ['rev-parse', 'main'])).toBe(commit);
      expect(git(repository, ['fsck', '--strict', '--no-dangling'])).toBe('');
      const again = await wiki.run('import_wiki', { wiki: 'again', content: content ?? '' });
      expect(again).toMatchObject({ commit, commits: 2 });
    });

    test('gives an empty zip for an empty wiki, and no bundle', async () => {
      const wiki = await openTestWiki(backend);
      expect(await wiki.run('export_wiki', {})).toMatchObject({ commit: null, files: 0 });
      expect((await wiki.refused('export_wiki', { format: 'bundle' })).message).toBe(
        'invalid_input: The wiki has no commit yet. Nothing was exported. Write a page first.',
      );
    });
  });
}
