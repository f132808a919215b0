import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Oid } from '../../src/formats/oid.ts';
import { nodeHost } from '../../src/storage/files/node-host.ts';
import { bareRepository, git, temporaryDirectory } from '../native-git.ts';
import { openWriter } from './writers.ts';

type MakeBlob = (text: string) => Oid;

/** A wiki of loose objects whose commits have these entries. */
export async function looseWiki(treesOf: (blob: MakeBlob, commit: Oid, directory: string) => string[][]) {
  const directory = bareRepository();
  const blob = (text: string) => git(directory, ['hash-object', '-w', '--stdin'], text);
  const commitOf = (entries: readonly string[], parents: readonly string[]) => {
    const tree = git(directory, ['mktree', '--missing'], entries.map((entry) => `${entry}\n`).join(''));
    return git(directory, [
      'commit-tree',
      tree,
      ...parents.flatMap((parent) => ['-p', parent]),
      '-m',
      'Write',
    ]);
  };
  const { storage } = await openWriter(directory);
  const unlinked = commitOf([], []);
  let last: Oid | null = null;
  for (const entries of treesOf(blob, unlinked, directory)) {
    last = commitOf(entries, last === null ? [] : [last]);
    git(directory, ['update-ref', 'refs/heads/main', last]);
    await storage.head();
  }
  await storage.close();
  return {
    directory,
    /** Removes objects, by names such as `HEAD:Page.md`. */
    lose(...names: string[]): void {
      const oids = git(directory, ['rev-parse', ...names]).split('\n');
      for (const oid of oids) rmSync(join(directory, 'objects', oid.slice(0, 2), oid.slice(2)));
    },
    /** Repairs it in a process of its own, by the clock of this machine or another one. */
    async repair({ now }: { now?: () => number } = {}) {
      const opened = await openWriter(directory, now ? { host: { ...nodeHost(), now } } : {});
      return opened.storage.repair();
    },
    /** The mode and the name of each entry of the root folder. */
    entries: () =>
      git(directory, ['ls-tree', 'main'])
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => line.replace(/ .*\t/, ' ')),
  };
}

/** Writes many blobs in one call of git. Returns their entries in a folder, by these names. */
export function pageEntries(directory: string, pages: readonly { name: string; text: string }[]): string[] {
  const texts = temporaryDirectory();
  const paths = pages.map(({ text }, at) => {
    const path = join(texts, `${at}`);
    writeFileSync(path, text);
    return path;
  });
  const oids = git(directory, ['hash-object', '-w', '--stdin-paths'], paths.join('\n')).split('\n');
  return pages.map(({ name }, at) => `100644 blob ${oids[at]}\t${name}`);
}
