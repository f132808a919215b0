import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openWiki } from '../../src/open-wiki.ts';
import { git, temporaryDirectory } from '../native-git.ts';
import { Pusher, pushOf } from '../pusher.ts';
import { commitFiles } from './local-backends.ts';

test('a wiki that is served for reading only takes no push', async () => {
  const directory = temporaryDirectory();
  const repository = join(directory, 'test.git');
  git(directory, ['init', '--quiet', '--bare', '--initial-branch=main', repository]);
  commitFiles(repository, { 'A.md': 'a' });
  const pusher = Pusher.cloneOf(repository);
  const push = pushOf(pusher, pusher.head, pusher.commit({ 'B.md': 'b' }));
  const host = { backend: 'local', versions: {}, problems: [] };
  const opened = await openWiki({ directory, wiki: 'test', placement: 'local', host, readOnly: true });
  onTestFinished(() => opened.close());
  const caller = { author: { name: 'Ada', email: 'ada@example.org' }, agent: null };
  await expect(opened.wiki.receive_push(push, { caller })).rejects.toMatchObject({ code: 'forbidden' });
});
