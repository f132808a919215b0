import { describe, expect, test } from 'vitest';
import type { CallInput } from '../../../src/contract/operations.ts';
import { type Backend, openTestWiki, type TestWiki } from '../test-wiki.ts';

/** What check_wiki finds, and the operations that fix it. */
export function fixingSuite(backend: Backend): void {
  linksSuite(backend);
  mentionsSuite(backend);
  copiesSuite(backend);
}

function linksSuite(backend: Backend): void {
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

function mentionsSuite(backend: Backend): void {
  describe('an orphan page', () => {
    const orphan = '---\naliases: [baking oven]\n---\n# The Oven\n';
    const other =
      '# Kitchen\n\nUse the  oven, the `the oven` or [the oven](https://example.org).\n\n| a baking oven | b |\n| - | - |\n| A baking oven | b |\n';
    const files = {
      'A/Oven.md': orphan,
      'B/Oven.md': '# Other\n',
      'Kitchen.md': other,
      'List.md': '[[Kitchen]] [[B/Oven]] [[List]]\n',
    };

    test('is linked from where it is mentioned, and is none then', async () => {
      const wiki = await openTestWiki(backend, files);
      const orphans = async () =>
        (await wiki.run('check_wiki', { kinds: ['orphan'] })).findings.map(({ path }) => path);
      expect(await orphans()).toEqual(['A/Oven', 'List']);
      const { mentions, truncated } = await wiki.run('list_mentions', { path: 'A/Oven' });
      expect(truncated).toBe(false);
      expect(
        mentions.map(({ path, line, before, text, after }) => [path, line, before, text, after]),
      ).toEqual([
        ['Kitchen', 3, 'Use ', 'the  oven', ', the `the oven` or [the oven](https://example.org).'],
        ['Kitchen', 7, '| A ', 'baking oven', ' | b |'],
      ]);
      const [first, second] = mentions;
      const asked = { path: 'Kitchen', mention: true, to: 'A/Oven', version: first?.version ?? '' };
      const plan = await wiki.run('fix_link', {
        ...asked,
        line: 7,
        target: second?.text ?? '',
        dry_run: true,
      });
      expect([plan.diff.match(/^[-+].*$/gm), await wiki.content('Kitchen')]).toEqual([
        ['-| A baking oven | b |', '+| A [[A/Oven\\|baking oven]] | b |'],
        other,
      ]);
      const input = { ...asked, line: 3, target: 'the  oven', request_id: 'once' };
      const done = await wiki.run('fix_link', input);
      expect(await wiki.run('fix_link', input)).toEqual(done);
      expect(await wiki.content('Kitchen')).toBe(other.replace('the  oven', '[[A/Oven|the  oven]]'));
      expect(await orphans()).toEqual(['List']);
      expect((await wiki.git('diff', '--name-only', 'HEAD^', 'HEAD')).trim()).toBe('Kitchen.md');
      expect((await wiki.git('rev-list', '--count', 'HEAD')).trim()).toBe('2');
      const links = await wiki.run('get_links', { path: 'A/Oven' });
      expect([links.linked_from, (await wiki.run('get_links', { path: 'Kitchen' })).broken]).toEqual([
        ['Kitchen'],
        [],
      ]);
    });

    test('is mentioned in the order of paths, whenever the pages were written', async () => {
      const wiki = await openTestWiki(backend, { 'Oven.md': '# Oven\n' });
      for (const path of ['Last', 'In/Second', 'First']) {
        await wiki.run('write_page', { path, content: 'An oven.\n' });
        await wiki.run('list_pages', {});
      }
      const { mentions } = await wiki.run('list_mentions', { path: 'Oven' });
      expect(mentions.map(({ path }) => path)).toEqual(['First', 'In/Second', 'Last']);
    });

    test.each([
      [50, false],
      [51, true],
    ])('is mentioned on %i other pages, and the answer is cut: %s', async (count, truncated) => {
      const others = Array.from({ length: count }, (_, at) => [`On/${at}.md`, 'An oven.\n']);
      const wiki = await openTestWiki(backend, { 'Oven.md': '# Oven\n', ...Object.fromEntries(others) });
      const answer = await wiki.run('list_mentions', { path: 'Oven' });
      expect(answer.mentions).toHaveLength(50);
      expect(answer.truncated).toBe(truncated);
    });

    test('is not linked where nothing mentions it, on a changed page, or to a missing page', async () => {
      const wiki = await openTestWiki(backend, files);
      const { version } = await wiki.run('read_page', { path: 'Kitchen' });
      const asked = { path: 'Kitchen', mention: true, to: 'A/Oven', version, line: 3, target: 'the  oven' };
      const codes = async (change: Partial<CallInput<'fix_link'>>) =>
        (await wiki.refused('fix_link', { ...asked, ...change })).code;
      expect(await codes({ line: 4 })).toBe('no_match');
      expect(await codes({ target: 'the oven' })).toBe('no_match');
      expect(await codes({ to: undefined })).toBe('no_match');
      expect(await codes({ to: 'None' })).toBe('not_found');
      await wiki.run('append_to_page', { path: 'Kitchen', content: 'x' });
      expect(await codes({})).toBe('version_conflict');
      expect((await wiki.refused('list_mentions', { path: 'None' })).code).toBe('not_found');
    });
  });
}

function copiesSuite(backend: Backend): void {
  describe('a near-copy', () => {
    const text = Array.from({ length: 40 }, (_, at) => `word${at}`).join(' ');
    const linking = 'See [[B]], [[B#Part|it]], [b](B.md) and [[B#Gone]].\n';
    const files = {
      'Folder/A.md': `# A\n\n## Part\n\n${text}\n`,
      'B.md': `# A\n\n## Part\n\n${text} more\n\n## Gone\n`,
      'Links.md': linking,
    };

    test('goes, and the links to it lead to the page that is kept', async () => {
      const wiki = await openTestWiki(backend, files);
      const copies = async () =>
        (await wiki.run('check_wiki', { kinds: ['near_copy', 'broken_link'] })).findings;
      expect((await copies()).map(({ path, copies }) => [path, copies])).toEqual([
        ['B', ['Folder/A']],
        ['Folder/A', ['B']],
      ]);
      const [removed, kept] = [await versionOf(wiki, 'B'), await versionOf(wiki, 'Folder/A')];
      const asked = { path: 'B', version: removed, links_to: 'Folder/A', links_to_version: kept };
      const plan = await wiki.run('delete_page', { ...asked, dry_run: true });
      expect([plan.updated_pages, plan.updated_total, plan.broken_links]).toEqual([['Links'], 1, []]);
      expect(plan.difference?.match(/^[-+].*$/gm)).toEqual([`-${text} more`, '-', '-## Gone', `+${text}`]);
      expect(plan.retargeted?.map(({ link, new_target: now }) => [link, now])).toEqual([
        ['[[A#Gone|B#Gone]]', 'Folder/A'],
      ]);
      expect(await wiki.content('Links')).toBe(linking);
      const input = { ...asked, request_id: 'once' };
      const done = await wiki.run('delete_page', input);
      expect(await wiki.run('delete_page', input)).toEqual(done);
      const { commit, ...same } = plan;
      expect({ ...done, commit }).toEqual({ ...same, commit });
      expect(await wiki.content('Links')).toBe(
        'See [[A|B]], [[A#Part|it]], [b](Folder/A.md) and [[A#Gone|B#Gone]].\n',
      );
      expect(await copies()).toEqual([]);
      const changed = await wiki.git('diff', '--name-status', 'HEAD^', 'HEAD');
      expect(changed.trim().split('\n')).toEqual(['D\tB.md', 'M\tLinks.md']);
      expect((await wiki.git('rev-list', '--count', 'HEAD')).trim()).toBe('2');
      expect((await wiki.run('get_links', { path: 'Folder/A' })).linked_from).toEqual(['Links']);
    });

    test('stays if one of the two changed, if the other is missing, or if it is the page itself', async () => {
      const wiki = await openTestWiki(backend, files);
      const [version, other] = [await versionOf(wiki, 'B'), await versionOf(wiki, 'Folder/A')];
      const asked = { path: 'B', version, links_to: 'Folder/A', links_to_version: other };
      expect((await wiki.refused('delete_page', { ...asked, links_to: 'B' })).code).toBe('invalid_input');
      expect((await wiki.refused('delete_page', { ...asked, links_to: 'None' })).code).toBe('not_found');
      await wiki.run('append_to_page', { path: 'Folder/A', content: 'x' });
      expect((await wiki.refused('delete_page', asked)).code).toBe('version_conflict');
      await wiki.run('append_to_page', { path: 'B', content: 'x' });
      expect((await wiki.refused('delete_page', { ...asked, links_to_version: undefined })).code).toBe(
        'version_conflict',
      );
    });

    test('a dry run of a deletion says which links break, and deletes nothing', async () => {
      const wiki = await openTestWiki(backend, files);
      const asked = { path: 'B', version: await versionOf(wiki, 'B') };
      const plan = await wiki.run('delete_page', { ...asked, dry_run: true });
      expect([plan.broken_total, plan.updated_pages, await wiki.paths()]).toEqual([
        1,
        undefined,
        ['B', 'Folder/A', 'Links'],
      ]);
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

async function versionOf(wiki: TestWiki, path = 'Page'): Promise<string> {
  return (await wiki.run('read_page', { path })).version;
}
