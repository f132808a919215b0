import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { openWiki } from '@pagetree/wiki';
import {
  type Call,
  callOperation,
  type OperationName,
  type Output,
  type RemoteSettings,
  type SyncReport,
  type Wiki,
} from '@pagetree/wiki/contract';
import { expect, onTestFinished } from 'vitest';
import { git, temporaryDirectory } from '../../../wiki/test/native-git.ts';
import { Syncing } from '../../src/syncing.ts';
import { commandRemote } from '../transport/command-remotes.ts';
import { emptyRepository, type Local, localRepository } from '../transport/repositories.ts';
import { type Fault, httpRemote, serveRepository } from '../transport/served-repository.ts';

const CALL: Call = { caller: { author: { name: 'Ada Lovelace', email: 'ada@example.org' }, agent: null } };

/** A wiki, and a remote that git itself serves behind a proxy with faults. */
export class World {
  readonly directory: string;
  readonly bare: string;
  readonly settings: RemoteSettings;
  /** The longest time of an attempt; undefined for the usual one. */
  deadlineMs: number | undefined = undefined;
  /** The longest silence of the remote. */
  idleMs = IDLE_MS;
  /** The most bytes of a pack of the remote; undefined for the usual bound. */
  packBytes: number | undefined = undefined;
  /** The most bytes of a pack that the wiki gives; undefined for no bound. */
  maxPushBytes: number | undefined = undefined;
  /** The fault of the proxy; null for none. */
  fault: Fault | null = null;
  /** A person who works with the remote by native git. */
  readonly person: Local;
  /** Commits that must never be lost, by whom they were made. */
  readonly commits: { wiki: string[]; remote: string[] } = { wiki: [], remote: [] };
  readonly wiki: Wiki;
  report: SyncReport | null = null;

  private constructor(
    parts: Pick<World, 'directory' | 'bare' | 'settings' | 'person'> & {
      wiki: Wiki;
    },
  ) {
    this.directory = parts.directory;
    this.bare = parts.bare;
    this.settings = parts.settings;
    this.person = parts.person;
    this.wiki = parts.wiki;
  }

  static async open(
    more: Partial<RemoteSettings> = {},
    remote: { objectFormat?: 'sha256'; isFile?: boolean } = {},
  ): Promise<World> {
    const directory = temporaryDirectory();
    const repository = join(directory, 'test.git');
    git(directory, ['init', '--quiet', '--bare', '--initial-branch=main', repository]);
    const host = { backend: 'local', versions: {}, problems: [] };
    const opened = await openWiki({ directory, wiki: 'test', placement: 'local', host });
    onTestFinished(() => opened.close());
    const bare = emptyRepository(...(remote.objectFormat ? [`--object-format=${remote.objectFormat}`] : []));
    git(bare, ['config', 'http.receivepack', 'true']);
    const state: { world?: World } = {};
    const served = await serveRepository(bare, (exchange) => state.world?.fault?.(exchange));
    const settings: RemoteSettings = {
      ...{
        url: remote.isFile ? bare : served.url,
        mode: 'two-way',
        branch: null,
        every_ms: 60_000,
        token_from: null,
      },
      ...more,
    };
    const person = localRepository();
    const world = new World({ directory: repository, bare, settings, person, wiki: opened.wiki });
    state.world = world;
    await world.run('set_remote', { remote: settings });
    return world;
  }

  syncingOf(wiki: Wiki): Syncing {
    return new Syncing({
      ...{ wiki, name: null, call: CALL, now: Date.now, random: () => 0.5 },
      ...(this.maxPushBytes !== undefined && { maxPushBytes: this.maxPushBytes }),
      open: ({ url }) => ({
        shown: url,
        remote: url.startsWith('/')
          ? commandRemote(url)
          : httpRemote(url, {
              limits: { idleMs: this.idleMs, ...(this.packBytes && { packBytes: this.packBytes }) },
            }),
      }),
    });
  }

