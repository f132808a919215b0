import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { WikiError } from '@pagetree/wiki/contract';
import { expect, test } from 'vitest';
import { testPick } from '../../../../labs/seeded-random.ts';
import { git } from '../../../wiki/test/native-git.ts';
import { World } from './world.ts';

const PATHS = ['Home', 'Notes/Tea', 'Notes/Coffee', 'Notes/Deep/Water'];
/** Few, so that files and folders are often again as they were. */
const TEXTS = ['One\n', 'Two\n\n[[Home]]\n', 'A long line.\n'.repeat(100)];
const STEPS = 150;

test('whatever pages go through on both sides, each sync ends in step and loses nothing', async () => {
  const pick = testPick();
  const world = await World.begun();
  const { directory } = world.person;
  const byHand = (change: () => void) =>
    world.pushFrom('main', () => {
      change();
      git(directory, ['add', '--all']);
      git(directory, ['commit', '--quiet', '--allow-empty', '--message', 'By hand']);
      return git(directory, ['rev-parse', 'HEAD']);
    });
  const inWiki = async (change: () => Promise<{ commit: string | null }>) => {
    try {
      const { commit } = await change();
      if (commit !== null) world.commits.wiki.push(commit);
    } catch (error) {
      // Much of it is refused, as to move a page to where one is.
      if (!(error instanceof WikiError)) throw error;
    }
  };
  const versionOf = async (path: string) =>
    world.run('read_page', { path }).then(
      ({ version }) => version,
      () => null,
    );

  const write = () =>
    inWiki(async () => {
      const path = pick(PATHS);
      const version = await versionOf(path);
      const more = version === null ? {} : { version, allow_shrink: true };
      return world.run('write_page', { path, content: pick(TEXTS), ...more });
    });
  const remove = () =>
    inWiki(async () => {
      const path = pick(PATHS);
      return world.run('delete_page', { path, version: (await versionOf(path)) ?? '' });
    });
  const move = () => inWiki(() => world.run('move_page', { path: pick(PATHS), new_path: pick(PATHS) }));
  const undo = () =>
    inWiki(async () => {
      const { entries } = await world.run('get_history', { limit: 6 });
      return world.run('revert_commit', { commit: pick(entries).commit });
    });
  const writeByHand = () =>
    byHand(() => {
      const file = join(directory, `${pick(PATHS)}.md`);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, pick(TEXTS));
    });
  const removeByHand = () => byHand(() => rmSync(join(directory, `${pick(PATHS)}.md`), { force: true }));
  const putBackByHand = () =>
    byHand(() => {
      const commits = git(directory, ['rev-list', '--max-count=5', 'HEAD']).split('\n');
      git(directory, ['read-tree', '--reset', '-u', pick(commits)]);
    });
  let syncs = 0;
  const sync = async () => {
    syncs += 1;
    const { state, words } = await world.sync();
    expect(state, words).toBe('in_step');
    if (syncs % 8 === 0) await world.requireInStep();
  };

  const often = [write, write, remove, undo, sync];
  const bag = [...often, ...often, move, writeByHand, writeByHand, removeByHand, putBackByHand];
  for (let step = 0; step < STEPS; step += 1) await pick(bag)();
  await sync();
  await world.requireInStep();
  expect(world.commits.wiki.length).toBeGreaterThan(20);
});
