import { describe, expect, test } from 'vitest';
import { type Backend, openTestWiki } from '../test-wiki.ts';

/** edit_section and update_frontmatter. */
export function partsSuite(backend: Backend): void {
  describe('edit_section', () => {
    const text = [
      '# Guide',
      '## Setup',
      'one',
      '### Linux',
      'apt',
      '## Use',
      '```sh',
      '## Not a heading',
      '```',
      '### Linux',
      'run',
      '',
    ].join('\r\n');
    const edit = { path: 'P', heading: 'Setup', operation: 'append' as const, content: 'two' };

    test('changes the text under one heading, and keeps the line endings', async () => {
      const wiki = await openTestWiki(backend, { 'P.md': text });
      const edited = await wiki.run('edit_section', edit);
      expect(edited).toMatchObject({ path: 'P', changed: true, diff: expect.stringContaining('+two') });
      expect(await wiki.content('P')).toBe(text.replace('one\r\n', 'one\r\ntwo\r\n\r\n'));
      expect(await wiki.git('log', '-1', '--format=%s')).toBe('Edit P, section Setup');
    });

    test('takes a path of headings, and replaces, prepends and inserts', async () => {
      const wiki = await openTestWiki(backend, { 'P.md': text });
      await wiki.run('edit_section', {
        ...edit,
        heading: 'Use/Linux',
        operation: 'replace',
        content: "$& '$1'",
      });
      await wiki.run('edit_section', {
        ...edit,
        heading: 'Setup/Linux',
        operation: 'prepend',
        content: 'root',
      });
      await wiki.run('edit_section', {
        ...edit,
        heading: 'Use',
        operation: 'insert_before',
        content: '## Mid\nx',
      });
      await wiki.run('edit_section', {
        ...edit,
        heading: 'Use',
        operation: 'insert_after',
        content: '## End\ny',
      });
      expect((await wiki.content('P')).replaceAll('\r\n', '\n')).toBe(
        "# Guide\n## Setup\none\n### Linux\nroot\napt\n\n## Mid\nx\n\n## Use\n```sh\n## Not a heading\n```\n### Linux\n$& '$1'\n\n## End\ny\n",
      );
    });

    test('lists the paths of an ambiguous heading', async () => {
      const wiki = await openTestWiki(backend, { 'P.md': text });
      const error = await wiki.refused('edit_section', { ...edit, heading: 'linux' });
      expect(error.message).toBe(
        'ambiguous_match: Several headings of "P" are called "linux". Its matching headings: "Guide/Setup/Linux", "Guide/Use/Linux". Give one of these, or work on the whole page.',
      );
      expect(error.data.headings).toEqual(['Guide/Setup/Linux', 'Guide/Use/Linux']);
    });

    test('reports a missing heading, also if a part of it exists or it stands in code', async () => {
      const wiki = await openTestWiki(backend, { 'P.md': text, 'Plain.md': 'x\n' });
      for (const heading of ['Set', 'Not a heading', 'Setup/Use', 'Setup/Linux/', '##']) {
        expect((await wiki.refused('edit_section', { ...edit, heading })).code).toBe('no_match');
      }
      expect((await wiki.refused('edit_section', { ...edit, path: 'Plain' })).message).toBe(
        'no_match: The page "Plain" has no heading "Setup". It has no headings at all. Work on the whole page.',
      );
      expect(await wiki.content('P')).toBe(text);
    });

    test('drops no subsections unless asked', async () => {
      const wiki = await openTestWiki(backend, { 'P.md': text });
      const { version } = await wiki.run('read_page', { path: 'P' });
      const replace = { ...edit, operation: 'replace' as const };
      expect((await wiki.refused('edit_section', replace)).message).toBe(
        `would_truncate: The section "Setup" of "P" has 1 subsection that replacing it could drop: "Linux". The page is unchanged at version ${version}. Set include_subsections: false replaces only the text before the first of them, true replaces them too.`,
      );
      await wiki.run('edit_section', { ...replace, include_subsections: false });
      expect(await wiki.content('P')).toBe(text.replace('one\r\n', 'two\r\n\r\n'));
      await wiki.run('edit_section', { ...replace, content: '', include_subsections: true });
      expect(await wiki.content('P')).toBe(text.replace('one\r\n### Linux\r\napt\r\n', ''));
    });

    test('checks the version if one is given, and needs a page', async () => {
      const wiki = await openTestWiki(backend, { 'P.md': text });
      const { version } = await wiki.run('read_page', { path: 'P' });
      await wiki.run('edit_section', edit);
      expect((await wiki.refused('edit_section', { ...edit, version })).code).toBe('version_conflict');
      expect((await wiki.refused('edit_section', { ...edit, path: 'Q' })).code).toBe('not_found');
      const twice = { ...edit, request_id: 'once' };
      expect(await wiki.run('edit_section', twice)).toEqual(await wiki.run('edit_section', twice));
      expect((await wiki.content('P')).match(/two/g)).toHaveLength(2);
    });
  });

  describe('update_frontmatter', () => {
    const text = '\ufeff---\n# kept\nstatus: draft # why\ntags: [a,  b]\n---\n# P\n\nbody  \n';

    test('changes only the values that it names', async () => {
      const wiki = await openTestWiki(backend, { 'P.md': text });
      const set = { status: 'final', owner: 'Ada' };
      const updated = await wiki.run('update_frontmatter', { path: 'P', set, unset: ['nothing'] });
      expect(updated).toMatchObject({ path: 'P', changed: true });
      const expected = text.replace('draft', 'final').replace('b]\n', 'b]\nowner: Ada\n');
      expect(await wiki.git('show', 'main:P.md')).toBe(expected.slice(0, -1));
      expect((await wiki.run('read_page', { path: 'P' })).frontmatter).toEqual({ tags: ['a', 'b'], ...set });
      expect((await wiki.run('update_frontmatter', { path: 'P', set })).changed).toBe(false);
      await wiki.run('update_frontmatter', { path: 'P', unset: ['owner'], set: { status: 'draft' } });
      expect(await wiki.git('show', 'main:P.md')).toBe(text.slice(0, -1));
    });

    test('shows the line of invalid YAML', async () => {
      const wiki = await openTestWiki(backend, { 'P.md': '---\na: 1\nb: }\n---\nx\n' });
      const { version } = await wiki.run('read_page', { path: 'P' });
      const error = await wiki.refused('update_frontmatter', { path: 'P', set: { a: 2 } });
      expect(error.code).toBe('invalid_input');
      expect(error.text.happened).toContain('at line 3, "b: }", ');
      expect(error.text.now).toBe(`The page is unchanged at version ${version}.`);
      expect(error.text.next).toBe('Correct the lines between the two --- with edit_page.');
    });

    test('wants each key named once', async () => {
      const wiki = await openTestWiki(backend, { 'P.md': text });
      expect((await wiki.refused('update_frontmatter', { path: 'P' })).message).toBe(
        'invalid_input: Neither set nor unset names a key. Nothing was changed. Name each key once: in set with its value, or in unset to remove it.',
      );
      expect(
        (await wiki.refused('update_frontmatter', { path: 'P', set: { a: 1 }, unset: ['a'] })).text.happened,
      ).toBe('set and unset both name "a".');
      const stale = { path: 'P', set: { a: 1 }, version: '0'.repeat(40) };
      expect((await wiki.refused('update_frontmatter', stale)).code).toBe('version_conflict');
      expect((await wiki.refused('update_frontmatter', { path: 'Q', set: { a: 1 } })).code).toBe('not_found');
    });
  });
}
