import fs from 'node:fs';
import git from 'isomorphic-git';
import type { Command } from './protocol.ts';
import { serve } from './serve.ts';

/**
 * isomorphic-git with its own storage as an engine of the benchmark, with the cache object that its documentation
 * advises. It compares no texts, and syncs nothing.
 */
const author = { name: 'Bench', email: 'bench@example.org' };
const repository = { fs, gitdir: '', cache: {} };

await serve(run);

async function run(command: Command): Promise<string | undefined> {
  switch (command.do) {
    case 'open':
      repository.gitdir = `${command.directory}/main.git`;
      return undefined;
    case 'read': {
      const oid = await git.resolveRef({ ...repository, ref: 'main' });
      return new TextDecoder().decode(await content(oid, command.path));
    }
    case 'append':
      await append(command.path, command.text);
      return undefined;
    case 'list':
      await git.listFiles({ ...repository, ref: 'main' });
      return undefined;
    case 'recent':
      await git.log({ ...repository, ref: 'main', depth: 50, includeChanges: true });
      return undefined;
    case 'history':
      await git.log({ ...repository, ref: 'main', depth: 20, filepath: command.path });
      return undefined;
    case 'settle':
      return undefined;
    case 'diff':
      throw new Error('isomorphic-git compares no texts.');
  }
}

async function content(commit: string, path: string): Promise<Uint8Array> {
  return (await git.readBlob({ ...repository, oid: commit, filepath: path })).blob;
}

async function append(path: string, text: string): Promise<void> {
  const head = await git.resolveRef({ ...repository, ref: 'main' });
  const before = await content(head, path);
  const blob = await git.writeBlob({ ...repository, blob: Buffer.concat([before, Buffer.from(text)]) });
  const tree = await replace(head, path.split('/'), blob);
  await git.commit({
    ...repository,
    ref: 'refs/heads/main',
    message: 'Append',
    tree,
    parent: [head],
    author,
  });
}

/** The oid of a tree like `treeish`, in which the last of `names` is `blob`. */
async function replace(
  treeish: string,
  [name = '', ...rest]: readonly string[],
  blob: string,
): Promise<string> {
  const { tree } = await git.readTree({ ...repository, oid: treeish });
  const entries = await Promise.all(
    tree.map(async (entry) => {
      if (entry.path !== name) return entry;
      return { ...entry, oid: rest.length === 0 ? blob : await replace(entry.oid, rest, blob) };
    }),
  );
  return git.writeTree({ ...repository, tree: entries });
}
