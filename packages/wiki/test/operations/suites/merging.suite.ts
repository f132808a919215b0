import { describe, expect, test } from 'vitest';
import { type Backend, type Files, openTestWiki } from '../test-wiki.ts';

/** Anchors and labels after a merge, and links that a caller writes in a batch. */
export function mergingSuite(backend: Backend): void {
  const merge = { op: 'merge' as const, path: 'A', new_path: 'B' };

  async function merged(files: Files, changes: object[] = [merge]) {
    const wiki = await openTestWiki(backend, files);
    const input = { message: 'Merge', changes: changes as (typeof merge)[] };
    const dry = await wiki.run('commit_changes', { ...input, dry_run: true });
    const done = await wiki.run('commit_changes', input);
    expect([dry.retargeted, dry.updated_pages]).toEqual([done.retargeted, done.updated_pages]);
    return { wiki, done };
  }

  describe('a merge of pages with equal headings', () => {
    test('keeps the target of a reference whose label is renamed, even on a page that moved before', async () => {
      const wiki = await openTestWiki(backend, {
        'ja/deep/B.md': 'See [the plan][ref].\n\n[ref]: ../Plan.md\n',
        'ja/Plan.md': 'x\n',
        'Plan.md': 'another\n',
        'north/Notes.md': 'See [it][ref].\n\n[ref]: ../Plan.md\n',
      });
      await wiki.run('commit_changes', {
        message: 'Merge',
        changes: [
          { op: 'move', path: 'ja/deep/B', new_path: 'q/B' },
          { op: 'merge', path: 'q/B', new_path: 'north/Notes' },
        ],
      });
      expect(await wiki.content('north/Notes')).toBe(
        'See [it][ref].\n\n[ref]: ../Plan.md\n\nSee [the plan][ref-2].\n\n[ref-2]: ../ja/Plan.md\n',
      );
    });

    test('names those of the merged page by the headings above them', async () => {
      const { wiki, done } = await merged({
        'A.md':
          '---\nx: 1\n---\n# About A\n\n## H\n\n[[#H]] [x](#h) [[#H|h]] [[A#H]] ![[#H]] [[#Own]] [[#None]]\n\n### Own\n',
        'B.md': '# B\n\n## H\n\n[[#H]] [x](#h) [[A#H]] [[#B#H]]\n',
        'P.md':
          '---\nup: "[[A#H|h]]"\n---\n[[A#H]] [[A#About A#H]] [x](A.md#h) [[B#H]] [[A#Own]] [[A]] ![[A#H]] [[A#None]]\n',
      });
      expect(await wiki.content('B')).toBe(
        '# B\n\n## H\n\n[[#H]] [x](#h) [[B#About A#H|A#H]] [[#B#H]]\n\n' +
          '# About A\n\n## H\n\n[[#About A#H|H]] [x](#h-1) [[#About A#H|h]] [[B#About A#H|A#H]] ![[#About A#H]] [[#Own]] [[#None]]\n\n### Own\n',
      );
      expect(await wiki.content('P')).toBe(
        '---\nup: "[[B#About A#H|h]]"\n---\n[[B#About A#H|A#H]] [[B#About A#H|A#About A#H]] [x](B.md#h-1) [[B#H]] [[B#Own|A#Own]] [[B|A]] ![[B#About A#H]] [[B#None|A#None]]\n',
      );
      expect(done.retargeted).toBeUndefined();
    });

    test('reports an anchor that nothing distinguishes from the other one', async () => {
      const { wiki, done } = await merged({
        'A.md': '## H\n\n[[#H]] [x](#h) [[#Two]]\n',
        'B.md': '# B\n\n## H\n\n## Two\n',
        'P.md': '[[A#H]] [x](A.md#h) [[A#Two]]\n',
      });
      expect(await wiki.content('P')).toBe('[[B#H|A#H]] [x](B.md#h-1) [[B#Two|A#Two]]\n');
      expect(await wiki.content('B')).toMatch(/\n\[\[#H\]\] \[x\]\(#h-1\) \[\[#Two\]\]\n$/);
      expect(done.retargeted).toEqual([
        { page: 'B', link: '[[#H]]', old_target: 'A#H', new_target: 'B#H' },
        { page: 'B', link: '[[#Two]]', old_target: 'A', new_target: 'B#Two' },
        { page: 'P', link: '[[B#H|A#H]]', old_target: 'A#H', new_target: 'B#H' },
        { page: 'P', link: '[[B#Two|A#Two]]', old_target: 'A', new_target: 'B#Two' },
      ]);
    });

    test('reports broken anchors of the other page that it makes lead somewhere', async () => {
      const { wiki, done } = await merged({
        'A.md': '## Foo\n\nx ^q1\n\n## Own\n\n<i id="e"></i>\n',
        'B.md':
          '---\naliases: [Nick]\n---\n# B\n\n[[#Foo]] [[#^q1]] [[#Own]] [[#None]] [[#B]]\n\n## Own\n\n<i id="e"></i>\n',
        'P.md': '[[B#Foo]] [x](B.md#foo) [[Nick#^q1]] [[B#Own]] [[B#None]] [[B]] [e](B.md#e)\n',
      });
      expect(await wiki.content('P')).toBe(
        '[[B#Foo]] [x](B.md#foo) [[Nick#^q1]] [[B#Own]] [[B#None]] [[B]] [e](B.md#e)\n',
      );
      const wasBroken = (page: string, link: string, anchor: string) => ({
        page,
        link,
        old_target: 'B',
        new_target: `B#${anchor}`,
      });
      expect(done.retargeted).toEqual([
        wasBroken('B', '[[#Foo]]', 'Foo'),
        wasBroken('B', '[[#^q1]]', '^q1'),
        wasBroken('P', '[[B#Foo]]', 'Foo'),
        wasBroken('P', '[x](B.md#foo)', 'foo'),
        wasBroken('P', '[[Nick#^q1]]', '^q1'),
      ]);
    });

    test('follows them through several merges and a move', async () => {
      const { wiki, done } = await merged(
        {
          'A.md': '# Of A\n## H\nx ^b1\n',
          'B.md': '# Of B\n## H\nx ^b1\n',
          'C.md': '# Of C\r\n## H\r\nx ^b1\r\n',
          'P.md': '[[A#H]] [[B#H]] [[C#H]] [[A#^b1]] [[B#^b1]] [[C#^b1]] [a](A.md#h)\n',
        },
        [merge, { op: 'merge', path: 'B', new_path: 'C' }, { op: 'move', path: 'C', new_path: 'D' }],
      );
      expect(await wiki.content('P')).toBe(
        '[[D#Of A#H|A#H]] [[D#Of B#H|B#H]] [[D#H]] [[D#^b1-2|A#^b1]] [[D#^b1-3|B#^b1]] [[D#^b1]] [a](D.md#h-2)\n',
      );
      expect(done.retargeted).toBeUndefined();
    });

    test('is refused into a page that ends within code, which would swallow the other one', async () => {
      const wiki = await openTestWiki(backend, { 'A.md': '# A\n', 'B.md': '```\ncode\n' });
      const refused = await wiki.refused('commit_changes', { message: 'x', changes: [merge] });
      expect(refused.code).toBe('invalid_input');
    });

    test.each(['# B\n\n1. one\n2. two\n', '- item\n', 'x[^1]\n\n[^1]: foot\n'])(
      'is refused if code of the one would become a part of the last item of the other: %j',
      async (into) => {
        const code = '    password: [[N]]\n    [x](N.md)\n\nrest\n';
        const wiki = await openTestWiki(backend, { 'A.md': code, 'B.md': into, 'N.md': 'n' });
        const refused = await wiki.refused('commit_changes', { message: 'x', changes: [merge] });
        expect(refused.code).toBe('invalid_input');
        expect(refused.message).toContain('would become a part of');
        await wiki.run('append_to_page', { path: 'B', content: '# A\n' });
        await wiki.run('commit_changes', { message: 'x', changes: [merge] });
        expect((await wiki.run('get_links', { path: 'B' })).links_to).toEqual([]);
      },
    );
  });

  test('a merge escapes the bar of a link in any row of a table, and nowhere else', async () => {
    const table = '| a | b |\n|---|---|\n[[A]]\n| c | [[A]] |\n# [[A]]\n\n[[A]]\n';
    const { wiki } = await merged({
      'A.md': 'a\n',
      'B.md': 'b\n',
      'P.md': table,
      'Q.md': `> a|b\n> -|-\n> [[A]]\n`,
    });
    expect(await wiki.content('P')).toBe(
      '| a | b |\n|---|---|\n[[B\\|A]]\n| c | [[B\\|A]] |\n# [[B|A]]\n\n[[B|A]]\n',
    );
    expect(await wiki.content('Q')).toBe('> a|b\n> -|-\n> [[B\\|A]]\n');
  });

  test('a merge keeps what references and footnotes mean', async () => {
    const { wiki, done } = await merged({
      'A.md':
        '[x][1] [1] [1][] ![i][1] note[^1] [same] [T] \\[1] `[1]` [only there] [x][only there]\n\n- [x] task\n\n[1]: N.md "t"\n[same]: https://example.org\n[t]: https://example.org/a\n[mine]: N.md\n\n[^1]: Of A.\n[^2]: Not there.\n',
      'B.md':
        '[x][1] note[^1] [mine]\n\n[1]: https://example.org/b\n[1-2]: M.md\n[same]: https://example.org\n[T]: M.md\n[only there]: M.md\n[x]: M.md\n\n[^1]: Of B.\n',
      'N.md': 'n',
      'M.md': 'm',
    });
    expect(await wiki.content('B')).toBe(
      '[x][1] note[^1] [mine]\n\n[1]: https://example.org/b\n[1-2]: M.md\n[same]: https://example.org\n[T]: M.md\n[only there]: M.md\n[x]: M.md\n\n[^1]: Of B.\n\n' +
        '[x][1-3] [1][1-3] [1][1-3] ![i][1-3] note[^1-2] [same] [T][t-2] \\[1] `[1]` \\[only there] \\[x]\\[only there]\n\n- [x] task\n\n[1-3]: N.md "t"\n[same]: https://example.org\n[t-2]: https://example.org/a\n[mine-2]: N.md\n\n[^1-2]: Of A.\n[^2]: Not there.\n',
    );
    expect(done.retargeted).toBeUndefined();
  });

  test('a merge and a move reach every block of a footnote', async () => {
    const footnote = (label: string, reference: string, target: string) =>
      `note[^${label}]\n\n[^${label}]: one\n\n    second [[${target}]] [x](${target}.md) [x][${reference}]\n\n    - [[${target}]]\n\n[${reference}]: ${target}.md\n`;
    const wiki = await openTestWiki(backend, {
      'A.md': footnote('1', 'r', 'P'),
      'B.md': 'own[^1] [r]\n\n[^1]: Of B.\n\n[r]: Q.md\n',
      'P.md': 'p',
      'Q.md': 'q',
    });
    const moved = await wiki.run('move_page', { path: 'P', new_path: 'N' });
    expect(await wiki.content('A')).toBe(footnote('1', 'r', 'N'));
    expect(moved.updated_pages).toEqual(['A']);
    await wiki.run('commit_changes', { message: 'Merge', changes: [merge] });
    expect(await wiki.content('B')).toBe(
      `own[^1] [r]\n\n[^1]: Of B.\n\n[r]: Q.md\n\n${footnote('1-2', 'r-2', 'N')}`,
    );
  });

  describe('a merge makes no frontmatter of text', () => {
    test.each([
      ['a rule', '---\n\nIntro: see [[Q]]\n'],
      ['frontmatter that is never closed', '---\r\nx: [[Q]]\r\n'],
    ])('if the page begins with %s', async (_what, text) => {
      const { wiki, done } = await merged({
        'A.md': 'text [[P]]\n\n---\n\nrest [[P]]\n',
        'B.md': text,
        'P.md': '[[A]]',
        'Q.md': 'q',
      });
      const body = '\ntext [[P]]\n\n---\n\nrest [[P]]\n';
      const added = text.includes('\r') ? body.replaceAll('\n', '\r\n') : body;
      expect(await wiki.content('B')).toBe(`${text.includes('\r') ? '\r\n' : '\n'}${text}${added}`);
      const { links_to } = await wiki.run('get_links', { path: 'B' });
      expect(links_to).toEqual(['P', 'Q']);
      expect(done.retargeted).toBeUndefined();
    });

    test('if the body begins like one and the other page is empty', async () => {
      const { wiki } = await merged({
        'A.md': '---\nx: 1\n---\n\n---\naliases: [New]\n---\n[x][1]\n\n[1]: P.md\n',
        'B.md': '',
        'P.md': '[[New]]',
      });
      expect(await wiki.content('B')).toBe('\n---\naliases: [New]\n---\n[x][1]\n\n[1]: P.md\n');
      expect((await wiki.run('read_page', { path: 'B' })).frontmatter).toEqual({});
    });

    test('and renames labels there as elsewhere', async () => {
      const { wiki } = await merged({
        'A.md': '---\nx: 1\n---\n\n---\ntext [x][1]\n---\n\n[1]: P.md\n',
        'B.md': '[1]\n\n[1]: Q.md\n',
        'P.md': 'p',
        'Q.md': 'q',
      });
      expect(await wiki.content('B')).toBe('[1]\n\n[1]: Q.md\n\n---\ntext [x][1-2]\n---\n\n[1-2]: P.md\n');
    });
  });

  describe('a page that begins with a rule', () => {
    test.each([
      ['append_to_page', { content: '\n---\n\nmore' }],
      ['edit_section', { heading: 'H', operation: 'append', content: '\n---\n\nmore' }],
    ] as const)('is not made frontmatter of by %s', async (operation, input) => {
      const text = '---\n\nIntro: see [[Q]]\n\n# H\n';
      const wiki = await openTestWiki(backend, { 'B.md': text, 'Q.md': 'q' });
      const refused = await wiki.refused(operation, { path: 'B', ...input });
      expect(refused).toMatchObject({
        code: 'invalid_input',
        text: { next: expect.stringContaining('***') },
      });
      expect(await wiki.content('B')).toBe(text);
      await wiki.run(operation, { path: 'B', ...input, content: '\n***\n\nmore' });
      expect(await wiki.content('B')).toBe(`${text}\n***\n\nmore\n`);
    });

    test('takes frontmatter before it, and an empty page takes it from append_to_page', async () => {
      const wiki = await openTestWiki(backend, { 'B.md': '', 'C.md': '# H\n' });
      await wiki.run('append_to_page', { path: 'B', content: '---\nx: 1\n---\n' });
      const before = { operation: 'insert_before' as const, content: '---\nx: 1\n---\n' };
      await wiki.run('edit_section', { path: 'C', heading: 'H', ...before });
      for (const path of ['B', 'C'])
        expect((await wiki.run('read_page', { path })).frontmatter).toEqual({ x: 1 });
    });
  });

  test('a merge into a page that the batch writes keeps where the links of the other one lead', async () => {
    const { wiki, done } = await merged(
      { 'n/A.md': '[[A]] [[Near]]\n', 'n/Near.md': 'n', 'f/Near.md': 'f' },
      [
        { op: 'write', path: 'f/B', content: '[[Near]] new' },
        { ...merge, path: 'n/A', new_path: 'f/B' },
      ],
    );
    expect(await wiki.content('f/B')).toBe('[[Near]] new\n\n[[B|A]] [[n/Near]]\n');
    expect(done.retargeted).toBeUndefined();
  });

  describe('a batch that moves something', () => {
    test('does not rewrite links that the caller wrote in it, even if the same link was there before', async () => {
      const { wiki, done } = await merged(
        { 'n/A.md': '# A\n\n[[B]] old [[B|kept]]\n\n## Two\n\n[[B]] two\n', 'far/B.md': 'b' },
        [
          { op: 'edit', path: 'n/A', edits: [{ old_string: '[[B]] old', new_string: '[[B]] new' }] },
          { op: 'section', path: 'n/A', heading: 'Two', position: 'replace', content: '[[B]] new' },
          { op: 'move', path: 'n/A', new_path: 'k/A' },
          { op: 'write', path: 'k/B', content: 'near' },
        ],
      );
      expect(await wiki.content('k/A')).toBe('# A\n\n[[B]] new [[far/B|kept]]\n\n## Two\n\n[[B]] new\n');
      expect(done.retargeted).toBeUndefined();
    });

    test('reports a link written in it to a page that it moves or deletes', async () => {
      const { done } = await merged({ 'Old.md': 'o', 'Gone.md': 'g', 'P.md': '[[Old]] stood\n' }, [
        { op: 'write', path: 'New page', content: '[[Old]] [[Never]] [[New]] [[New page]]' },
        { op: 'append', path: 'P', content: '[old](Old.md#x) [[Gone]]' },
        { op: 'move', path: 'Old', new_path: 'New' },
        { op: 'delete', path: 'Gone', version: '7937c68fbcf7c484f2d5ce7801944416eedf0d2c' },
      ]);
      expect(done.retargeted).toEqual([
        { page: 'New page', link: '[[Old]]', old_target: 'Old', new_target: null },
        { page: 'P', link: '[old](Old.md#x)', old_target: 'Old', new_target: null },
        { page: 'P', link: '[[Gone]]', old_target: 'Gone', new_target: null },
      ]);
    });
  });
}
