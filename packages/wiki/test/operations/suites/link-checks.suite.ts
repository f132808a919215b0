import { describe, expect, test } from 'vitest';
import type { Output } from '../../../src/contract/operations.ts';
import { type Backend, openTestWiki } from '../test-wiki.ts';

/** The findings of check_wiki about links. */
export function linkChecksSuite(backend: Backend): void {
  describe('check_wiki of links', () => {
    const short = ({ findings }: Output<'check_wiki'>) =>
      findings.map(({ path, line, detail }) => `${path}:${line} ${detail}`);

    test('reports anchors that name no heading, block or element of their page', async () => {
      const wiki = await openTestWiki(backend, {
        'Guide.md':
          '# Guide\n\n## Set up: **quick**\n\nText. ^para\n\n## API\n### Errors\n## CLI\n### Errors\n<a id="old"></a>\n',
        'C# Notes.md': '# Part\n',
        'Good.md': [
          '[[Guide#Set up quick]] [[Guide#API#Errors]] [[guide#cli#errors|x]] [[Guide#^para]] [[C# Notes#Part]]',
          '[a](Guide.md#set-up-quick) [b](Guide.md#errors-1) [c](Guide.md#old) [d](Guide.md#API) [e](#own)',
          '',
          '# Own',
          '[[#Own]] [top](#top) [pdf](file.pdf#page=3) [[Guide#]]',
        ].join('\n'),
        'Bad.md': [
          '[[Guide#Set down]] [[Guide#Errors#API]] [[Guide#^none]] ![[Guide#set-up-quick]]',
          '[a](Guide.md#set-up-quik) [b](Guide.md#errors-2) [[#Gone]]',
        ].join('\n'),
        'file.pdf': 'x',
      });
      const checked = await wiki.run('check_wiki', { kinds: ['broken_anchor'] });
      expect(short(checked)).toEqual([
        'Bad:1 Guide has no heading "Set down"',
        'Bad:1 Guide has no heading "Errors#API"',
        'Bad:1 Guide has no block "^none"',
        'Bad:1 Guide has no heading "set-up-quick"',
        'Bad:2 Guide has no heading "set-up-quik"',
        'Bad:2 Guide has no heading "errors-2"',
        'Bad:2 Bad has no heading "Gone"',
      ]);
      expect(checked.findings[4]?.suggestions).toEqual(['Set up: quick']);
      await wiki.run('edit_section', {
        path: 'Guide',
        heading: 'Set up: quick',
        operation: 'append',
        content: '## Set down',
      });
      await wiki.run('append_to_page', { path: 'Guide', content: 'more ^none' });
      expect((await wiki.run('check_wiki', { kinds: ['broken_anchor'] })).total).toBe(5);
    });

    test('reports links that several pages answer to, with the others, and no path', async () => {
      const many = Object.fromEntries(
        Array.from({ length: 9 }, (_, part) => [`many/${part}/Same.md`, 'x\n']),
      );
      const wiki = await openTestWiki(backend, {
        ...many,
        'north/Notes.md': '---\naliases: [N]\n---\nx\n',
        'south/Notes.md': '---\naliases: [N]\n---\nx\n',
        'south/Plan.md': '[[Notes]] [[notes]] [[south/Notes]] [x](Notes.md) [[N]] [[Same]] [[Alone]]\n',
        'south/Alone.md': '[up](../north/Notes.md) [[/north/Notes]]\n',
      });
      const checked = await wiki.run('check_wiki', { kinds: ['ambiguous_link'] });
      expect(short(checked)).toEqual([
        'south/Plan:1 "Notes" leads to south/Notes, and could mean north/Notes',
        'south/Plan:1 "notes" leads to south/Notes, and could mean north/Notes',
        'south/Plan:1 "N" leads to south/Notes, and could mean north/Notes',
        'south/Plan:1 "Same" leads to many/0/Same, and could mean many/1/Same, many/2/Same, many/3/Same and 5 more',
      ]);
      expect(checked.findings[0]?.suggestions).toEqual(['north/Notes']);
      expect(checked.findings[3]?.suggestions).toHaveLength(3);
    });

    test('suggests a target for each broken link', async () => {
      const wiki = await openTestWiki(backend, {
        'en/Install.md': 'x\n',
        'de/Install.md': 'x\n',
        'de/Uninstall.md': 'x\n',
        'de/Linker.md': '[[Instal]] [x](/en/Install/) [[old/Install]] [y](Gone.md) [[Xyzzy]] ![[imag.png]]\n',
        'de/Gone.md': 'a text that is long enough to be known again\n',
        'de/image.png': 'x',
      });
      const clone = await wiki.run('read_page', { path: 'de/Gone' });
      await wiki.run('commit_changes', {
        message: 'Move without its links',
        changes: [
          { op: 'delete', path: 'de/Gone', version: clone.version },
          { op: 'write', path: 'Elsewhere/Renamed', content: clone.content },
        ],
      });
      const { findings } = await wiki.run('check_wiki', { kinds: ['broken_link'] });
      const suggested = Object.fromEntries(findings.map(({ detail, suggestions }) => [detail, suggestions]));
      expect(suggested.Instal?.slice(0, 2)).toEqual(['de/Install', 'de/Uninstall']);
      expect(suggested['/en/Install/']?.[0]).toBe('en/Install');
      expect(suggested['old/Install']?.slice(0, 2).toSorted()).toEqual(['de/Install', 'en/Install']);
      expect(suggested['Gone.md']).toEqual(['Elsewhere/Renamed']);
      expect(suggested.Xyzzy).toBeUndefined();
      expect(suggested['imag.png']).toEqual(['de/image.png']);
    });

    test('answers within the reply, with true totals', async () => {
      const names = Array.from(
        { length: 150 },
        (_, page) => `A page of a rather long name with number ${page}`,
      );
      const files = Object.fromEntries(names.map((name) => [`pages/${name}.md`, 'x\n']));
      const links = names
        .map((name) => `[[${name}0]] [[pages/${name}#No such heading on this page]]`)
        .join('\n');
      const wiki = await openTestWiki(backend, { ...files, 'Home.md': links });
      const checked = await wiki.run('check_wiki', { kinds: ['broken_link', 'broken_anchor'], limit: 200 });
      expect(JSON.stringify(checked).length).toBeLessThanOrEqual(40_000);
      expect(checked.total).toBe((checked.counts.broken_link ?? 0) + (checked.counts.broken_anchor ?? 0));
      expect(checked.counts.broken_anchor).toBe(150);
      let seen = checked.findings.length;
      let cursor = checked.next_cursor;
      while (cursor !== null) {
        const query = { kinds: ['broken_link' as const, 'broken_anchor' as const], limit: 200, cursor };
        const part = await wiki.run('check_wiki', query);
        seen += part.findings.length;
        cursor = part.next_cursor;
      }
      expect(seen).toBe(checked.total);
    });
  });
}
