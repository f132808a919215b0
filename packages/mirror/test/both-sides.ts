import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { type OpenedWiki, openWiki } from '@pagetree/wiki';
import { blobOid } from '@pagetree/wiki/content-hash';
import type { Call, Scope, Wiki } from '@pagetree/wiki/contract';
import { onTestFinished } from 'vitest';
import { git, temporaryDirectory } from '../../wiki/test/native-git.ts';
import { type Disk, nodeDisk } from '../src/folder/disk.ts';
import { type OpenedMirror, openMirror } from '../src/open-mirror.ts';
import { Hints } from './hints.ts';

const call: Call = { caller: { author: { name: 'Ada', email: 'ada@example.org' }, agent: null } };
const agent: Call = { caller: { author: { name: 'Bob', email: 'bob@example.org' }, agent: 'robot/1' } };

/** So far the clock goes on with each pass. */
const PASS_MS = 400;
const NO_HINTS: ReadonlySet<string> = new Set();

/** A wiki in a repository, a folder, and the mirror between them, whose clock goes on only with the test. */
export class BothSides {
  readonly folder: string;
  readonly repository: string;
  readonly said: string[] = [];
  readonly wiki: Wiki;
  scope: Scope | undefined;
  disk: Disk = nodeDisk;
  /** True if the hints of the system get lost. */
  isDeaf = false;
  readonly #wikis: OpenedWiki;
  #isOpen = true;
  #opened: OpenedMirror | null = null;
  #hints: Hints | null = null;
  #aheadMs = 0;

  private constructor(directory: string, opened: OpenedWiki) {
    this.folder = join(directory, 'folder');
    this.repository = join(directory, 'wikis', 'main.git');
    this.wiki = opened.wiki;
    this.#wikis = opened;
  }

  static async open(files: Record<string, string | Buffer> = {}): Promise<BothSides> {
    const directory = temporaryDirectory();
    fs.mkdirSync(join(directory, 'wikis'));
    git(directory, ['init', '--quiet', '--bare', '--initial-branch=main', 'wikis/main.git']);
    const host = { backend: 'local', versions: {}, problems: [] };
    const opened = await openWiki({
      ...{ directory: join(directory, 'wikis'), wiki: 'main', placement: 'local', host },
      workDirectory: directory,
    });
    const sides = new BothSides(directory, opened);
    onTestFinished(() => sides.end());
    for (const [path, content] of Object.entries(files)) await sides.agentWrites(path, content);
    return sides;
  }

  /**
   * One pass of the mirror, which starts if it does not run. Only its first passes look at all files: the others look where the
   * system reports a change. Its disk may be another one from now on. With another wiki it starts anew.
   */
  async pass({ disk, wiki = this.wiki }: { disk?: Disk; wiki?: Wiki } = {}) {
    this.#aheadMs += PASS_MS;
    if (wiki !== this.wiki) this.stop();
    this.disk = disk ?? this.disk;
    this.#opened ??= await openMirror(this.folder, {
      ...{ wiki, name: null, call: { ...call, scope: this.scope }, disk: this.#currentDisk(), randomBytes },
      now: () => Date.now() + this.#aheadMs,
      say: (sentence) => this.said.push(sentence),
    });
    const hints = this.isDeaf ? NO_HINTS : ((await this.#hints?.take()) ?? null);
    const passed = await this.#opened.mirror.pass(hints);
    this.#hints ??= new Hints(this.folder);
    this.#hints.update(passed.folders);
    return passed;
  }

  #currentDisk(): Disk {
    const names = Object.keys(nodeDisk) as (keyof Disk)[];
    const call =
      (name: keyof Disk) =>
      (...args: unknown[]) =>
        (this.disk[name] as (...args: unknown[]) => unknown)(...args);
    return Object.fromEntries(names.map((name) => [name, call(name)])) as Disk;
  }

  /** Passes until nothing is left to do. */
  async settle(): Promise<void> {
    for (let passes = 0; passes < 100; passes += 1) {
      const { nextInMs } = await this.pass();
      if (nextInMs === null) return;
      // Each pass lets some of it go by itself.
      this.wait(Math.max(0, nextInMs - PASS_MS));
    }
    throw new Error(`The sides do not come in step: ${this.said.slice(-5).join('\n')}`);
  }

