import { join } from 'node:path';
import { openWiki } from '@pagetree/wiki';
import { callOperation } from '@pagetree/wiki/contract';
import { onTestFinished } from 'vitest';
import { git, temporaryDirectory } from '../../../wiki/test/native-git.ts';
import type { World } from '../situations/world.ts';

const CALL = { caller: { author: { name: 'Ada Lovelace', email: 'ada@example.org' }, agent: null } };

/** The wiki is lost, and put back from a backup that ends at a commit. What came after it is not stored any more. */
export async function putBack(world: World, commit: string): Promise<void> {
  const directory = temporaryDirectory();
  const repository = join(directory, 'test.git');
  git(directory, ['init', '--quiet', '--bare', '--initial-branch=main', repository]);
  git(world.directory, ['push', '--quiet', repository, `${commit}:refs/heads/main`]);
  const host = { backend: 'local', versions: {}, problems: [] };
  const opened = await openWiki({ directory, wiki: 'test', placement: 'local', host });
  onTestFinished(() => opened.close());
  await callOperation(opened.wiki, 'set_remote', { remote: world.settings }, CALL);
  Object.assign(world, { directory: repository, wiki: opened.wiki });
}
