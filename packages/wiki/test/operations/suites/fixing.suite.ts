import { describe, expect, test } from 'vitest';
import { type Backend, openTestWiki, type TestWiki } from '../test-wiki.ts';

/** fix_link, with what check_wiki answers. */
export function fixingSuite(backend: Backend): void {
  describe('fix_link', () => {
    test.each([
      ['[[Twn]]', 'Twn', '[[/A/Twin]]'],
      ['[[Twn#Part|shown]]', 'Twn', '[[/A/Twin#Part|shown]]'],
      ['[text](Twn.md#part)', 'Twn.md', '[text](/A/Twin.md#part)'],
      ['![[Twn]]', 'Twn', '![[/A/Twin]]'],
      ['[[Twin]]', 'Twin', '[[/A/Twin]]'],
      ['`[[Twn]]` [[Twn]]', 'Twn', '`[[Twn]]` [[/A/Twin]]'],
    ])('lets %s lead to the one page, in its style', async (written, target, expected) => {
      const wiki = await openTwins(backend, written);
      const asked = { path: 'Page', version: await versionOf(wiki), line: 3, target, to: 'A/Twin' };
      const seen = await wiki.run('fix_link', { ...asked, dry_run: true });
      expect(await wiki.content('Page')).toBe(pageWith(written));
      const done = await wiki.run('fix_link', asked);
      expect([done.diff, done.changed]).toEqual([seen.diff, true]);
      const content = await wiki.content('Page');
      expect(content.replace('[[A/', '[[/A/').replace('](A/', '](/A/')).toBe(pageWith(expected));
      expect((await wiki.run('get_links', { path: 'Page' })).links_to).toEqual(['A/Twin']);
      const kinds = ['broken_link', 'ambiguous_link'] as const;
      expect((await wiki.run('check_wiki', { kinds: [...kinds] })).findings).toEqual([]);
    });

    test.each([
      ['[[Twn]] and *[[Twn|some *words*]]*', 'Twn', 'Twn and *some *words**'],
      ['[text](Twn.md)', 'Twn.md', 'text'],
    ])('makes %s plain text', async (written, target, expected) => {
      const wiki = await openTwins(backend, written);
      await wiki.run('fix_link', { path: 'Page', version: await versionOf(wiki), line: 3, target });
      expect(await wiki.content('Page')).toBe(pageWith(expected));
    });

    test('refuses a changed page, a line without the link, a missing page, and an image as text', async () => {
      const wiki = await openTwins(backend, '![[Twn]]');
      const version = await versionOf(wiki);
      const asked = { path: 'Page', version, line: 3, target: 'Twn', to: 'A/Twin' };
      expect((await wiki.refused('fix_link', { ...asked, line: 1 })).code).toBe('no_match');
      expect((await wiki.refused('fix_link', { ...asked, to: 'None' })).code).toBe('not_found');
      expect((await wiki.refused('fix_link', { ...asked, to: undefined })).code).toBe('no_match');
      await wiki.run('append_to_page', { path: 'Page', content: 'more' });
      expect((await wiki.refused('fix_link', asked)).code).toBe('version_conflict');
    });
  });
}

function pageWith(line: string): string {
  return `# Page\n\n${line}\n`;
}

async function openTwins(backend: Backend, line: string): Promise<TestWiki> {
  const twin = '# Twin\n\n## Part\n';
  return openTestWiki(backend, { 'A/Twin.md': twin, 'B/Twin.md': twin, 'Page.md': pageWith(line) });
}

async function versionOf(wiki: TestWiki): Promise<string> {
  return (await wiki.run('read_page', { path: 'Page' })).version;
}
