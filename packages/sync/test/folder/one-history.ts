import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EMPTY_TREE } from '@pagetree/wiki/oid';
import { bareRepository, git } from '../../../wiki/test/native-git.ts';
import type { Project } from './folder-world.ts';

/**
 * A repository of native git in which the wiki and the folder of the remote are one history: a sync there is what a sync of a
 * whole repository does. It says what a sync of the folder has to come to.
 */
export class OneHistory {
  readonly #directory = bareRepository();
  readonly #project: Project;
  /** Its commit for each one of a side. */
  readonly #remote = new Map<string, string>();
  readonly #wiki = new Map<string, string>();
  /** Its commit for the head of the wiki. */
  #head = '';
  #count = 0;
  constructor(project: Project) {
    this.#project = project;
    const { directory, bare } = project.world;
    const alternates = [directory, bare].map((each) => join(each, 'objects')).join('\n');
    writeFileSync(join(this.#directory, 'objects/info/alternates'), `${alternates}\n`);
  }

  /** A person made a commit of the remote. */
  made(commit: string): void {
    const { bare } = this.#project.world;
    const parents = git(bare, ['rev-list', '--parents', '-1', commit]).split(' ').slice(1);
    const made = this.#commit(
      folderOf(bare, commit),
      parents.map((each) => this.#of(each)),
    );
    this.#remote.set(commit, made);
  }

  /** The wiki may have made a commit of its head. */
  async written(): Promise<void> {
    const head = await this.#project.world.head();
    if (this.#wiki.has(head)) return;
    this.#head = this.#commit(await this.#tree(), [this.#head].filter(Boolean));
    this.#wiki.set(head, this.#head);
  }

  /** The tree of the wiki after a sync with a commit of the remote; null if both sides contradict each other. */
  expected(tip: string): string | null {
    const theirs = this.#of(tip);
    if (this.#head === '' || this.#isAncestor(this.#head, theirs)) return this.#treeOf(theirs);
    if (this.#isAncestor(theirs, this.#head)) return this.#treeOf(this.#head);
    return mergedTree(this.#directory, this.#head, theirs);
  }

  /** Takes over what a sync has made: in the wiki, and on the remote from `tip` to `after`. */
  async synced(tip: string, after: string): Promise<void> {
    const { bare } = this.#project.world;
    const theirs = this.#of(tip);
    if (this.#head === '' || this.#isAncestor(this.#head, theirs)) this.#head = theirs;
    else if (!this.#isAncestor(theirs, this.#head))
      this.#head = this.#commit(await this.#tree(), [this.#head, theirs]);
    this.#wiki.set(await this.#project.world.head(), this.#head);
    const line = git(bare, ['rev-list', '--reverse', `${tip}..${after}`])
      .split('\n')
      .filter(Boolean);
    for (const commit of line) {
      const named = /^pagetree-wiki (\w+)/m.exec(git(bare, ['cat-file', 'commit', commit]))?.[1] ?? '';
      this.#remote.set(commit, this.#wiki.get(named) ?? this.#head);
    }
    // The sync pushes no commit. Its report keeps that both sides are the same.
    const isSame = line.length === 0 && folderOf(bare, after) === (await this.#tree());
    if (isSame) this.#remote.set(after, this.#head);
  }

  /** The files of a tree, for people. */
  list(tree: string): string {
    return git(this.#directory, ['ls-tree', '-r', tree]).replaceAll('100644 blob ', '');
  }

  #of(commit: string): string {
    const found = this.#remote.get(commit);
    if (found === undefined) throw new Error(`There is no commit for ${commit} of the remote.`);
    return found;
  }

  #commit(tree: string, parents: readonly string[]): string {
    this.#count += 1;
    const named = parents.flatMap((each) => ['-p', each]);
    // Both sides may do the same at once, and have two commits then.
    return git(this.#directory, ['commit-tree', tree, ...named, '-m', `${this.#count}`]);
  }

  async #tree(): Promise<string> {
    const { world } = this.#project;
    return git(world.directory, ['rev-parse', `${await world.head()}^{tree}`]);
  }

  #treeOf(commit: string): string {
    return git(this.#directory, ['rev-parse', `${commit}^{tree}`]);
  }

  #isAncestor(one: string, other: string): boolean {
    return git(this.#directory, ['rev-list', '--count', one, `^${other}`]) === '0';
  }
}

export function folderOf(repository: string, commit: string): string {
  const line = git(repository, ['ls-tree', commit, 'docs']);
  return line === '' ? EMPTY_TREE : (line.split(/\s/)[2] ?? '');
}

/** As the wiki merges, which follows no moves. Null if both sides contradict each other. */
export function mergedTree(repository: string, one: string, other: string): string | null {
  const settings = ['-c', 'merge.renames=false', '-c', 'merge.directoryRenames=false'];
  try {
    const merged = git(repository, [...settings, 'merge-tree', '--write-tree', '--no-messages', one, other]);
    return merged.split('\n')[0] ?? null;
  } catch {
    return null;
  }
}
