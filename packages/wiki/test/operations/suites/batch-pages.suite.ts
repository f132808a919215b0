import { describe, expect, test } from 'vitest';
import type { CallInput } from '../../../src/contract/operations.ts';
import { type Backend, openTestWiki } from '../test-wiki.ts';

type Change = CallInput<'commit_changes'>['changes'][number];

/** The `pages` of a batch that moves folders. */
export function batchPagesSuite(backend: Backend): void {
  const move = (path: string, new_path: string): Change => ({ op: 'move', path, new_path });
  const cases: [string, Change[], [path: string, previous: string | undefined, exists?: boolean][]][] = [
    ['a folder that moves twice', [move('a/', 't/'), move('t/', 'c/')], [['c/', 'a/']]],
    ['a folder that moves back', [move('a/', 't/'), move('t/', 'a/')], []],
    [
      'a folder that moves, and one below it that moves on',
      [move('a/', 't/'), move('t/sub/', 'u/')],
      [
        ['t/', 'a/'],
        ['u/', 'a/sub/'],
      ],
    ],
    [
      'a folder that moves into one that moves',
      [move('a/', 'b/a/'), move('b/', 'z/')],
      [
        ['z/a/', 'a/'],
        ['z/', 'b/'],
      ],
    ],
    [
      'a folder that joins another one, and both move',
      [move('a/', 'b/'), move('b/', 'z/')],
      [
        ['z/', 'a/'],
        ['z/', 'b/'],
      ],
    ],
    [
      'a page of a moved folder that moves on',
      [move('a/', 't/'), move('t/X', 'Y')],
      [
        ['t/', 'a/'],
        ['Y', 'a/X'],
      ],
    ],
    ['the only page of a moved folder that moves on', [move('b/', 't/'), move('t/Z', 'Y')], [['Y', 'b/Z']]],
    [
      'a page that moves into a folder that moves',
      [move('P', 'a/P'), move('a/', 'c/')],
      [
        ['c/P', 'P'],
        ['c/', 'a/'],
      ],
    ],
    [
      'a page of a moved folder that is deleted',
      [move('a/', 't/'), { op: 'delete', path: 't/X' }],
      [
        ['t/', 'a/'],
        ['a/X', undefined, false],
      ],
    ],
    [
      'a page of a moved folder that is deleted and written again',
      [move('a/', 't/'), { op: 'delete', path: 't/X' }, { op: 'write', path: 't/X', content: 'new' }],
      [
        ['t/', 'a/'],
        ['t/X', undefined],
        ['a/X', undefined, false],
      ],
    ],
    [
      'a page of a moved folder that is merged into another one',
      [move('a/', 't/'), { op: 'merge', path: 't/X', new_path: 'P' }],
      [
        ['t/', 'a/'],
        ['P', undefined],
      ],
    ],
    [
      'a page that is merged into one of a moved folder',
      [move('a/', 't/'), { op: 'merge', path: 'P', new_path: 't/X' }],
      [
        ['t/', 'a/'],
        ['t/X', 'a/X'],
      ],
    ],
    [
      'a new page in a new folder that moves',
      [{ op: 'write', path: 'n/New', content: 'new' }, move('n/', 'm/')],
      [['m/New', undefined]],
    ],
  ];

  describe('pages of a batch name the net effect of', () => {
    test.for(cases)('%s', async ([, changes, rows]) => {
      const wiki = await openTestWiki(backend, {
        'a/X.md': 'x',
        'a/sub/S.md': 's',
        'b/Z.md': 'z',
        'P.md': 'p',
      });
      const { version } = await wiki.run('read_page', { path: 'a/X' });
      const given = changes.map((change) => (change.op === 'delete' ? { ...change, version } : change));
      const done = await wiki.run('commit_changes', { message: 'Move', changes: given });
      const told = done.pages.map((page) => [page.path, page.previous_path]);
      expect(told).toEqual(rows.map(([path, previous]) => [path, previous]));
      const gone = done.pages.filter((page) => !page.path.endsWith('/') && page.version === null);
      expect(gone.map((page) => page.path)).toEqual(
        rows.flatMap(([path, , exists]) => (exists === false ? [path] : [])),
      );
      expect(done.total).toBe(rows.length);
    });
  });
}
