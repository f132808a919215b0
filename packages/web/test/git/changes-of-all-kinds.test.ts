import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WikiError } from '@pagetree/wiki/contract';
import { expect, test } from 'vitest';
import { testPick } from '../../../../labs/seeded-random.ts';
import { git } from '../../../wiki/test/native-git.ts';
import { runGit } from './run-git.ts';
import { serveWiki } from './served-wiki.ts';

const PATHS = ['Home', 'Notes/Tea', 'Notes/Coffee', 'Notes/Deep/Water', 'People/Ada'];
/** Few, so that files and folders are often again as they were. */
const TEXTS = ['# One\n', '# Two\n\n[[Home]]\n', `${'A long line.\n'.repeat(100)}`];
const STEPS = 120;

/** A walk through what people and agents do with a wiki, as git sees it. */
test('whatever pages went through, clones and fetches are whole', async () => {
  const pick = testPick();
  const wiki = await serveWiki();
  const write = async (path: string, content: string) => {
    const { page } = await wiki.run('view_page', { path });
    const version = page === null ? {} : { version: page.version, allow_shrink: true };
    await wiki.run('write_page', { path, content, ...version });
  };
  await write('Home', '# Home\n');
  const full = await wiki.clone('full');
  const slow = await wiki.clone('slow');
  const shallow = await wiki.clone('shallow', ['--depth', '1']);
  let pushed = 0;

  const listed = async () =>
    (await wiki.run('list_files', {})).files.map(({ path }) => path.replace(/\.md$/, ''));
  const steps: [weight: number, step: () => Promise<unknown>][] = [
    [4, () => write(pick(PATHS), pick(TEXTS))],
    [
      3,
      async () => {
        const path = pick([...(await listed()), 'Home']);
        const { page } = await wiki.run('view_page', { path });
        await wiki.run('delete_page', { path, version: page?.version ?? '' });
      },
    ],
    [
      2,
      async () => wiki.run('move_page', { path: pick([...(await listed()), 'Home']), new_path: pick(PATHS) }),
    ],
    [
      3,
      async () =>
        wiki.run('revert_commit', {
          commit: pick((await wiki.run('get_history', { limit: 6 })).entries).commit,
        }),
    ],
    [
      1,
      async () => {
        await runGit(full, ['pull', '--quiet', '--rebase']);
        mkdirSync(join(full, 'Notes'), { recursive: true });
        writeFileSync(join(full, 'Notes', 'Tea.md'), pick(TEXTS));
        await runGit(full, ['add', '--all']);
        await runGit(full, ['commit', '--quiet', '--allow-empty', '--message', 'By hand']);
        await runGit(full, ['push', '--quiet']);
        pushed += 1;
      },
    ],
  ];
  const bag = steps.flatMap(([weight, step]) => Array.from({ length: weight }, () => step));

  for (let step = 1; step <= STEPS; step += 1) {
    // Much of it is refused, as to move a page to where one is.
    await pick(bag)().catch((error: unknown) => {
      if (!(error instanceof WikiError)) throw error;
    });
    if (step % 6 === 0) await runGit(full, ['pull', '--quiet', '--rebase']);
    if (step % 20 === 0)
      await runGit(shallow, ['fetch', '--quiet', ...pick([[], ['--depth=3'], ['--unshallow']])]).catch(
        () => {},
      );
    if (step % 40 === 0) {
      await runGit(slow, ['fetch', '--quiet']);
      const copy = await wiki.clone(`copy-${step}`);
      for (const each of [full, slow, shallow, copy]) await runGit(each, ['fsck', '--strict']);
      const all = (directory: string) => runGit(directory, ['rev-list', '--objects', 'origin/main']);
      const expected = git(wiki.bare, ['rev-list', '--objects', 'main']).trimEnd();
      await runGit(full, ['fetch', '--quiet']);
      for (const each of [full, slow, copy]) expect(await all(each)).toBe(expected);
    }
  }
  expect(pushed).toBeGreaterThan(0);
});
