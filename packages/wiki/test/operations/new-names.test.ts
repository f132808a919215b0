import { describe, expect, test } from 'vitest';
import { zipOf } from './archives.ts';
import { inProcess } from './local-backends.ts';
import { openTestWiki, type TestWiki } from './test-wiki.ts';

const HIDDEN = '\u200b';
const AROUND = '\u202e';

/** Names of pages that no way in lets through. */
const REFUSED = [
  '.claude/commands/x',
  'a/.hidden',
  'What?',
  'a*b',
  'a|b',
  'a<b',
  'a>b',
  'a"b',
  'a: b',
  `Ho${HIDDEN}me`,
  `a${AROUND}b`,
  'dot.',
  'space ',
  'con',
  'home',
  'HOME',
  'guides/New',
  'x'.repeat(253),
];

const FILES = { 'Home.md': '# Home\n', 'Guides/Start.md': '[[Home]]\n', 'Guides/a.png': 'png' };

/** As the last part of a path and as a folder; hostile-path.test.ts has all the spellings. */
const KEPT_BY_GIT = [
  ...['.git', '.GIT', '.git ', '.git.', 'git~1', 'GIT~1', 'git~1 ', 'git~1.', '.git::$INDEX_ALLOCATION'],
  ...[
    '.gitmodules',
    'gitmod~1',
    'GITMOD~1',
    'gi7eba~1',
    '.gitattributes',
    'gitatt~1',
    'gi7d29~1',
    '.g\u200cit',
  ],
];

describe('a name that some system cannot store, or that deceives a reader, is refused', () => {
  const ways: Record<string, (wiki: TestWiki, name: string) => Promise<void>> = {
    write_page: async (wiki, path) => refused(wiki, 'write_page', { path, content: 'x' }),
    append_to_page: async (wiki, path) =>
      refused(wiki, 'append_to_page', { path, content: 'x', create: true }),
    'a dry run of a batch': async (wiki, path) =>
      refused(wiki, 'commit_changes', {
        message: 'x',
        dry_run: true,
        changes: [{ op: 'write', path, content: 'x' }],
      }),
    'a batch': async (wiki, path) =>
      refused(wiki, 'commit_changes', { message: 'x', changes: [{ op: 'write', path, content: 'x' }] }),
    move_page: async (wiki, new_path) => refused(wiki, 'move_page', { path: 'Guides/Start', new_path }),
  };
  test.each(Object.entries(ways))('by %s', async (_, attempt) => {
    const wiki = await openTestWiki(inProcess, FILES);
    const before = await wiki.head();
    for (const name of REFUSED) await attempt(wiki, name);
    expect(await wiki.head()).toBe(before);
  });

  test('by put_attachment, which still repairs some names', async () => {
    const wiki = await openTestWiki(inProcess, FILES);
    const content = Buffer.from('{}').toString('base64');
    for (const path of [
      '.claude/settings.json',
      '.mcp.json',
      '.vscode/tasks.json',
      '.github/workflows/x.yml',
      '.husky/pre-commit.sh',
      '.obsidian/plugins/x/main.js',
      'Guides/A.PNG',
      'guides/b.png',
      `a${AROUND}gnp.exe`,
      'con.png',
    ]) {
      await refused(wiki, 'put_attachment', { path, content });
    }
    expect((await wiki.run('put_attachment', { path: 'What?.png', content })).path).toBe('What-.png');
  });

  test('by every operation, if git or another system reserves the name for git', async () => {
    const wiki = await openTestWiki(inProcess, FILES);
    const before = await wiki.head();
    const content = Buffer.from('{}').toString('base64');
    for (const name of KEPT_BY_GIT) {
      for (const path of [name, `a/${name}`, `${name}/x`]) {
        await ways.write_page?.(wiki, path);
        await ways.move_page?.(wiki, path);
        await refused(wiki, 'put_attachment', { path, content });
        const zip = { content: await zipOf({ [path]: 'x' }) };
        const imported = await wiki.run('import_wiki', zip).catch((error: { code: string }) => error.code);
        if (typeof imported === 'string') expect([path, imported]).toEqual([path, 'invalid_path']);
        else expect(imported).toMatchObject({ changed: false, ignored: [path] });
      }
    }
    expect(await wiki.head()).toBe(before);
  });

  test('by import_wiki, which lists each of them, and leaves out names that begin with a dot', async () => {
    const wiki = await openTestWiki(inProcess, FILES);
    const refusal = await wiki.refused('import_wiki', {
      content: await zipOf({
        'What?.md': 'x',
        'a*b.png': 'x',
        'fine.md': 'x',
        '.claude/settings.json': '{}',
      }),
    });
    expect(refusal.message).toMatch(
      /2 of 4 files cannot be imported.\n"What\?.md": .*"What" would do\n"a\*b.png"/,
    );
    await refused(wiki, 'import_wiki', { content: await zipOf({ 'guides/c.png': 'x' }) });
    const imported = await wiki.run('import_wiki', {
      content: await zipOf({ 'Fine.md': 'x', '.claude/settings.json': '{}', 'a/.gitattributes': 'x' }),
    });
    expect(imported.ignored).toEqual(['.claude/settings.json', 'a/.gitattributes']);
    expect(await wiki.git('ls-tree', '-r', '--name-only', 'main')).not.toContain('/.');
  });

  test('by restore_page and revert_commit', async () => {
    const wiki = await openTestWiki(inProcess, {
      'What?.md': 'x',
      '.vscode/tasks.json': '{}',
      'Home.md': 'x',
    });
    const first = (await wiki.head()) ?? '';
    const { version } = await wiki.run('read_page', { path: 'What?' });
    const deleted = await wiki.run('delete_page', { path: 'What?', version });
    await refused(wiki, 'restore_page', { path: 'What?', commit: first });
    await refused(wiki, 'revert_commit', { commit: deleted.commit });
    const settings = await wiki.run('get_attachment', { path: '.vscode/tasks.json' });
    const gone = await wiki.run('delete_attachment', { path: settings.path, version: settings.version });
    await refused(wiki, 'revert_commit', { commit: gone.commit });
  });

  test('with an error that suggests a good name', async () => {
    const wiki = await openTestWiki(inProcess, FILES);
    const question = await wiki.refused('write_page', { path: 'What? Why: "x"', content: 'x' });
    expect(question.data.suggestion).toBe('What Why - x');
    const home = await wiki.refused('write_page', { path: `ho${HIDDEN}me`, content: 'x' });
    expect(home.data.suggestion).toBe('home');
    const folder = await wiki.refused('write_page', { path: 'guides/New', content: 'x' });
    expect(folder.data.suggestion).toBe('Guides/New');
    expect(folder.message).toBe(
      'invalid_path: "guides/New" cannot be the name of a new page or file: "Guides" is there, which differs only in ' +
        'case or in what cannot be seen. Instead: "Guides/New". Nothing was changed. Choose another name, or use the ' +
        'page that is there.',
    );
  });

  test('also if two names of one batch are alike, unless one replaces the other', async () => {
    const wiki = await openTestWiki(inProcess, FILES);
    const two = ['Twin', 'twin'].map((path) => ({ op: 'write' as const, path, content: 'x' }));
    await refused(wiki, 'commit_changes', { message: 'x', changes: two });
    await wiki.run('move_page', { path: 'Home', new_path: 'HOME' });
    await wiki.run('move_page', { path: 'Guides/Start', new_path: 'Other' });
    expect((await wiki.paths()).toSorted()).toEqual(['HOME', 'Other']);
  });
});

