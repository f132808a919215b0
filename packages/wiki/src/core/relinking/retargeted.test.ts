import { createHook } from 'node:async_hooks';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { bareRepository, temporaryDirectory } from '../../../test/native-git.ts';
import { openTestIndexes } from '../../../test/search/test-indexes.ts';
import { openTestRepository } from '../../../test/test-repository.ts';
import { parseInput } from '../../contract/parse-input.ts';
import type { Index } from '../index-port.ts';
import { createWiki } from '../wiki.ts';
import { describeRetargeted, lengthOf } from './retargeted.ts';

test('a write that adds or removes no name does not query the index', async () => {
  const { wiki, call, asked } = await watchedWiki();
  await wiki.append_to_page(parseInput('append_to_page', { path: 'A', content: '# A\n\n[[B]]\n' }), call);
  asked.length = 0;
  const edits = [{ old_string: '[[B]]', new_string: '[[C]] [[B|b]]' }];
  await wiki.append_to_page(parseInput('append_to_page', { path: 'A', content: 'more [[A]]' }), call);
  await wiki.edit_page(parseInput('edit_page', { path: 'A', edits }), call);
  await wiki.update_frontmatter(parseInput('update_frontmatter', { path: 'A', set: { tags: ['x'] } }), call);
  const section = { path: 'A', heading: 'A', operation: 'append', content: 'last' };
  await wiki.edit_section(parseInput('edit_section', section), call);
  const changes = [{ op: 'append', path: 'A', content: 'again' }];
  await wiki.commit_changes(parseInput('commit_changes', { message: 'x', changes }), call);
  expect(asked).toEqual([]);
});

test('a write asks the index for links by name, and never for all names or links of the wiki', async () => {
  const { wiki, call, asked } = await watchedWiki();
  await wiki.append_to_page(parseInput('append_to_page', { path: 'A', content: '[[B]]' }), call);
  await wiki.append_to_page(parseInput('append_to_page', { path: 'x/B', content: 'b' }), call);
  await wiki.move_page(parseInput('move_page', { path: 'x/B', new_path: 'C' }), call);
  await wiki.move_page(parseInput('move_page', { path: 'C', new_path: 'y/C' }), call);
  expect(new Set(asked)).toEqual(new Set(['linksNamed', 'namesLike']));
});

test('a write does not wait for a slow index, and succeeds if the index fails', async () => {
  const { wiki, call, ending } = await watchedWiki();
  const append = (path: string) =>
    wiki.append_to_page(parseInput('append_to_page', { path, content: '[[New]]' }), call);
  await append('A');
  ending.with = () => new Promise(() => {});
  expect(await append('New')).toMatchObject({ changed: true, retargeted_total: null });
  ending.with = () => Promise.reject(new Error('no index'));
  expect(await append('sub/New')).toMatchObject({ changed: true, retargeted_total: null });
  ending.with = null;
  expect(await append('sub/A')).not.toHaveProperty('retargeted_total');
});

test('a process that has nothing else to do does not wait for a slow index', async () => {
  const { wiki, call, ending } = await watchedWiki();
  const append = (path: string) =>
    wiki.append_to_page(parseInput('append_to_page', { path, content: '[[New]]' }), call);
  await append('A');
  const timers: NodeJS.Timeout[] = [];
  const hook = createHook({
    init: (_id, type, _cause, timer) => {
      if (type === 'Timeout') timers.push(timer as NodeJS.Timeout);
    },
  });
  const asked = new Promise<void>((resolve) => {
    ending.with = () => {
      resolve();
      return new Promise(() => {});
    };
  });
  hook.enable();
  const written = append('New');
  await asked.then(() => setImmediate());
  hook.disable();
  expect(timers.map((timer) => timer.hasRef())).toContain(false);
  await written;
});

test('links that the caller wrote are not reported, and links of a page that was edited are', async () => {
  const { wiki, call } = await watchedWiki();
  const named = '---\naliases: [Nick]\n---\n[[Nick]]\n';
  const { version } = await wiki.append_to_page(
    parseInput('append_to_page', { path: 'A', content: named }),
    call,
  );
  const written = parseInput('write_page', { path: 'A', content: '[[Nick]]\n', version });
  expect(await wiki.write_page(written, call)).not.toHaveProperty('retargeted_total');
  await wiki.append_to_page(parseInput('append_to_page', { path: 'B', content: named }), call);
  const edits = [{ old_string: 'aliases: [Nick]', new_string: 'tags: [x]' }];
  const edited = await wiki.edit_page(parseInput('edit_page', { path: 'B', edits }), call);
  expect(edited).toMatchObject({ retargeted_total: 2, retargeted: [{ page: 'A' }, { page: 'B' }] });
});

