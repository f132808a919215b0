import { describe, expect, test } from 'vitest';
import { noise } from '../../../../../labs/noise.ts';
import { newRequestId } from '../../../src/contract/ids.ts';
import { type Backend, openTestWiki } from '../test-wiki.ts';

/** A request is applied once, however often it is sent. */
export function requestsSuite(backend: Backend): void {
  describe('a request that is repeated', () => {
    test('answers as the first time and commits nothing', async () => {
      const wiki = await openTestWiki(backend);
      const request = { path: 'P', content: 'x', request_id: newRequestId(Date.now(), noise(10)) };
      const first = await wiki.run('append_to_page', request);
      await wiki.run('append_to_page', { path: 'P', content: 'other' });
      expect(await wiki.run('append_to_page', request)).toEqual(first);
      expect(await wiki.content('P')).toBe('x\nother\n');
    });

    test('a day later is neither applied nor reported as done', async () => {
      const wiki = await openTestWiki(backend);
      const request_id = newRequestId(Date.now() - 25 * 3_600_000, noise(10));
      const late = await wiki.refused('append_to_page', { path: 'P', content: 'x', request_id });
      expect(late.code).toBe('write_state_unknown');
      expect(await wiki.head()).toBeNull();
    });

    test('is recognized even if the page changed since', async () => {
      const wiki = await openTestWiki(backend);
      const create = { path: 'P', content: 'x', request_id: 'create-1' };
      const first = await wiki.run('write_page', create);
      const remove = { path: 'P', version: first.version ?? '', request_id: 'delete-1' };
      const deleted = await wiki.run('delete_page', remove);
      expect(await wiki.run('write_page', create)).toEqual(first);
      expect(await wiki.run('delete_page', remove)).toEqual(deleted);
      expect(await wiki.paths()).toEqual([]);
    });

    test('with other arguments is refused', async () => {
      const wiki = await openTestWiki(backend);
      await wiki.run('append_to_page', { path: 'P', content: 'x', request_id: '1' });
      for (const other of [
        { path: 'P', content: 'y', request_id: '1' },
        { path: 'Q', content: 'x', request_id: '1' },
      ]) {
        expect((await wiki.refused('append_to_page', other)).code).toBe('invalid_input');
      }
      expect((await wiki.refused('write_page', { path: 'P', content: 'x', request_id: '1' })).code).toBe(
        'invalid_input',
      );
      expect(await wiki.content('P')).toBe('x\n');
    });

    test('by another operation is refused, though its arguments are the same', async () => {
      const wiki = await openTestWiki(backend, { 'P.md': 'x\n', 'a.bin': 'x' });
      const version = (await wiki.run('read_page', { path: 'P' })).version;
      await wiki.run('delete_page', { path: 'P', version, request_id: '1' });
      const refused = await wiki.refused('delete_attachment', { path: 'P', version, request_id: '1' });
      expect(refused).toMatchObject({ code: 'invalid_input', text: { happened: /request/ } });
    });

    test('at the same time lands once', async () => {
      const wiki = await openTestWiki(backend);
      const request = { path: 'P', content: 'x', request_id: 'same' };
      const answers = await Promise.all(Array.from({ length: 5 }, () => wiki.run('append_to_page', request)));
      for (const answer of answers) expect(answer).toEqual(answers[0]);
      expect(await wiki.content('P')).toBe('x\n');
    });

    test('that was refused may be sent again when the reason is gone', async () => {
      const wiki = await openTestWiki(backend, { 'P.md': 'one\n' });
      const request = { path: 'P', edits: [{ old_string: 'two', new_string: '2' }], request_id: 'again' };
      expect((await wiki.refused('edit_page', request)).code).toBe('no_match');
      await wiki.run('append_to_page', { path: 'P', content: 'two' });
      expect((await wiki.run('edit_page', request)).changed).toBe(true);
    });
  });
}
