import { join } from 'node:path';
import { git, gitBytes, temporaryDirectory } from '../../../wiki/test/native-git.ts';
import type { Project } from './folder-world.ts';
import { mergedTree, type OneHistory } from './one-history.ts';

const PAGES = ['A', 'B', 'C', 'D/E', 'D/F'];
const BRANCHES = ['main', 'one', 'two'];

export interface RandomParts {
  project: Project;
  history: OneHistory;
  random(): number;
}

/** Changes a remote and its wiki at random, as people do. `log` lists the changes. */
export class RandomPeople {
  readonly log: string[] = [];
  readonly #parts: RandomParts;
  readonly #index = join(temporaryDirectory(), 'index');
  /** Commits whose change the next one takes back. */
  readonly #undone: string[] = [];
  #count = 0;

  constructor(parts: RandomParts) {
    this.#parts = parts;
  }

  pick<T>(choices: readonly T[]): T {
    return choices[Math.floor(this.#parts.random() * choices.length)] as T;
  }

  get branches(): Map<string, string> {
    const lines = this.#git(['for-each-ref', '--format=%(refname:short) %(objectname)', 'refs/heads']).split(
      '\n',
    );
    return new Map(lines.map((line) => line.split(' ') as [string, string]));
  }

  /** A person works in the remote. */
  workThere(): void {
    const [branch, tip] = this.pick([...this.branches]);
    const page = this.pick(PAGES);
    const any = this.#any();
    const kind = this.pick([
      'edit',
      'edit',
      'back',
      'undo',
      'begin',
      'merge',
      'merge',
      'force',
      'amend',
    ] as const);
    if (kind === 'edit') this.#edit(branch, tip, page, this.#isLikely(0.3) ? null : this.#blob());
    else if (kind === 'back') this.#edit(branch, tip, page, this.#blobAt(any, page));
    else if (kind === 'undo') this.#undo(branch, tip, page);
    else if (kind === 'begin') this.#set(this.pick(BRANCHES), any, 'begins');
    else if (kind === 'merge') this.#merge(branch, tip, this.pick([...this.branches.values()]));
    else if (kind === 'amend') this.#amend(branch, tip, page);
    else if (this.#git(['rev-list', '--count', `${tip}..${any}`]) === '0') this.#set(branch, any, 'by force');
  }

  /** Somebody works in the wiki. */
  async workHere(): Promise<void> {
    const { project, history } = this.#parts;
    const { world } = project;
    const path = this.pick(PAGES);
    const page = await world.run('read_page', { path }).catch(() => null);
    const old = this.#blobAt(this.#any(), path);
    if (this.#isLikely(0.3) && page !== null) {
      this.log.push(`the wiki deletes ${path}`);
      await world.run('delete_page', { path, version: page.version });
    } else if (this.#isLikely(0.3) && old !== null) {
      this.log.push(`the wiki writes ${path} as it was`);
      await world.write(path, `${this.#git(['cat-file', 'blob', old])}\n`);
    } else {
      this.log.push(`the wiki writes ${path}`);
      await world.write(path, this.#text());
    }
    await history.written();
  }

  #undo(branch: string, tip: string, page: string): void {
    const before = this.#blobAt(tip, page);
    const undone = this.#edit(
      branch,
      tip,
      page,
      before === null || this.#isLikely(0.5) ? this.#blob() : null,
    );
    this.#edit(branch, undone, page, before);
    this.#undone.push(undone);
  }

  #edit(branch: string, tip: string, page: string, blob: string | null): string {
    const tree = this.#withPage(`${tip}^{tree}`, page, blob);
    const commit = this.#git(['commit-tree', tree, '-p', tip, '-m', `${page} on ${branch}: ${this.#text()}`]);
    this.#set(branch, commit, `${page} is ${blob?.slice(0, 7)}`);
    this.#parts.history.made(commit);
    return commit;
  }

  #merge(into: string, one: string, other: string): void {
    if (this.#git(['rev-list', '--count', `${one}..${other}`]) === '0') return;
    const isForward = this.#git(['rev-list', '--count', `${other}..${one}`]) === '0';
    if (isForward && this.#isLikely(0.5)) {
      this.#set(into, other, 'forward');
      return;
    }
    const tree = this.#isLikely(0.15) ? `${one}^{tree}` : mergedTree(this.#bare, one, other);
    if (tree === null) return;
    const commit = this.#git(['commit-tree', tree, '-p', one, '-p', other, '-m', `Merge ${this.#text()}`]);
    this.#set(into, commit, `merges ${other.slice(0, 7)}`);
    this.#parts.history.made(commit);
  }

  /** The headers of the commit stay. */
  #amend(branch: string, tip: string, page: string): void {
    const tree = this.#withPage(`${tip}^{tree}`, page, this.#blob());
    const amended = `${this.#git(['cat-file', 'commit', tip])}\n`.replace(/^tree .*/, `tree ${tree}`);
    const commit = this.#git(['hash-object', '-t', 'commit', '-w', '--stdin'], amended);
    this.#set(branch, commit, `amended, ${page}`);
    this.#parts.history.made(commit);
  }

  #set(branch: string, commit: string, how: string): void {
    this.log.push(`${branch} to ${commit.slice(0, 7)}: ${how}`);
    this.#git(['update-ref', `refs/heads/${branch}`, commit]);
  }

  #withPage(tree: string, page: string, blob: string | null): string {
    const env = { GIT_INDEX_FILE: this.#index };
    gitBytes(this.#bare, ['read-tree', tree], { env });
    const entry = blob === null ? `0 ${'0'.repeat(40)}` : `100644 ${blob}`;
    gitBytes(this.#bare, ['update-index', '--index-info'], { env, input: `${entry}\tdocs/${page}.md\n` });
    return gitBytes(this.#bare, ['write-tree'], { env }).toString().trim();
  }

  #blobAt(commit: string, page: string): string | null {
    const line = this.#git(['ls-tree', commit, `docs/${page}.md`]);
    return line === '' ? null : (line.split(/\s/)[2] ?? null);
  }

  #blob(): string {
    return this.#git(['hash-object', '-w', '--stdin'], this.#text());
  }

  /** One of the newest commits of the remote, or one that was undone. */
  #any(): string {
    if (this.#undone.length > 0 && this.#isLikely(0.3)) return this.pick(this.#undone.slice(-3));
    const newest = this.#isLikely(0.5) ? 6 : 40;
    return this.pick(this.#git(['rev-list', '--all', `--max-count=${newest}`]).split('\n'));
  }

  #text(): string {
    this.#count += 1;
    return `Text ${this.#count}.\n`;
  }

  #isLikely(chance: number): boolean {
    return this.#parts.random() < chance;
  }

  get #bare(): string {
    return this.#parts.project.world.bare;
  }

  #git(args: string[], input?: string): string {
    return git(this.#bare, args, input);
  }
}