describe('a page that has such a name already', () => {
  const odd = {
    'What?.md': '# Q\n',
    '.hidden/x.md': 'x\n',
    'home.md': 'a\n',
    'Home.md': '[[What?]]\n',
    'a*b/p.md': 'x',
  };

  test('is read, edited, moved away and deleted', async () => {
    const wiki = await openTestWiki(inProcess, odd);
    for (const path of ['What?', '.hidden/x', 'home', 'Home', 'a*b/p']) {
      await wiki.run('append_to_page', { path, content: 'more' });
      const { content, version } = await wiki.run('read_page', { path });
      expect(content).toContain('more');
      await wiki.run('write_page', { path, content: `${content}again\n`, version });
    }
    const moved = await wiki.run('move_page', { path: 'What?', new_path: 'What' });
    expect(moved.updated_pages).toEqual(['Home']);
    await wiki.run('move_page', { path: '.hidden/x', new_path: 'x' });
    await wiki.run('move_page', { path: 'home', new_path: 'Start' });
    const { version } = await wiki.run('read_page', { path: 'a*b/p' });
    await wiki.run('delete_page', { path: 'a*b/p', version });
    expect((await wiki.paths()).toSorted()).toEqual(['Home', 'Start', 'What', 'x']);
  });

  test('moves with its folder and back, beside names that differ only in case', async () => {
    const files = {
      'north/What?.md': '[[home]] [[a*b/p]]\n',
      'north/home.md': 'a\n',
      'north/Home.md': '![](c*d.png)\n',
      'north/a*b/p.md': 'x\n',
      'north/.obsidian/app.json': '{}',
      'north/c*d.png': 'x',
      'Links.md': '[[What?]] [[a*b/p|p]] ![](<north/c*d.png>)\n',
    };
    const wiki = await openTestWiki(inProcess, files);
    const tree = await wiki.git('rev-parse', 'HEAD^{tree}');
    const there = await wiki.run('move_page', { path: 'north/', new_path: 'far/south/' });
    expect((await filesOf(wiki)).toSorted()).toEqual(
      Object.keys(files)
        .map((file) => file.replace('north', 'far/south'))
        .toSorted(),
    );
    expect(await wiki.content('Links')).toBe('[[What?]] [[a*b/p|p]] ![](<far/south/c*d.png>)\n');
    for (const path of ['far/south/What?', 'far/south/Home', 'Links']) {
      expect((await wiki.run('get_links', { path })).broken).toEqual([]);
    }
    await wiki.run('revert_commit', { commit: there.commit ?? '' });
    expect(await wiki.git('rev-parse', 'HEAD^{tree}')).toBe(tree);
    await wiki.run('move_page', { path: 'north/', new_path: 'far/south/' });
    await wiki.run('move_page', { path: 'far/south/', new_path: 'north/' });
    expect(await wiki.git('rev-parse', 'HEAD^{tree}')).toBe(tree);
  });

  test('does not allow a folder such a name, or one like an existing name', async () => {
    const wiki = await openTestWiki(inProcess, {
      'north/What?.md': 'x\n',
      'north/home.md': 'a\n',
      'north/Home.md': 'c\n',
      'south/HOME.md': 'b\n',
      'west/Home.md': 'd\n',
      [`north/${'long/'.repeat(30)}p.md`]: 'x\n',
    });
    for (const new_path of ['a*b/', '.north/', 'south/', 'South/', `${'deeper/'.repeat(40)}`]) {
      await refused(wiki, 'move_page', { path: 'north/', new_path });
    }
    const twin = [{ op: 'move' as const, path: 'north/home', new_path: 'west/home' }];
    await refused(wiki, 'commit_changes', { message: 'x', changes: twin });
    await wiki.run('move_page', { path: 'north/', new_path: 'east/' });
    await refused(wiki, 'move_page', { path: 'east/What?', new_path: 'west/What?' });
  });

  test('does not hold up the move of a page that embeds such a file', async () => {
    const wiki = await openTestWiki(inProcess, {
      'a/Page.md': '![](<c*d.png>) ![](e.png)\n',
      'a/c*d.png': 'x',
      'a/e.png': 'x',
    });
    await wiki.run('move_page', { path: 'a/Page', new_path: 'b/Page' });
    expect((await wiki.git('ls-tree', '-r', '--name-only', 'main')).trim().split('\n')).toEqual([
      'a/c*d.png',
      'b/Page.md',
      'b/e.png',
    ]);
    expect((await wiki.run('get_links', { path: 'b/Page' })).broken).toEqual([]);
  });

  test('is a finding of check_wiki, once for each name', async () => {
    const wiki = await openTestWiki(inProcess, { ...odd, 'a*b/q.md': 'x', 'Fine/page.md': 'x' });
    const { findings, counts } = await wiki.run('check_wiki', { kinds: ['unportable_name'] });
    expect(counts).toEqual({ unportable_name: 5 });
    expect(findings.map(({ path, detail }) => `${path}: ${detail}`)).toEqual([
      '.hidden: As a name for all systems: a part of it begins with a dot, as the settings of other programs do. "hidden" would do.',
      'Home: It differs from "home.md" only in case or in what cannot be seen.',
      'What?: As a name for all systems: it holds one of < > : " | ? *, which Windows cannot hold. "What" would do.',
      'a*b: As a name for all systems: it holds one of < > : " | ? *, which Windows cannot hold. "a-b" would do.',
      'home: It differs from "Home.md" only in case or in what cannot be seen.',
    ]);
  });
});

