import { join } from 'node:path';
import type { ObjectCount } from '../../scheduling/stepwise.ts';
import { makeDirectory, removeFile } from '../files/directories.ts';
import { replaceFile } from '../files/durable-file.ts';
import type { FileSystem } from '../files/file-system.ts';
import { type Host, randomName } from '../files/host.ts';
import { readTextFile } from '../files/text-file.ts';
import type { Layout } from '../layout.ts';
import { countOf, encodeRun, type KeptRun, readRun } from './run-file.ts';

export interface KeeperParts {
  fs: FileSystem;
  host: Host;
  layout: Layout;
}

export type RunKind = 'check' | 'repair';

/** Thrown if another call goes on with this run. */
export class TakenOver extends Error {}

interface Mark extends ObjectCount {
  owner: string;
  began: number;
  /** Milliseconds since 1970. A process that died or froze blocks no other for longer. */
  until: number;
}

/** Keeps the progress of a run between its calls, and the mark of the process at work; see inSteps. */
export class RunKeeper {
  readonly #parts: KeeperParts;
  readonly #kind: RunKind;
  readonly #owner: string;
  #savedAt: number;
  #pauseMs = SAVE_EVERY_MS;
  #hasMark = false;

  constructor(parts: KeeperParts, kind: RunKind) {
    this.#parts = parts;
    this.#kind = kind;
    this.#owner = randomName(parts.host);
    this.#savedAt = performance.now();
  }

  /** The mark of another process at work on this wiki, or null. */
  async otherAtWork(): Promise<Mark | null> {
    const mark = parseMark(await readTextFile(this.#parts.fs, this.#path(MARK)));
    return mark === null || mark.owner === this.#owner || mark.until < this.#parts.host.now() ? null : mark;
  }

  async load(): Promise<KeptRun> {
    const { fs, host, layout } = this.#parts;
    const kept = await readRun(fs, this.#path(this.#kind));
    const { inode: place } = await fs.lstat(layout.gitDirectory);
    const isOld = kept !== null && host.now() - kept.began > FORGET_AFTER_MS;
    if (kept !== null && !isOld && kept.place === place) return kept;
    return { began: host.now(), place, memory: { slots: {}, lists: {} } };
  }

  saveNowAndThen(kept: KeptRun): Promise<void> | undefined {
    return performance.now() - this.#savedAt < this.#pauseMs ? undefined : this.#save(kept);
  }

  /** Saves the state for the next call. Returns false if another call took the run over meanwhile. */
  async leave(kept: KeptRun): Promise<boolean> {
    try {
      await this.#save(kept);
    } catch (error) {
      if (error instanceof TakenOver) return false;
      throw error;
    }
    await removeFile(this.#parts.fs, this.#path(MARK));
    return true;
  }

  /** Forgets the saved state: after a repair, the findings of an earlier check no longer hold. */
  async forget(): Promise<void> {
    const { fs } = this.#parts;
    for (const kind of this.#kind === 'repair' ? (['check', 'repair'] as const) : [this.#kind]) {
      await removeFile(fs, this.#path(kind));
    }
    if (this.#hasMark && (await this.otherAtWork()) === null) await removeFile(fs, this.#path(MARK));
  }

  async #save(kept: KeptRun): Promise<void> {
    const begun = performance.now();
    await this.#claim(kept);
    await this.#replace(this.#kind, encodeRun(kept));
    this.#savedAt = performance.now();
    // The progress in a large wiki is large too: saving it takes a tenth of the time at most.
    this.#pauseMs = Math.max(SAVE_EVERY_MS, 10 * (this.#savedAt - begun));
  }

  /** A process that was frozen finds the mark of another one, or a newer run, and leaves both alone. */
  async #claim(kept: KeptRun): Promise<void> {
    if ((await this.otherAtWork()) !== null) throw new TakenOver();
    const until = this.#parts.host.now() + MARK_MS + this.#pauseMs;
    const mark: Mark = { owner: this.#owner, began: kept.began, until, ...countOf(kept) };
    await this.#replace(MARK, Buffer.from(JSON.stringify(mark)));
    this.#hasMark = true;
    // If two processes write the mark at once, the later one keeps it.
    if ((await this.otherAtWork()) !== null) throw new TakenOver();
  }

  async #replace(name: string, bytes: Uint8Array): Promise<void> {
    const { fs, host, layout } = this.#parts;
    await makeDirectory(fs, layout.runs);
    await replaceFile(fs, this.#path(name), `${this.#path(name)}.${randomName(host)}`, bytes);
  }

  #path(name: string): string {
    return join(this.#parts.layout.runs, name);
  }
}

function parseMark(text: string | null): Mark | null {
  try {
    return text === null ? null : (JSON.parse(text) as Mark);
  } catch {
    return null;
  }
}

const MARK = 'at-work';
const SAVE_EVERY_MS = 3_000;
/** The time by which a mark outlives the next save. */
const MARK_MS = 10_000;
/** Older progress says little about the current files. */
const FORGET_AFTER_MS = 7 * 24 * 60 * 60 * 1000;
