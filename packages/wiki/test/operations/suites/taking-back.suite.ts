import { describe, expect, test } from 'vitest';
import type { CallInput } from '../../../src/contract/operations.ts';
import { slowness } from '../../machine-speed.ts';
import { type Backend, openTestWiki } from '../test-wiki.ts';

/** move_page right after the move that it takes back. */
export function takingBackSuite(backend: Backend): void {
  describe('a move', () => {
    test('that takes the one before it back restores every byte', async () => {
      const files = {
        'a/Home.md': 'See [[Notes]] and [the plan](../c/Plan.md).\n',
        'a/Other.md': 'Also [[Notes#Top]] and [[Missing]].\n',
        'a/Up.md': '---\nup: "[[Notes]]"\n---\n## On [[Notes]]\n',
        'b/deep/Notes.md': '# Top\n',
        'c/Plan.md': 'Up to [home](../a/Home.md) and [[Notes]].\n',
      };
      const wiki = await openTestWiki(backend, files);
      const tree = () => wiki.git('rev-parse', 'main^{tree}');
      const before = await tree();
      await wiki.run('move_page', { path: 'c/Plan', new_path: 'a/Notes' });
      expect(await wiki.content('a/Home')).toBe('See [[deep/Notes]] and [the plan](Notes.md).\n');
      const input = { path: 'a/Notes', new_path: 'c/Plan' };
      const dry = await wiki.run('move_page', { ...input, dry_run: true });
      const back = await wiki.run('move_page', input);
      expect(await tree()).toBe(before);
      expect([dry.updated_pages, back.updated_pages]).toEqual([
        ['a/Home', 'a/Other', 'a/Up'],
        ['a/Home', 'a/Other', 'a/Up'],
      ]);

      await wiki.run('move_page', { path: 'c/', new_path: 'a/x/' });
      await wiki.run('move_page', { path: 'a/x/', new_path: 'c/' });
      expect(await tree()).toBe(before);

      // Nothing is taken back once something else happened.
      await wiki.run('move_page', { path: 'c/Plan', new_path: 'a/Notes' });
      await wiki.write('c/Else', 'Something else.\n');
      await wiki.run('move_page', input);
      expect(await wiki.content('a/Other')).toBe('Also [[deep/Notes#Top]] and [[Missing]].\n');
    });

    test('and back restores every byte of many more pages than the way back writes, and no byte if one was edited', async () => {
      const linking = Array.from({ length: 120 }, (_, at) => [`a/P${at}.md`, 'See [[Notes]].\n']);
      const wiki = await openTestWiki(backend, {
        ...Object.fromEntries(linking),
        'b/deep/Notes.md': 'n\n',
        'c/Plan.md': 'p\n',
      });
      const before = await wiki.git('rev-parse', 'main^{tree}');
      const there = await wiki.run('move_page', { path: 'c/Plan', new_path: 'a/Notes' });
      expect([there.updated_total, await wiki.content('a/P7')]).toEqual([120, 'See [[deep/Notes]].\n']);
      const back = await wiki.run('move_page', { path: 'a/Notes', new_path: 'c/Plan' });
      expect(back.updated_total).toBe(120);
      expect(await wiki.git('rev-parse', 'main^{tree}')).toBe(before);

      const moved: Change = { op: 'move', path: 'c/Plan', new_path: 'a/Notes' };
      const edited: Change = { op: 'append', path: 'a/P7', content: 'More.\n' };
      await wiki.run('commit_changes', { message: 'Move and write', changes: [moved, edited] });
      await wiki.run('move_page', { path: 'a/Notes', new_path: 'c/Plan' });
      const pages = ['a/P7', 'a/P8'].map((path) => wiki.content(path));
      expect(await Promise.all(pages)).toEqual(['See [[deep/Notes]].\nMore.\n', 'See [[deep/Notes]].\n']);
    });

    test.for<[why: string, changes: Change[]]>([
      ['written beside the move', [planMoves(true), edit('Guide', '[[City of Light]]', '[[Paris]]')]],
      ['written in full', [planMoves(true), edit('Guide', '[[Notes]]', '[[b/deep/Notes]]')]],
      [
        'written for a move that left links alone',
        [planMoves(false), edit('Guide', '[[Notes]]', '[[deep/Notes]]')],
      ],
      ['added', [planMoves(true), { op: 'write', path: 'New', content: 'See [[deep/Notes]].\n' }]],
    ])('takes back nothing of a commit in which a person wrote: a link %s', async ([, changes]) => {
      const wiki = await openTestWiki(backend, {
        'Guide.md': 'Visit [[City of Light]], see [[Notes]].\n',
        'Home.md': 'See [[Notes]].\n',
        'Paris.md': '---\naliases: [City of Light]\n---\n',
        'b/deep/Notes.md': '# Top\n',
        'c/Plan.md': 'The plan.\n',
      });
      await wiki.run('commit_changes', { message: 'Move and write', changes });
      const written = await wiki.content('Guide');
      const home = await wiki.content('Home');
      await wiki.run('move_page', { path: 'Notes', new_path: 'c/Plan' });
      expect(await wiki.content('Guide')).toBe(written);
      expect(await wiki.content('Home')).toBe(home.replace('[[Notes]]', '[[Plan]]'));
    });

    test('moves what the move before it did not bring, and undoes no deletion', async () => {
      const wiki = await openTestWiki(backend, {
        'A/a.md': 'one\n',
        'B/z.md': 'two\n',
        'X.md': 'same\n',
        'Y.md': 'same\n',
        'r.md': '[[Y]]\n',
      });
      await wiki.run('move_page', { path: 'A/a', new_path: 'B/a' });
      await wiki.run('move_page', { path: 'B/', new_path: 'A/' });
      expect(await wiki.paths()).toEqual(['A/a', 'A/z', 'X', 'Y', 'r']);
      const { version } = await wiki.run('read_page', { path: 'X' });
      await wiki.run('delete_page', { path: 'X', version: version ?? '' });
      await wiki.run('move_page', { path: 'Y', new_path: 'X' });
      expect(await wiki.paths()).toEqual(['A/a', 'A/z', 'X', 'r']);
      expect(await wiki.content('r')).toBe('[[X]]\n');
    });

    test('of a folder back restores every byte, and costs no more the more pages there are in it', async () => {
      const pages = Array.from({ length: 60 }, (_, at) => [
        `docs/p${at}.md`,
        `See [[p${(at + 1) % 60}]], [[Home]].\n`,
      ]);
      const wiki = await openTestWiki(backend, {
        ...Object.fromEntries(pages),
        'Home.md': '[one](docs/p1.md) [[docs/p2]] [[docs/missing]]\n',
        'docs/i.png': 'i',
      });
      const before = await wiki.git('rev-parse', 'main^{tree}');
      await wiki.run('move_page', { path: 'docs/', new_path: 'archive/docs/' });
      const slow = slowness();
      const began = process.cpuUsage();
      await wiki.run('move_page', { path: 'archive/docs/', new_path: 'docs/' });
      const { user, system } = process.cpuUsage(began);
      expect(await wiki.git('rev-parse', 'main^{tree}')).toBe(before);
      // To ask the index once for each page of the earlier tree took 6 s.
      expect((user + system) / 1_000_000 / Math.max(slow, slowness())).toBeLessThan(3);
    });
  });
}

function planMoves(update_links: boolean): Change {
  return { op: 'move', path: 'c/Plan', new_path: 'Notes', update_links };
}

function edit(path: string, old_string: string, new_string: string): Change {
  return { op: 'edit', path, edits: [{ old_string, new_string }] };
}

type Change = CallInput<'commit_changes'>['changes'][number];