test('two spellings of one name in Unicode, and a name with a blank that is no space, are findings', async () => {
  const wiki = await openTestWiki(inProcess, {
    'Caf\u00e9.md': 'a\n',
    'Cafe\u0301.md': 'b\n',
    ...{ 'Ordner u\u0308/x.png': 'x', 'Ordner \u00fc/y.png': 'y' },
    'Home\u2800.md': 'c\n',
    'Home.md': 'd\n',
    '\u2813\u2811\u2807\u2807\u2815\u2800\u283a.md': 'Braille\n',
  });
  const { findings } = await wiki.run('check_wiki', { kinds: ['unportable_name'] });
  expect(findings.map(({ path, detail }) => `${path}: ${detail}`)).toEqual([
    'Caf\u00e9: It differs from "Caf\u00e9.md" only in case or in what cannot be seen.',
    'Caf\u00e9: It differs from "Cafe\u0301.md" only in case or in what cannot be seen.',
    'Home: It differs from "Home\u2800.md" only in case or in what cannot be seen.',
    'Home\u2800: As a name for all systems: it holds a character that cannot be seen or that turns the text around. "Home" would do.',
    'Ordner u\u0308: It differs from "Ordner \u00fc" only in case or in what cannot be seen.',
    'Ordner \u00fc: It differs from "Ordner u\u0308" only in case or in what cannot be seen.',
  ]);
});

async function filesOf(wiki: TestWiki): Promise<string[]> {
  const listed = await wiki.git('ls-tree', '-r', '-z', '--name-only', 'main');
  return listed.split('\0').filter((file) => file !== '');
}

async function refused(wiki: TestWiki, ...[name, input]: Parameters<TestWiki['refused']>): Promise<void> {
  const error = await wiki.refused(name, input);
  expect({ input, code: error.code }).toEqual({ input, code: 'invalid_path' });
}
