import { describe, expect, test } from 'vitest';
import { fieldsIn, post } from '../../../../test/posting.ts';
import { openWritable } from '../../../../test/writable-site.ts';

describe('a page that changed while a person wrote', () => {
  const OLD = 'one\r\ntwo\r\nthree\r\nfour\r\n';

  async function withPage() {
    const opened = await openWritable();
    await opened.run('write_page', { path: 'Page', content: OLD });
    const append = (old_string: string, new_string: string) =>
      opened.run('edit_page', { path: 'Page', edits: [{ old_string, new_string }] });
    return { ...opened, append };
  }

  test('elsewhere in it: the form has both changes, and saves them after a look', async () => {
    const { site, race, append, bytes } = await withPage();
    const { status, text, again } = await race('Page', OLD.replace('four', 'mine'), () =>
      append('one', 'theirs'),
    );
    expect(status).toBe(409);
    expect(text).toContain('Both changes are in the text below');
    expect(text).toContain('<span class="author">Ada</span>');
    expect(text).toMatch(/<ins>[\s\S]*theirs/);
    expect(again.fields.content).toBe('theirs\r\ntwo\r\nthree\r\nmine\r\n');
    expect(bytes('Page').toString()).not.toContain('mine');
    expect((await post(site, again)).location).toBe('/main/Page');
    expect(bytes('Page').toString()).toBe('theirs\r\ntwo\r\nthree\r\nmine\r\n');
  });

  test('at the same place: the form has both sides, and is not saved with the marks in it', async () => {
    const { site, race, append, bytes } = await withPage();
    const { text, again } = await race('Page', OLD.replace('two', 'mine <b>'), () =>
      append('two', '</textarea>'),
    );
    expect(text).toContain('One place was changed by both');
    expect(again.fields.content).toBe(
      'one\r\n<<<<<<< yours\nmine <b>\r\n=======\n</textarea>\r\n>>>>>>> theirs\nthree\r\nfour\r\n',
    );
    expect(text.match(/<\/textarea>/g)).toHaveLength(3);
    const marked = await post(site, again);
    expect(marked.status).toBe(409);
    expect(marked.text).toContain('Lines of marks are still in the text');
    const content = 'one\nmine and theirs\nthree\nfour\n';
    const fields = { ...fieldsIn(marked.text), content, do: 'save' };
    expect((await post(site, { ...again, fields })).location).toBe('/main/Page');
    expect(bytes('Page').toString()).toBe('one\r\nmine and theirs\r\nthree\r\nfour\r\n');
  });

  test('to the very text that the person wrote: there is nothing to ask', async () => {
    const { race, append } = await withPage();
    const { status, location } = await race('Page', OLD.replace('two', 'same'), () => append('two', 'same'));
    expect([status, location]).toEqual([303, '/main/Page']);
  });

  test('and moved: the text goes to where the page is now, with what was written there', async () => {
    const { site, race, append, run, bytes, get } = await withPage();
    const { text, again } = await race('Page', OLD.replace('four', 'mine'), async () => {
      await append('one', 'theirs');
      await run('move_page', { path: 'Page', new_path: 'Archive/Moved' });
    });
    expect(text).toContain('The page moved while you wrote');
    expect(text).toContain('action="/main/Archive/Moved?view=edit"');
    const moved = { ...again, address: '/main/Archive/Moved?view=edit' };
    expect((await post(site, moved)).location).toBe('/main/Archive/Moved');
    expect(bytes('Archive/Moved').toString()).toBe('theirs\r\ntwo\r\nthree\r\nmine\r\n');
    expect((await get('/main/Page')).status).toBe(404);
  });

  test('and was deleted: saving again makes it again', async () => {
    const { site, race, run, content } = await withPage();
    const { status, text, again } = await race('Page', 'mine\n', async () => {
      const { page } = await run('view_page', { path: 'Page' });
      await run('delete_page', { path: 'Page', version: page?.version ?? '' });
    });
    expect(status).toBe(409);
    expect(text).toContain('The page was deleted while you wrote');
    expect((await post(site, again)).location).toBe('/main/Page');
    expect(await content('Page')).toBe('mine\n');
  });

  test('from nothing to a page: saving again replaces it, and says so', async () => {
    const { site, race, run, content } = await openWritable();
    const { status, text, again } = await race('New', 'mine\n', () =>
      run('write_page', { path: 'New', content: 'theirs\n' }),
    );
    expect(status).toBe(409);
    expect(text).toContain('Somebody made this page while you wrote. Below is your text: saving it replaces');
    expect(text).toMatch(/id="ui.theirs"[^>]*>\ntheirs\n/);
    expect((await post(site, again)).location).toBe('/main/New');
    expect(await content('New')).toBe('mine\n');
  });

  test('by the person, who went back to the form after saving it: the second text is saved after a look', async () => {
    const { site, formAt, bytes } = await withPage();
    const form = await formAt('Page');
    const first = OLD.replace('four', 'four, once');
    expect(
      (await post(site, { ...form, fields: { ...form.fields, content: first, do: 'save' } })).status,
    ).toBe(303);
    const second = first.replace('one', 'one, twice');
    const again = await post(site, { ...form, fields: { ...form.fields, content: second, do: 'save' } });
    expect(again.status).toBe(409);
    expect(again.text).toContain('Both changes are in the text below');
    await post(site, { ...form, fields: { ...fieldsIn(again.text), do: 'save' } });
    expect(bytes('Page').toString()).toBe(second);
  });

  test('again and again: no change is lost', async () => {
    const { site, race, append, bytes } = await withPage();
    const first = await race('Page', OLD.replace('four', 'mine'), () => append('one', '1'));
    await append('two', '2');
    const second = await post(site, first.again);
    expect(second.status).toBe(409);
    const fields = { ...fieldsIn(second.text), do: 'save' };
    expect((await post(site, { ...first.again, fields })).status).toBe(303);
    expect(bytes('Page').toString()).toBe('1\r\n2\r\nthree\r\nmine\r\n');
  });
});