test('links that an undo brings back are not reported, though their page goes', async () => {
  const { wiki, call } = await watchedWiki();
  await wiki.append_to_page(parseInput('append_to_page', { path: 'A', content: '[[New]]\n' }), call);
  const { commit } = await wiki.commit_changes(
    parseInput('commit_changes', {
      message: 'x',
      changes: [
        { op: 'write', path: 'New', content: 'new' },
        { op: 'edit', path: 'A', edits: [{ old_string: '[[New]]', new_string: 'text' }] },
      ],
    }),
    call,
  );
  const undone = await wiki.revert_commit(parseInput('revert_commit', { commit }), call);
  expect(undone).not.toHaveProperty('retargeted_total');
});

test('the target of a reported link has its extension only where the other one is a file of its name', () => {
  const row = { page: 'P.md', link: '[[x]]' };
  const targetsOf = (
    oldTarget: string | null,
    newTarget: string | null,
    anchors?: { old: string; now: string },
  ) => {
    const [found] =
      describeRetargeted([{ ...row, oldTarget, newTarget, ...(anchors && { anchors }) }]).retargeted ?? [];
    return [found?.old_target, found?.new_target];
  };
  expect(targetsOf('chart.png.md', 'chart.png')).toEqual(['chart.png.md', 'chart.png']);
  expect(targetsOf('chart.png', 'chart.png.md')).toEqual(['chart.png', 'chart.png.md']);
  expect(targetsOf('Start.md', 'chart.png')).toEqual(['Start', 'chart.png']);
  expect(targetsOf('A.md', null)).toEqual(['A', null]);
  expect(targetsOf('N.md.md', 'N.md')).toEqual(['N.md.md', 'N']);
  expect(targetsOf('A.md', 'A.md', { old: 'x', now: 'y' })).toEqual(['A#x', 'A#y']);
  expect(targetsOf('c.png.md', 'c.png', { old: 'x', now: 'y' })).toEqual(['c.png.md#x', 'c.png#y']);
});

/** A wiki that writes down what its index is asked, and whose index can be made to hang or fail. */
async function watchedWiki() {
  const repository = await openTestRepository(bareRepository());
  const indexes = await openTestIndexes();
  const index = indexes.open({ repository, snapshotDirectory: temporaryDirectory(), readOnly: false });
  const asked: string[] = [];
  const ending: { with: (() => Promise<never>) | null } = { with: null };
  const watched: Index = {
    ...index,
    names: (...of) => {
      asked.push('names');
      return index.names(...of);
    },
    links: (...of) => {
      asked.push('links');
      return index.links(...of);
    },
    everyLink: (...of) => {
      asked.push('everyLink');
      return index.everyLink(...of);
    },
    linksNamed: (...of) => {
      asked.push('linksNamed');
      return ending.with?.() ?? index.linksNamed(...of);
    },
    namesLike: (...of) => {
      asked.push('namesLike');
      return index.namesLike(...of);
    },
  };
  const nobodyAsks = () => Promise.reject(new Error('Nobody asks for it.'));
  let ids = 0;
  const wiki = createWiki({
    directory: {
      names: async () => ['main'],
      open: async () => ({ repository, index: watched }),
      visit: nobodyAsks,
      unopened: () => {
        throw new Error('Nobody asks.');
      },
      create: nobodyAsks,
      requireDefault: nobodyAsks,
      importBundle: nobodyAsks,
      readRound: nobodyAsks,
      keepRound: nobodyAsks,
      uploads: () => {
        throw new Error('Nobody asks for it.');
      },
      removeOldUploads: nobodyAsks,
    },
    defaultWiki: 'main',
    newRequestId: () => {
      ids += 1;
      return `request-${ids}`;
    },
    now: Date.now,
    host: { backend: 'local', versions: {}, wikis: async () => ['main'], problems: [] },
  });
  return { wiki, asked, ending, call: { caller: { author: { name: 'Ada', email: 'a@b.c' }, agent: null } } };
}

test('a report of very many links takes no more of a reply than it may, and counts them all', () => {
  const rows = Array.from({ length: 1_000 }, (_, at) => ({
    ...{ page: `Page ${at}.md`, link: '[[B]]', oldTarget: 'a/B.md', newTarget: 'b/B.md' },
  }));
  const shown = (most?: number) => {
    const report = describeRetargeted(rows, most);
    if (!('retargeted' in report)) throw new Error('nothing is reported');
    expect(report.retargeted_total).toBe(1_000);
    const [characters, next] = [
      JSON.stringify(report.retargeted).length,
      JSON.stringify(report.retargeted.at(-1)),
    ];
    expect(lengthOf(report)).toBe(JSON.stringify(report).length);
    return { count: report.retargeted.length, characters, next: next.length };
  };
  for (const most of [2_000, 5_000, 12_000]) {
    const { count, characters, next } = shown(most);
    expect(count).toBeGreaterThan(10);
    expect(characters).toBeLessThanOrEqual(most + 1);
    expect(characters + next + 1).toBeGreaterThan(most);
  }
  expect(shown()).toEqual(shown(12_000));
});
