import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { RemoteSettings } from '@pagetree/wiki/contract';
import { expect } from 'vitest';
import { git } from '../../../wiki/test/native-git.ts';
import { World } from '../situations/world.ts';

/** How the remote of a test is reached, and what it can. */
export interface Way {
  isFile?: boolean;
  /** Leaves objects out if it is asked to. */
  hasFilters?: boolean;
  /** Speaks version 0 of the protocol alone. */
  isOld?: boolean;
}

/** A wiki that is a folder of a repository, in which people work with native git. */
export class Project {
  readonly world: World;
  readonly folder: string;
  /** The files outside of the folder, as the last person left them. */
  #outside = '';

  private constructor(world: World, folder: string) {
    this.world = world;
    this.folder = folder;
  }

  /** A project with files outside of the folder: a program, a symbolic link, and names that sort around the folder's. */
  static async open(
    { folder = 'docs', ...more }: Partial<RemoteSettings> = {},
    { isFile = false, hasFilters = true, isOld = false }: Way = {},
  ): Promise<Project> {
    const world = await World.open({ ...more, folder }, { isFile });
    // Faults here let people push meanwhile.
    world.idleMs = 30_000;
    if (hasFilters) git(world.bare, ['config', 'uploadpack.allowFilter', 'true']);
    if (isOld)
      world.fault = ({ request }) => {
        delete request.headers['git-protocol'];
        return undefined;
      };
    const project = new Project(world, folder);
    const { directory } = world.person;
    writeFileSync(join(directory, 'run.sh'), '#!/bin/sh\necho run\n', { mode: 0o755 });
    for (const [file, text] of Object.entries(OUTSIDE)) project.#put(file, text);
    const link = git(directory, ['hash-object', '-w', '--stdin'], 'src/main.c');
    git(directory, ['add', '--all']);
    git(directory, ['update-index', '--add', '--cacheinfo', `120000,${link},link`]);
    git(directory, ['commit', '--quiet', '--message', 'Begin the project']);
    git(directory, ['push', '--quiet', world.bare, 'HEAD:refs/heads/main']);
    project.#look();
    return project;
  }

  /** The same with pages in the folder, in step. */
  static async begun(settings: Partial<RemoteSettings> = {}, way: Way = {}): Promise<Project> {
    const project = await Project.open(settings, way);
    project.change({ 'Start.md': LINES.join(''), 'Guide/Use.md': 'How to use it.\n' });
    await project.sync();
    await project.requireInStep();
    return project;
  }

  /** A person changes files of the folder on the newest commit of the remote; null deletes one. */
  change(files: Record<string, string | null>, by = 'Bob', message = `Change by ${by}`): string {
    const inFolder = Object.entries(files).map(([file, text]) => [`${this.folder}/${file}`, text]);
    return this.changeAll(Object.fromEntries(inFolder), by, message);
  }

  /** The same for files of the whole repository. */
  changeAll(files: Record<string, string | null>, by = 'Bob', message = `Change by ${by}`): string {
    const { world } = this;
    const oid = world.pushFrom('main', () => {
      for (const [file, text] of Object.entries(files)) this.#put(file, text);
      return this.commit(by, message);
    });
    this.#look();
    return oid;
  }

  /** Commits what is in the work tree of the person. */
  commit(by: string, message: string): string {
    const { directory } = this.world.person;
    git(directory, ['add', '--all']);
    const author = `${by} <${by.toLowerCase()}@example.org>`;
    git(directory, ['commit', '--quiet', '--allow-empty', '--author', author, '--message', message]);
    return git(directory, ['rev-parse', 'HEAD']);
  }

