import { describe, expect, test } from 'vitest';
import { zipOf } from '../archives.ts';
import { type Backend, openTestWiki } from '../test-wiki.ts';

/** The effects of writes on the links of other pages. */
export function linksSuite(backend: Backend): void {
  describe('a link that names several pages', () => {
    test('leads to the one in the folder of its page', async () => {
      const wiki = await openTestWiki(backend, {
        'north/Notes.md': 'n',
        'south/Notes.md': 's',
        'south/Plan.md': '[[Notes]]',
      });
      expect((await wiki.run('get_links', { path: 'south/Plan' })).links_to).toEqual(['south/Notes']);
      expect((await wiki.run('get_links', { path: 'north/Notes' })).linked_from).toEqual([]);
      expect((await wiki.run('get_links', { path: 'south/Notes' })).linked_from).toEqual(['south/Plan']);
      const orphans = await wiki.run('check_wiki', { kinds: ['orphan'] });
      expect(orphans.findings.map(({ path }) => path)).toEqual(['north/Notes', 'south/Plan']);
    });
  });

  describe('get_links', () => {
    test('shows the beginning of an endless link, and says that something is cut', async () => {
      const wiki = await openTestWiki(backend, {
        'Home.md': `[x](${'a'.repeat(100_000)})\n\n[[Gone]]\n`,
      });
      const { broken, truncated } = await wiki.run('get_links', { path: 'Home' });
      expect(broken).toEqual([
        { target: `${'a'.repeat(400)}...`, line: 1 },
        { target: 'Gone', line: 3 },
      ]);
      expect(truncated).toBe(true);
    });
  });

  describe('a move', () => {
    test('rewrites no link that led to another page of the same name', async () => {
      const wiki = await openTestWiki(backend, {
        'north/Notes.md': 'n',
        'north/Plan.md': '[[Notes]]',
        'south/Notes.md': 's',
        'south/Plan.md': '[[Notes]]',
      });
      const moved = await wiki.run('move_page', { path: 'north/Notes', new_path: 'north/Journal' });
      expect(moved.updated_pages).toEqual(['north/Plan']);
      expect(moved.retargeted).toBeUndefined();
      expect(await wiki.content('south/Plan')).toBe('[[Notes]]');
      expect(await wiki.content('north/Plan')).toBe('[[Journal]]');
    });

    test('rewrites a link that a page nearer by would take over, and takes the shortest form that holds', async () => {
      const wiki = await openTestWiki(backend, {
        'en/guide/Setup.md': 'en',
        'en/start/Intro.md': '[[Setup]] [[Setup|here]] ![[Setup#Part]]',
        'ko/Setup.md': 'ko',
        'ko/Intro.md': '[[Setup]]',
      });
      const moved = await wiki.run('move_page', { path: 'ko/Setup', new_path: 'en/start/Setup' });
      expect(await wiki.content('en/start/Intro')).toBe(
        '[[guide/Setup]] [[guide/Setup|here]] ![[guide/Setup#Part]]',
      );
      expect(await wiki.content('ko/Intro')).toBe('[[start/Setup]]');
      expect(moved.updated_pages).toEqual(['en/start/Intro', 'ko/Intro']);
    });

    test('keeps where the links of the moved page itself lead', async () => {
      const wiki = await openTestWiki(backend, {
        'north/Notes.md': 'n',
        'south/Notes.md': 's',
        'south/Plan.md': '[[Notes]] [n](Notes.md)',
      });
      await wiki.run('move_page', { path: 'south/Plan', new_path: 'north/Plan' });
      expect(await wiki.content('north/Plan')).toBe('[[south/Notes]] [n](../south/Notes.md)');
    });

    test('without update_links reports every link that leads elsewhere, also as a dry run', async () => {
      const wiki = await openTestWiki(backend, {
        'A.md': 'a',
        'x/B.md': 'b',
        'Home.md': '[[A]] [[A|a]] [a](A.md) [[B]]',
      });
      const input = { path: 'A', new_path: 'B', update_links: false };
      const dry = await wiki.run('move_page', { ...input, dry_run: true });
      const moved = await wiki.run('move_page', input);
      expect(moved.retargeted).toEqual([
        { page: 'Home', link: '[[A]]', old_target: 'A', new_target: null },
        { page: 'Home', link: '[[A|a]]', old_target: 'A', new_target: null },
        { page: 'Home', link: '[a](A.md)', old_target: 'A', new_target: null },
        { page: 'Home', link: '[[B]]', old_target: 'x/B', new_target: 'B' },
      ]);
      expect(moved.retargeted_total).toBe(4);
      expect(dry.retargeted).toEqual(moved.retargeted);
      expect(await wiki.content('Home')).toBe('[[A]] [[A|a]] [a](A.md) [[B]]');
    });

    test('reports a broken link that the new name takes over', async () => {
      const wiki = await openTestWiki(backend, { 'A.md': 'a', 'Home.md': '[[New]] [[A]]' });
      const moved = await wiki.run('move_page', { path: 'A', new_path: 'sub/New' });
      expect(moved.retargeted).toEqual([
        { page: 'Home', link: '[[New]]', old_target: null, new_target: 'sub/New' },
      ]);
      expect(await wiki.content('Home')).toBe('[[New]] [[New]]');
    });

    test('takes a name with $ as it is', async () => {
      const wiki = await openTestWiki(backend, { 'A.md': 'a', 'Home.md': '[[A]] [a](A.md) x' });
      await wiki.run('move_page', { path: 'A', new_path: "$& $1 $' $`" });
      expect(await wiki.content('Home')).toContain("[[$& $1 $' $`]] [a](");
      expect((await wiki.run('get_links', { path: 'Home' })).links_to).toEqual(["$& $1 $' $`"]);
    });

    test('of a folder moves all that is in it, in one commit, with every link right', async () => {
      const files = {
        'Home.md': '[[a/One]] [two](a/deep/Two.md) ![[pic.png]] [[Out]]',
        'a/One.md': '[[Two]] [out](../Out.md) [o](deep/Two.md)',
        'a/deep/Two.md': '[[One]] ![p](../pic.png)',
        'a/pic.png': 'image',
        'Out.md': '[[One]]',
      };
      const wiki = await openTestWiki(backend, files);
      const head = await wiki.head();
      const input = { path: 'a/', new_path: 'b/c/' };
      const dry = await wiki.run('move_page', { ...input, dry_run: true });
      expect(await wiki.head()).toBe(head);
      const moved = await wiki.run('move_page', { ...input, request_id: 'folder' });
      expect(moved).toMatchObject({ path: 'b/c/', previous_path: 'a/', changed: true, version: null });
      expect(moved.updated_pages).toEqual(['Home', 'b/c/One']);
      expect([dry.updated_pages, dry.updated_total]).toEqual([moved.updated_pages, moved.updated_total]);
      expect(await wiki.paths()).toEqual(['Home', 'Out', 'b/c/One', 'b/c/deep/Two']);
      expect(await wiki.content('Home')).toBe('[[One]] [two](b/c/deep/Two.md) ![[pic.png]] [[Out]]');
      expect(await wiki.content('b/c/One')).toBe('[[Two]] [out](../../Out.md) [o](deep/Two.md)');
      expect(await wiki.content('b/c/deep/Two')).toBe(files['a/deep/Two.md']);
      expect(await wiki.git('show', 'main:b/c/pic.png')).toBe('image');
      expect(await wiki.git('rev-parse', 'main^')).toBe(head);
      expect(await wiki.run('move_page', { ...input, request_id: 'folder' })).toEqual(moved);
    });

    test('of a folder is refused into itself, onto pages, from nowhere, and with one slash alone', async () => {
      const wiki = await openTestWiki(backend, { 'a/One.md': '1', 'b/One.md': '2' });
      const code = async (input: object) => (await wiki.refused('move_page', input)).code;
      expect(await code({ path: 'a/', new_path: 'a/x/' })).toBe('invalid_path');
      expect(await code({ path: 'a/', new_path: 'b/' })).toBe('already_exists');
      expect(await code({ path: 'c/', new_path: 'd/' })).toBe('not_found');
      expect(await code({ path: 'a/', new_path: 'd' })).toBe('invalid_input');
      expect(await code({ path: 'a/', new_path: '../d/' })).toBe('invalid_path');
      expect(await wiki.run('move_page', { path: 'a/', new_path: 'a/' })).toMatchObject({ changed: false });
    });
  });

  describe('links of other pages that lead elsewhere', () => {
    const files = {
      'far/Notes.md': 'far',
      'Home.md': '[[Notes]] [[New|n]] [new](near/New.md)',
      'near/Plan.md': '[[Notes]]',
    };

    test('are reported of a new page that takes the name over, and of its deletion and return', async () => {
      const wiki = await openTestWiki(backend, files);
      expect((await wiki.write('near/New', 'x')).retargeted).toEqual([
        { page: 'Home', link: '[[New|n]]', old_target: null, new_target: 'near/New' },
        { page: 'Home', link: '[new](near/New.md)', old_target: null, new_target: 'near/New' },
      ]);
      const taken = [
        { page: 'near/Plan', link: '[[Notes]]', old_target: 'far/Notes', new_target: 'near/Notes' },
      ];
      const given = [{ ...taken[0], old_target: 'near/Notes', new_target: 'far/Notes' }];
      const appended = { path: 'near/Notes', content: 'x [[New]]', request_id: 'append' };
      const made = await wiki.run('append_to_page', appended);
      expect([made.retargeted, made.retargeted_total]).toEqual([taken, 1]);
      const deleted = await wiki.run('delete_page', { path: 'near/Notes', version: made.version ?? '' });
      expect(deleted.retargeted).toEqual(given);
      const back = await wiki.run('restore_page', { path: 'near/Notes', commit: made.commit ?? '' });
      expect(back.retargeted).toEqual(taken);
      const reverted = await wiki.run('revert_commit', { commit: back.commit ?? '', dry_run: true });
      expect(reverted.retargeted).toEqual(given);
      expect((await wiki.run('revert_commit', { commit: back.commit ?? '' })).retargeted).toEqual(given);
      expect(await wiki.run('append_to_page', appended)).toEqual(made);
      expect(await wiki.content('near/Plan')).toBe('[[Notes]]');
    });

    test('are reported of an import, also as a dry run', async () => {
      const wiki = await openTestWiki(backend, files);
      const input = { content: await zipOf({ 'near/Notes.md': 'near', 'near/Other.md': '[[Notes]]' }) };
      const retargeted = [
        { page: 'near/Plan', link: '[[Notes]]', old_target: 'far/Notes', new_target: 'near/Notes' },
      ];
      for (const dry_run of [true, false]) {
        expect(await wiki.run('import_wiki', { ...input, dry_run })).toMatchObject({
          retargeted,
          retargeted_total: 1,
        });
      }
    });

    test('are reported of an alias that comes or goes', async () => {
      const wiki = await openTestWiki(backend, { 'A.md': 'a\n', 'Home.md': '[[Nick]]' });
      const report = { page: 'Home', link: '[[Nick]]', old_target: null, new_target: 'A' };
      const set = await wiki.run('update_frontmatter', { path: 'A', set: { aliases: ['Nick'] } });
      expect(set.retargeted).toEqual([report]);
      const edit = { path: 'A', edits: [{ old_string: 'Nick', new_string: 'Mick' }] };
      const gone = [{ ...report, old_target: 'A', new_target: null }];
      expect((await wiki.run('edit_page', { ...edit, dry_run: true })).retargeted).toEqual(gone);
      expect((await wiki.run('edit_page', edit)).retargeted).toEqual(gone);
    });

    test('are reported of an attachment that comes or goes', async () => {
      const wiki = await openTestWiki(backend, { 'far/a.png': 'x', 'near/P.md': '![[a.png]]' });
      const content = Buffer.from('y').toString('base64');
      const put = await wiki.run('put_attachment', { path: 'near/a.png', content });
      const report = {
        page: 'near/P',
        link: '![[a.png]]',
        old_target: 'far/a.png',
        new_target: 'near/a.png',
      };
      expect(put.retargeted).toEqual([report]);
      const input = { path: 'near/a.png', version: put.version ?? '' };
      const given = { ...report, old_target: 'near/a.png', new_target: 'far/a.png' };
      expect((await wiki.run('delete_attachment', input)).retargeted).toEqual([given]);
    });

    test('are left out if there are none, and counted in full if the list is cut', async () => {
      const wiki = await openTestWiki(backend, { 'Home.md': '[[New]] '.repeat(1_000), 'Other.md': 'x' });
      expect(await wiki.run('append_to_page', { path: 'Other', content: 'y' })).not.toHaveProperty(
        'retargeted',
      );
      const made = await wiki.write('New', 'x');
      expect(made.retargeted_total).toBe(1_000);
      expect(made.retargeted?.length).toBeLessThan(1_000);
      expect(JSON.stringify(made).length).toBeLessThanOrEqual(40_000);
    });
  });
}
