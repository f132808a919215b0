import { describe, expect, test } from 'vitest';
import { type Backend, openTestWiki } from '../test-wiki.ts';

/** read_page of what is not at the path that is asked for. */
export function findingSuite(backend: Backend): void {
  describe('read_page of what is not there', () => {
    test('names near pages if there is none at the path', async () => {
      const wiki = await openTestWiki(backend, { 'Guides/Getting Started.md': 'x' });
      const error = await wiki.refused('read_page', { path: 'guides/Geting Started' });
      expect([error.code, error.data.near]).toEqual(['not_found', ['Guides/Getting Started']]);
      expect(error.message).toContain('"Guides/Getting Started"');
    });

    test('suggests pages of the same folder first', async () => {
      const wiki = await openTestWiki(backend, {
        'north/Weekly Notes.md': 'x',
        'south/Weekly.md': 'x',
        'Weekly Notes 2.md': 'x',
      });
      const error = await wiki.refused('read_page', { path: 'south/Weekly Notes' });
      expect((error.data.near as string[]).slice(0, 2)).toEqual(['south/Weekly', 'north/Weekly Notes']);
    });

    test('names the commit that deleted a page, or moved it and where to', async () => {
      const wiki = await openTestWiki(backend, {
        'Old.md': 'a text that is long enough to be known again\n',
        'Gone.md': 'another text\n',
      });
      await wiki.run('move_page', { path: 'Old', new_path: 'Middle' });
      const { commit } = await wiki.run('move_page', { path: 'Middle', new_path: 'New/Place' });
      const { version } = await wiki.run('read_page', { path: 'Gone' });
      const deleted = await wiki.run('delete_page', { path: 'Gone', version });
      const gone = await wiki.refused('read_page', { path: 'Gone' });
      expect(gone.text.happened).toBe(`There is no page "Gone": commit ${deleted.commit} deleted it.`);
      expect(gone.data).toMatchObject({ gone: { commit: deleted.commit, moved_to: null } });
      expect(gone.text.next).toBe('get_history of "Gone" lists its versions; restore_page brings one back.');
      const moved = await wiki.refused('read_page', { path: 'Old' });
      expect(moved.data).toMatchObject({ near: ['New/Place'], gone: { moved_to: 'New/Place' } });
      expect(moved.text.happened).toMatch(/^There is no page "Old": commit [0-9a-f]{40} moved it\.$/);
      expect(moved.text.next).toBe('Read "New/Place", where it is now.');
      const once = await wiki.refused('read_page', { path: 'Middle' });
      expect(once.data).toMatchObject({ gone: { commit, moved_to: 'New/Place' } });
      // The same after the page came back and went again, and of a page that moved and was deleted then.
      await wiki.write('Gone', 'anew\n');
      expect(await wiki.content('Gone')).toBe('anew\n');
      const place = await wiki.run('read_page', { path: 'New/Place' });
      const last = await wiki.run('delete_page', { path: 'New/Place', version: place.version });
      const twice = await wiki.refused('read_page', { path: 'Old' });
      expect(twice.data).toMatchObject({ gone: { commit: last.commit, moved_to: null } });
      expect(twice.text.happened).toBe(
        `There is no page "Old": it moved to "New/Place", and commit ${last.commit} deleted it there.`,
      );
      expect((await wiki.refused('read_page', { path: 'Never' })).data.gone).toBeUndefined();
      const past = await wiki.refused('read_page', { path: 'Old', at: deleted.commit ?? '' });
      expect(past.data).toMatchObject({ gone: { moved_to: 'New/Place' } });
    });
  });

  describe('read_page of a link as it is written', () => {
    const files = {
      'Home.md': 'See [[Notes]].\n',
      'north/Notes.md': '---\naliases: [First]\n---\n# Notes\n\nNorth.\n',
      'south/Notes.md':
        '# Notes\n\nSouth. ^para\n\n## Part A\n\none\n\n### Deep\n\ntwo\n\n## Part B\n\nthree\n',
      'south/Plan.md': '# Plan\n\n## Now\n\n[[Notes]]\n',
      'south/sub/My Page.md': 'mine\n',
      'C# Guide.md': '# Set up\n',
      'south/chart.png': 'x',
    };
    const from = 'south/Plan';

    test('follows it from the page that holds it, and says where it leads', async () => {
      const wiki = await openTestWiki(backend, files);
      const led = async (path: string, more: object = {}) =>
        (await wiki.run('read_page', { path, ...more })).path;
      expect(await led('Notes', { from })).toBe('south/Notes');
      expect(await led('Notes', { from: 'north/Other' })).toBe('north/Notes');
      expect(await led('[[Notes]]', { from })).toBe('south/Notes');
      expect(await led('![[Notes|shown]]', { from })).toBe('south/Notes');
      expect(await led('First')).toBe('north/Notes');
      expect(await led('[[First]]', { from })).toBe('north/Notes');
      expect(await led('../north/Notes.md', { from })).toBe('north/Notes');
      expect(await led('[text](sub/My%20Page.md "title")', { from })).toBe('south/sub/My Page');
      expect(await led('[text](<sub/My Page.md>)', { from })).toBe('south/sub/My Page');
      expect(await led('sub/My%20Page.md', { from })).toBe('south/sub/My Page');
      expect(await led('/north/Notes')).toBe('north/Notes');
      expect(await led('C# Guide')).toBe('C# Guide');
      expect(await led('[[C# Guide#Set up]]')).toBe('C# Guide');
      expect(await led('south/Notes', { from: 'north/Notes' })).toBe('south/Notes');
    });

    test('answers the section or the block that its anchor names', async () => {
      const wiki = await openTestWiki(backend, files);
      const content = async (path: string, more: object = { from }) =>
        (await wiki.run('read_page', { path, ...more })).content;
      expect(await content('[[Notes#Part A]]')).toBe('## Part A\n\none\n\n### Deep\n\ntwo\n\n');
      expect(await content('Notes#Part A#Deep|shown')).toBe('### Deep\n\ntwo\n\n');
      expect(await content('[x](Notes.md#part-b)')).toBe('## Part B\n\nthree\n');
      expect(await content('[[Notes#^para]]')).toBe('South. ^para\n');
      expect(await content('[[#Now]]')).toBe('## Now\n\n[[Notes]]\n');
      expect(await content('[[Notes#Part A]]', { from, heading: 'Part B' })).toBe('## Part B\n\nthree\n');
      const section = await wiki.run('read_page', { path: '[[Notes#Part A]]', from });
      expect(section.outline.map(({ text }) => text)).toEqual(['Part A', 'Deep']);
      const missing = await wiki.refused('read_page', { path: '[[Notes#Part C]]', from });
      expect([missing.code, missing.data.path]).toEqual(['no_match', 'south/Notes']);
      expect(missing.data.headings).toContain('Notes/Part A');
      expect((await wiki.refused('read_page', { path: '[[Notes#^none]]', from })).code).toBe('no_match');
    });

    test('says what is wrong with one that leads to no page', async () => {
      const wiki = await openTestWiki(backend, files);
      const missed = await wiki.refused('read_page', { path: '[[Note]]', from });
      expect([missed.code, missed.text.happened]).toEqual(['not_found', 'There is no page "Note".']);
      expect((missed.data.near as string[]).slice(0, 2)).toEqual(['south/Notes', 'north/Notes']);
      const file = await wiki.refused('read_page', { path: '![[chart.png]]', from });
      expect([file.code, file.data.path]).toEqual(['not_found', 'south/chart.png']);
      expect((await wiki.refused('read_page', { path: '../None', from })).code).toBe('not_found');
      expect((await wiki.refused('read_page', { path: '#Now' })).code).toBe('not_found');
    });

    test.each(['./Gone.md', '/n/Gone', 'Gone.md', '[h](Gone.md)', '[[Gone]]', 'sub/../Gone', '../n/Gone'])(
      'names the commit that deleted the page that %s leads to',
      async (path) => {
        const wiki = await openTestWiki(backend, { 'n/Plan.md': 'x', 'n/Gone.md': 'y' });
        const { commit } = await wiki.run('delete_page', {
          path: 'n/Gone',
          version: (await wiki.run('read_page', { path: 'n/Gone' })).version,
        });
        const missed = await wiki.refused('read_page', { path, from: 'n/Plan' });
        expect(missed.text.happened).toBe(`There is no page "n/Gone": commit ${commit} deleted it.`);
      },
    );

    test('sees what was written just before, and the state of the commit that is asked for', async () => {
      const wiki = await openTestWiki(backend, files);
      const at = (await wiki.head()) ?? '';
      await wiki.write('south/sub/New', '---\naliases: [Newest]\n---\nnew\n');
      expect((await wiki.run('read_page', { path: '[[Newest]]' })).path).toBe('south/sub/New');
      expect((await wiki.refused('read_page', { path: '[[Newest]]', at })).code).toBe('not_found');
    });
  });
}