  #put(file: string, text: string | null): void {
    const path = join(this.world.person.directory, file);
    mkdirSync(dirname(path), { recursive: true });
    if (text === null) rmSync(path);
    else writeFileSync(path, text);
  }

  #look(): void {
    this.#outside = this.outside('main');
  }

  /** The files of a commit of the remote outside of the folder. */
  outside(commit: string): string {
    const lines = git(this.world.bare, ['-c', 'core.quotePath=false', 'ls-tree', '-r', commit]).split('\n');
    return lines.filter((line) => !line.includes(`\t${this.folder}/`)).join('\n');
  }

  /** Has the remote as it is now be what outside of the folder has to stay. */
  expectOutsideAsNow(): void {
    this.#look();
  }

  /** A person merges one branch of the remote into another, as a pull request is merged. */
  merge(from: string, into = 'main'): void {
    const { bare, person } = this.world;
    this.checkout(into);
    git(person.directory, ['fetch', '--quiet', bare, from]);
    git(person.directory, ['merge', '--quiet', '--no-ff', '--message', `Merge ${from}`, 'FETCH_HEAD']);
    git(person.directory, ['push', '--quiet', bare, `HEAD:refs/heads/${into}`]);
  }

  /** A person checks out the newest commit of a branch. */
  checkout(branch = 'main'): string {
    const { directory } = this.world.person;
    git(directory, ['fetch', '--quiet', this.world.bare, branch]);
    git(directory, ['checkout', '--quiet', '--force', '--detach', 'FETCH_HEAD']);
    return git(directory, ['rev-parse', 'HEAD']);
  }

  /** Makes the newest commit one that no git takes in a push: its author has no date. */
  damageNewest(): void {
    const { bare, commits } = this.world;
    const made = git(bare, ['cat-file', 'commit', 'main']);
    const bad = `${made.replace(/^author .*$/m, 'author Bob <bob@example.org')}\n`;
    const oid = git(bare, ['hash-object', '-t', 'commit', '-w', '--stdin', '--literally'], bad);
    git(bare, ['update-ref', 'refs/heads/main', oid]);
    commits.remote.pop();
  }

  /** Gives the newest commit a header, as everybody can who may push. */
  forge(header: string): void {
    const { bare, commits } = this.world;
    const made = git(bare, ['cat-file', 'commit', 'main']);
    const forged = `${made.replace(/^(committer .*)$/m, `$1\n${header}`)}\n`;
    git(bare, [
      'update-ref',
      'refs/heads/main',
      git(bare, ['hash-object', '-t', 'commit', '-w', '--stdin'], forged),
    ]);
    commits.remote.pop();
  }

  /** The same remote is added again with another branch, as the command does it. */
  async choose(branch: string): Promise<RemoteSettings> {
    const { world } = this;
    const settings = { ...world.settings, branch: `refs/heads/${branch}` };
    await world.run('set_remote', { remote: settings });
    world.report = world.report && { ...world.report, branch: null };
    return settings;
  }

  sync(settings = this.world.settings) {
    return this.world.sync(settings);
  }

  show(file: string, commit = 'main'): string {
    return git(this.world.bare, ['show', `${commit}:${this.folder}/${file}`]);
  }

  log(side: 'wiki' | 'remote', format = '%an: %s'): string[] {
    const directory = side === 'wiki' ? this.world.directory : this.world.bare;
    return git(directory, ['log', `--format=${format}`, 'main']).split('\n');
  }

  /** The message of a commit, without what the wiki keeps in it for itself. */
  message(side: 'wiki' | 'remote', commit: string): string {
    const directory = side === 'wiki' ? this.world.directory : this.world.bare;
    return git(directory, ['log', '-1', '--format=%B', commit]).trim();
  }

  async requireInStep(): Promise<void> {
    const { world, folder } = this;
    expect(world.report).toMatchObject({ state: 'in_step' });
    const head = await world.head();
    const inWiki = head === '' ? '' : git(world.directory, ['ls-tree', '-r', head]);
    const there = git(world.bare, ['ls-tree', 'main', folder]);
    expect(there === '' ? '' : git(world.bare, ['ls-tree', '-r', `main:${folder}`])).toBe(inWiki);
    this.requireKept();
  }

  /** Nothing outside of the folder was changed, no commit of the remote is lost, and git finds both sides sound. */
  requireKept(): void {
    const { world } = this;
    expect(this.outside('main')).toBe(this.#outside);
    for (const oid of world.commits.remote) git(world.bare, ['merge-base', '--is-ancestor', oid, 'main']);
    world.requireSound();
  }
}

export const LINES = Array.from({ length: 20 }, (_, at) => `Line ${at} of the page.\n`);

/** The page Start with one other line. */
export const changed = (line: number, to: string) => LINES.with(line, `${to}\n`).join('');

const OUTSIDE = {
  'src/main.c': 'int main(void) { return 0; }\n',
  'README.md': '# The project\n',
  'docs.txt': 'Sorts before the folder.\n',
  'docs-old/x.md': 'Sorts before it too.\n',
  docs0: 'Sorts behind it.\n',
};