  /** A world in which both sides have the page Start and are in step, and then a new page each. */
  static async diverged(more: Partial<RemoteSettings> = {}): Promise<World> {
    const world = await World.begun(more);
    await world.write('Ours', 'By the wiki.\n');
    world.push('Theirs.md', 'By a person.\n');
    return world;
  }

  static async begun(more: Partial<RemoteSettings> = {}): Promise<World> {
    const world = await World.open(more);
    await world.write('Start', LINES.join(''));
    await world.sync();
    expect(world.report?.state).toBe('in_step');
    return world;
  }

  async run<Name extends OperationName>(name: Name, input: object): Promise<Output<Name>> {
    return (await callOperation(this.wiki, name, input, CALL)) as Output<Name>;
  }

  async write(path: string, content: string): Promise<void> {
    const page = await this.run('read_page', { path }).catch(() => null);
    const version = page === null ? {} : { version: page.version };
    const { commit } = await this.run('write_page', { path, content, ...version });
    if (commit !== null) this.commits.wiki.push(commit);
  }

  /** A person commits a page on the newest commit of the remote, and pushes it. */
  push(page: string, text: string | null, branch = 'main'): string {
    return this.pushFrom(branch, () => {
      if (text !== null) return this.person.commit(page, text);
      rmSync(join(this.person.directory, page));
      git(this.person.directory, ['commit', '--quiet', '--all', '--message', `Delete ${page}`]);
      return git(this.person.directory, ['rev-parse', 'HEAD']);
    });
  }

  pushFrom(branch: string, commit: () => string): string {
    const { directory } = this.person;
    git(directory, ['fetch', '--quiet', this.bare, branch]);
    git(directory, ['checkout', '--quiet', '--detach', 'FETCH_HEAD']);
    const oid = commit();
    git(directory, ['push', '--quiet', this.bare, `HEAD:refs/heads/${branch}`]);
    this.commits.remote.push(oid);
    return oid;
  }

  /** A person moves a branch of the remote by force. */
  force(commit: string, branch = 'main'): void {
    git(this.person.directory, ['push', '--quiet', '--force', this.bare, `${commit}:refs/heads/${branch}`]);
  }

  async sync(settings = this.settings): Promise<SyncReport> {
    const { report } = await this.syncingOf(this.wiki).attempt(settings, this.report, {
      deadlineMs: this.deadlineMs,
    });
    expect(await this.run('get_remote', {})).toMatchObject({ report });
    this.report = report;
    return report;
  }

  /** The text of a page at the head of the wiki; null if there is none. */
  async text(path: string): Promise<string | null> {
    const page = await this.run('read_page', { path }).catch(() => null);
    return page?.content ?? null;
  }

  async head(): Promise<string> {
    const { head, refs } = await this.run('list_refs', {});
    return refs.find(({ name }) => name === head)?.oid ?? '';
  }

  remoteHead(branch = 'main'): string {
    return git(this.bare, ['rev-parse', `refs/heads/${branch}`]);
  }

  /** Nothing that somebody wrote is lost on either side, both have the same head, and git finds both sound. */
  async requireInStep(branch = 'main'): Promise<void> {
    expect(this.report?.state).toBe('in_step');
    const head = await this.head();
    expect(this.remoteHead(branch)).toBe(head);
    for (const oid of [...this.commits.wiki, ...this.commits.remote]) {
      git(this.bare, ['merge-base', '--is-ancestor', oid, head]);
    }
    this.requireSound();
  }

  /** Each side still has all that it had. */
  async requireNothingLost(branch = 'main'): Promise<void> {
    for (const oid of this.commits.wiki)
      git(this.directory, ['merge-base', '--is-ancestor', oid, await this.head()]);
    for (const oid of this.commits.remote)
      git(this.bare, ['merge-base', '--is-ancestor', oid, this.remoteHead(branch)]);
    this.requireSound();
  }

  requireSound(): void {
    for (const side of [this.directory, this.bare]) git(side, ['fsck', '--strict', '--no-dangling']);
  }
}

export const LINES = Array.from({ length: 20 }, (_, at) => `Line ${at} of the page.\n`);

/** Long for a machine that answers by itself, short for a test. */
const IDLE_MS = 2_000;