  /** Ends the mirror as a crash does: nothing is saved. */
  stop(): void {
    this.#opened?.close();
    this.#opened = null;
    this.#hints?.close();
    this.#hints = null;
    this.disk = nodeDisk;
  }

  /** Closes the wiki too. */
  async end(): Promise<void> {
    this.stop();
    if (this.#isOpen) await this.#wikis.close();
    this.#isOpen = false;
  }

  wait(milliseconds: number): void {
    this.#aheadMs += milliseconds;
  }

  write(path: string, content: string | Buffer): void {
    fs.mkdirSync(dirname(this.place(path)), { recursive: true });
    fs.writeFileSync(this.place(path), content);
  }

  read(path: string): Buffer | null {
    return fs.existsSync(this.place(path)) ? fs.readFileSync(this.place(path)) : null;
  }

  place(path: string): string {
    return join(this.folder, path);
  }

  /** The files of the folder, without hidden ones. */
  files(below = ''): Map<string, string> {
    const found = new Map<string, string>();
    for (const entry of fs.readdirSync(this.place(below), { withFileTypes: true })) {
      const path = below === '' ? entry.name : `${below}/${entry.name}`;
      if (entry.name.startsWith('.')) continue;
      if (entry.isDirectory()) for (const [inner, content] of this.files(path)) found.set(inner, content);
      else if (entry.isFile()) found.set(path, fs.readFileSync(this.place(path), 'latin1'));
    }
    return found;
  }

  /** The files of the wiki, in the eyes of native git. */
  async inWiki(): Promise<Map<string, string>> {
    const { commit } = await this.wiki.list_files({}, call);
    if (commit === null) return new Map();
    const tree = git(this.repository, ['ls-tree', '-r', '-z', 'main']).split('\0').filter(Boolean);
    const files = tree.map((line) => {
      const [facts = '', path = ''] = line.split('\t');
      return { path, version: facts.split(' ')[2] ?? '' };
    });
    const blobs = await this.#blobs(files);
    return new Map(files.map(({ path }, at) => [path, `${blobs[at]?.toString('latin1')}`]));
  }

  async #blobs(files: { path: string; version: string }[]): Promise<Buffer[]> {
    if (files.length === 0) return [];
    const answer = await this.wiki.read_files({ files }, call);
    const content = Buffer.from(answer.content ?? '', 'base64');
    let end = 0;
    return files.map(({ path, version }, at) => {
      const start = end;
      end += answer.files[at]?.size ?? 0;
      const bytes = content.subarray(start, end);
      if (blobOid(bytes) !== version) throw new Error(`${path} has other bytes than git says`);
      return bytes;
    });
  }

  async agentWrites(path: string, content: string | Buffer): Promise<void> {
    await this.#agentCommits([{ path, content: Buffer.from(content) }]);
  }

  async agentDeletes(path: string): Promise<void> {
    await this.#agentCommits([{ path, content: null }]);
  }

  async agentMoves(from: string, to: string, content: Buffer): Promise<void> {
    await this.#agentCommits([
      { path: from, content: null },
      { path: to, content },
    ]);
  }

  async agentReads(path: string): Promise<Buffer | null> {
    const version = await this.#versionAt(path);
    const [bytes = null] = version === null ? [] : await this.#blobs([{ path, version }]);
    return bytes;
  }

  async #versionAt(path: string): Promise<string | null> {
    const { files } = await this.wiki.list_files({}, agent);
    return files.find((file) => file.path === path)?.version ?? null;
  }

  async #agentCommits(changes: { path: string; content: Buffer | null }[]): Promise<void> {
    const files = [];
    for (const { path, content } of changes) {
      files.push({ path, version: await this.#versionAt(path), size: content?.length ?? null });
    }
    const bytes = Buffer.concat(changes.flatMap(({ content }) => content ?? []));
    await this.wiki.commit_files({ files }, { ...agent, bytes });
  }
}
