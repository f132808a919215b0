import { describe, expect, test } from 'vitest';
import { type Backend, openTestWiki } from '../test-wiki.ts';

/** Names that links show, and broken links, after a rename. */
export function renamingSuite(backend: Backend): void {
  describe('a rename', () => {
    test('is shown by links that would still lead there by an alias', async () => {
      const wiki = await openTestWiki(backend, {
        'Old.md': '---\naliases: [Old, Nick]\n---\n',
        'Home.md': '---\nup: "[[Old]]"\n---\n[[Old]] [[Old|o]] [[Nick]] [[OLD]] ![[Old]]\n',
      });
      const input = { path: 'Old', new_path: 'x/New' };
      const dry = await wiki.run('move_page', { ...input, dry_run: true });
      const moved = await wiki.run('move_page', input);
      expect([dry.updated_pages, moved.updated_pages]).toEqual([['Home'], ['Home']]);
      expect(await wiki.content('Home')).toBe(
        '---\nup: "[[New]]"\n---\n[[New]] [[New|o]] [[Nick]] [[New]] ![[New]]\n',
      );
      expect(moved.retargeted).toBeUndefined();
    });

    test('in case alone is shown by links', async () => {
      const wiki = await openTestWiki(backend, {
        't/notes.md': '[[t/notes]] [[#a]]',
        'Home.md': '[[notes]] [[t/notes.md]] [x](t/notes.md) [[NOTES#a]] [r]\n\n[r]: ./t/notes.md\n',
        't/Near.md': '[n](notes.md) [[./notes]] [[Home]]',
      });
      await wiki.run('move_page', { path: 't/notes', new_path: 't/Notes' });
      expect(await wiki.content('Home')).toBe(
        '[[Notes]] [[Notes.md]] [x](t/Notes.md) [[Notes#a]] [r]\n\n[r]: ./t/Notes.md\n',
      );
      expect(await wiki.content('t/Near')).toBe('[n](Notes.md) [[./Notes]] [[Home]]');
      expect(await wiki.content('t/Notes')).toBe('[[Notes]] [[#a]]');
    });

    test('of a folder in case alone is shown by links that name it', async () => {
      const wiki = await openTestWiki(backend, {
        't/A.md': '[[t/B]] [b](B.md) [b](../t/B.md)',
        't/B.md': '![p](pic.png) ![[t/pic.png]]',
        't/pic.png': 'image',
        'Home.md': '[[t/A]] [a](t/A.md) ![p](t/pic.png) [[A]]',
      });
      const moved = await wiki.run('move_page', { path: 't/', new_path: 'T/' });
      expect(await wiki.content('Home')).toBe('[[A]] [a](T/A.md) ![p](T/pic.png) [[A]]');
      expect(await wiki.content('T/A')).toBe('[[B]] [b](B.md) [b](B.md)');
      expect(await wiki.content('T/B')).toBe('![p](pic.png) ![[pic.png]]');
      expect(moved.retargeted).toBeUndefined();
    });

    test.each([
      ['Home', 'HOME', 'home'],
      ['t/', 'T/', 't/New'],
      ['t/A', 'T/A', 't/New'],
    ])('of %j to %j in case alone leaves no room for %j in the same batch', async (path, new_path, back) => {
      const wiki = await openTestWiki(backend, { 't/A.md': 'a', 'Home.md': 'home' });
      const move = { op: 'move' as const, path, new_path };
      const write = { op: 'write' as const, path: back, content: 'x' };
      const refusal = await wiki.refused('commit_changes', { message: 'x', changes: [move, write] });
      expect(refusal.code).toBe('invalid_path');
    });

    test('in a batch leaves no room for two new names that are alike', async () => {
      const wiki = await openTestWiki(backend, { 'A.md': 'a' });
      for (const [one, other] of [
        ['Twin', 'twin'],
        ['New/One', 'new/Two'],
      ] as const) {
        const changes = [
          { op: 'move' as const, path: 'A', new_path: 'B' },
          ...[one, other].map((path) => ({ op: 'write' as const, path, content: 'x' })),
        ];
        const refusal = await wiki.refused('commit_changes', { message: 'x', changes });
        expect(refusal.code).toBe('invalid_path');
      }
    });

    test.each([
      '[[A]] [[A|text]] ![[A]] [[A#Part]] [[A#Part|a \\\\ b!]] x\n\n| [[A\\|t]] | [[A]] |\n|---|---|\n',
      '[a](A.md) [A](A.md) ![a](A.md)\n\n[a]: A.md\n',
    ])('to a name that no wikilink can hold, and back, leaves links as they were: %j', async (text) => {
      const wiki = await openTestWiki(backend, { 'n/A.md': 'a', 'n/Home.md': text, 'Far.md': '[[A]]' });
      for (const odd of ['n/x [y]', 'o/w[v]', 'n/[[z]]']) {
        await wiki.run('move_page', { path: 'n/A', new_path: odd });
        expect(await wiki.run('get_links', { path: odd })).toMatchObject({ linked_from: ['Far', 'n/Home'] });
        await wiki.run('move_page', { path: 'n/Home', new_path: 'Home' });
        await wiki.run('move_page', { path: 'Home', new_path: 'n/Home' });
        await wiki.run('move_page', { path: odd, new_path: 'n/A' });
        expect(await wiki.content('n/Home'), odd).toBe(text);
        expect(await wiki.content('Far'), odd).toBe('[[A]]');
      }
    });
  });

  describe('a link in a heading keeps the text that it showed, so that anchors lead where they led', () => {
    const brokenIn = async (wiki: Awaited<ReturnType<typeof openTestWiki>>) =>
      (await wiki.run('check_wiki', { kinds: ['broken_link', 'broken_anchor'] })).findings;

    test.each([
      ['## About [[A]]', 'About A', '## About [[Bee|A]]'],
      ['About [[A]]\n===', 'About A', 'About [[Bee|A]]\n==='],
      ['## See ![[A]] & [[A#H]]', 'See A A H', '## See ![[Bee|A]] & [[Bee#H|A#H]]'],
      ['## See [[A|text]] [[A\\|t]]', 'See text t', '## See [[Bee|text]] [[Bee\\|t]]'],
      ['## See [[A]] | [[A|a|b]]', 'See A a b', '## See [[Bee\\|A]] | [[Bee|a|b]]'],
      ['## See [A](A.md) [b [c]](<A.md> "(t)")', 'See A b c', '## See [A](Bee.md) [b [c]](<Bee.md> "(t)")'],
      ['## [![i](A.md)](A.md) [[A.md]]', 'i A md', '## [![i](Bee.md)](Bee.md) [[Bee.md|A.md]]'],
    ])('%j', async (heading, anchor, renamed) => {
      const slug = anchor.toLowerCase().replaceAll(' ', '-').replace('a-h', 'ah').replace('a-md', 'amd');
      const wiki = await openTestWiki(backend, {
        'A.md': '# H\n',
        'P.md': `${heading}\n`,
        'Q.md': `[[P#${anchor}]] ![[P#${anchor}]] [x](P.md#${slug})`,
      });
      expect(await brokenIn(wiki)).toEqual([]);
      await wiki.run('move_page', { path: 'A', new_path: 'Bee' });
      expect(await wiki.content('P')).toBe(`${renamed}\n`);
      expect(await brokenIn(wiki)).toEqual([]);
      await wiki.run('move_page', { path: 'Bee', new_path: 'A' });
      expect(await wiki.content('P')).toBe(`${heading}\n`);
      await wiki.run('move_page', { path: 'A', new_path: 'x (1) [y]' });
      expect(await brokenIn(wiki), await wiki.content('P')).toEqual([]);
      await wiki.run('move_page', { path: 'x (1) [y]', new_path: 'A' });
      expect(await brokenIn(wiki), await wiki.content('P')).toEqual([]);
    });

    test('also in a quote or a list, when a folder moves, and in a broken path', async () => {
      const text = '## See [[f/A]]\n\n> ## [[f/A]]\n\n- # [[f/A]]\n\n## To [[./No]]\n\n[[f/A]]\n';
      const wiki = await openTestWiki(backend, {
        'f/A.md': 'a',
        'A.md': 'other',
        'P.md': text,
        'Q.md': '[[P#See f A]] [x](P.md#see-fa) [[P#To No]] [[n/P#To No]]',
      });
      await wiki.run('move_page', { path: 'f/', new_path: 'g/' });
      await wiki.run('move_page', { path: 'P', new_path: 'n/P' });
      expect(await wiki.content('n/P')).toBe(
        '## See [[g/A|f/A]]\n\n> ## [[g/A|f/A]]\n\n- # [[g/A|f/A]]\n\n## To [[../No|./No]]\n\n[[g/A]]\n',
      );
      expect((await brokenIn(wiki)).filter(({ kind }) => kind === 'broken_anchor')).toEqual([]);
      await wiki.run('move_page', { path: 'n/P', new_path: 'P' });
      await wiki.run('move_page', { path: 'g/', new_path: 'f/' });
      expect(await wiki.content('P')).toBe(text);
    });

    test('and takes no anchor from another heading', async () => {
      const wiki = await openTestWiki(backend, {
        'A.md': 'a',
        'Other.md': 'o',
        'P.md': '## See [[Other]]\n\none\n\n## See [[A]]\n\ntwo\n\n## See Zed Other\n\nthree\n',
        'Q.md': '[[P#See Other]] [[P#See Zed Other]]',
      });
      await wiki.run('move_page', { path: 'Other', new_path: 'n/Zed' });
      await wiki.run('move_page', { path: 'A', new_path: 'Other' });
      const read = async (heading: string) =>
        (await wiki.run('read_page', { path: `[[P#${heading}]]` })).content;
      expect(await wiki.content('P')).toContain('## See [[Zed|Other]]\n\none\n\n## See [[Other|A]]');
      expect([await read('See Other'), await read('See A'), await read('See Zed Other')]).toEqual([
        expect.stringContaining('one'),
        expect.stringContaining('two'),
        expect.stringContaining('three'),
      ]);
    });
  });

  test('a rename to a name with a backtick rewrites no link that would become code, and reports it', async () => {
    const text = 'a `b [[A]] c\n\n`d` [[A]] [[A]] [[A|e]]\n\nf ` [g](A.md) [h](<A.md>)\n';
    const wiki = await openTestWiki(backend, { 'A.md': 'a', 'P.md': text });
    const moved = await wiki.run('move_page', { path: 'A', new_path: 'x`y' });
    expect(await wiki.content('P')).toBe(
      'a `b [[A]] c\n\n`d` [[x`y]] [[x`y]] [[x`y|e]]\n\nf ` [g](x%60y.md) [h](<A.md>)\n',
    );
    const lost = (link: string) => ({ page: 'P', link, old_target: 'A', new_target: null });
    expect(moved.retargeted).toEqual([lost('[[A]]'), lost('[h](<A.md>)')]);
  });

  test('a page that takes an alias as its name leaves the links by it with a path that no other page has', async () => {
    const wiki = await openTestWiki(backend, {
      'x/A.md': 'other',
      'y/A.md': '---\naliases: [Nick]\n---\n',
      ...{ 'Z.md': 'z', 'P.md': '[[Nick]]\n' },
    });
    await wiki.run('move_page', { path: 'Z', new_path: 'Nick' });
    expect(await wiki.content('P')).toBe('[[y/A|Nick]]\n');
  });

  test('links of a page that moves without its links stay, though the page moves to which they lead', async () => {
    const wiki = await openTestWiki(backend, { 'A.md': 'a', 'P.md': '[a](A.md)\n', 'Q.md': '[a](A.md)\n' });
    const done = await wiki.run('commit_changes', {
      message: 'x',
      changes: [
        { op: 'move', path: 'A', new_path: 'B' },
        { op: 'move', path: 'P', new_path: 'f/P', update_links: false },
      ],
    });
    expect(await wiki.content('f/P')).toBe('[a](A.md)\n');
    expect(await wiki.content('Q')).toBe('[a](B.md)\n');
    expect(done.retargeted).toEqual([{ page: 'f/P', link: '[a](A.md)', old_target: 'A', new_target: null }]);
  });

  test('a page that is not in UTF-8 keeps its bytes, and its links are reported', async () => {
    const bytes = Buffer.concat([Buffer.of(0xff), Buffer.from(' [[A]]\n')]);
    const wiki = await openTestWiki(backend, { 'A.md': 'a', 'P.md': bytes, 'Q.md': '[[A]]\n' });
    const before = await wiki.git('rev-parse', 'main:P.md');
    const moved = await wiki.run('move_page', { path: 'A', new_path: 'B' });
    expect(moved.retargeted).toEqual([{ page: 'P', link: '[[A]]', old_target: 'A', new_target: null }]);
    expect(await wiki.git('rev-parse', 'main:P.md')).toBe(before);
    expect(await wiki.content('Q')).toBe('[[B]]\n');
  });

  describe('a broken link that is a path from the folder of its page', () => {
    const broken =
      '[m](Missing.md) [[./Missing]] [d](deep/No.md) [o](../Out.md) [[../out/No#x|t]] [p](./Plan.md)';
    const found = async (wiki: Awaited<ReturnType<typeof openTestWiki>>) =>
      (await wiki.run('check_wiki', { kinds: ['broken_link'] })).total;

    test('names the same missing page when its page moves', async () => {
      const wiki = await openTestWiki(backend, { 'a/One.md': broken, 'b/x/Plan.md': 'x', 'b/x/Out.md': 'x' });
      const moved = await wiki.run('move_page', { path: 'a/One', new_path: 'b/x/One' });
      expect(moved.retargeted).toBeUndefined();
      expect(await wiki.content('b/x/One')).toBe(
        '[m](../../a/Missing.md) [[../../a/Missing]] [d](../../a/deep/No.md) [o](../../Out.md) [[../../out/No#x|t]] [p](../../a/Plan.md)',
      );
      await wiki.run('move_page', { path: 'b/x/One', new_path: 'a/One' });
      expect(await wiki.content('a/One')).toBe(broken);
    });

    test('goes along with the folder that moves, and leads to no page that is there already', async () => {
      const wiki = await openTestWiki(backend, { 'a/One.md': broken, 'b/Plan.md': 'other', 'c/T.md': 't' });
      await wiki.run('move_page', { path: 'a/', new_path: 'c/d/' });
      expect(await wiki.content('c/d/One')).toBe(
        '[m](Missing.md) [[./Missing]] [d](deep/No.md) [o](../../Out.md) [[../../out/No#x|t]] [p](./Plan.md)',
      );
      await wiki.run('move_page', { path: 'c/d/', new_path: 'a/' });
      expect(await wiki.content('a/One')).toBe(broken);
      const before = await found(wiki);
      const moved = await wiki.run('move_page', { path: 'a/', new_path: 'b/' });
      expect(await wiki.content('b/One')).toBe(broken.replace('./Plan', '../a/Plan'));
      expect(moved.retargeted).toBeUndefined();
      expect(await found(wiki)).toBe(before);
    });

    test('follows a folder through all that a batch does with it', async () => {
      const wiki = await openTestWiki(backend, { 'a/One.md': broken, 'b/Plan.md': 'other' });
      await wiki.run('commit_changes', {
        message: 'There and on',
        changes: [
          { op: 'move', path: 'a/', new_path: 'c/' },
          { op: 'move', path: 'c/', new_path: 'd/e/' },
          { op: 'move', path: 'd/e/One', new_path: 'One' },
        ],
      });
      expect(await wiki.content('One')).toBe(
        '[m](d/e/Missing.md) [[./d/e/Missing]] [d](d/e/deep/No.md) [o](Out.md) [[./out/No#x|t]] [p](d/e/Plan.md)',
      );
    });
  });
}
