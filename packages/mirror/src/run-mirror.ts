import type { watch as watchOf } from 'node:fs';
import { type Call, type Wiki, WikiError } from '@pagetree/wiki/contract';
import { nodeDisk } from './folder/disk.ts';
import { isFolderGone } from './folder-gone.ts';
import type { Mirror, Passed } from './mirror.ts';
import { openMirror } from './open-mirror.ts';
import { describeEnd, describeTrouble } from './trouble.ts';
import { FolderWatches } from './watch-folders.ts';

export interface RunParts {
  folder: string;
  wiki: Wiki;
  /** The name of the wiki; null for the default one. */
  name: string | null;
  call: Call;
  /** Ends the mirror after what is under way. */
  signal: AbortSignal;
  /** The wait between looks at the wiki. */
  lookEveryMs: number;
  platform: string;
  watch: typeof watchOf;
  /** Milliseconds since 1970. */
  now: () => number;
  randomBytes: (count: number) => Uint8Array;
  /** Tells the person. */
  say: (sentence: string) => void;
}

/**
 * Keeps a folder and a wiki in step until the signal comes.
 * @returns null, or the sentence that explains why it could not go on.
 */
export async function runMirror(parts: RunParts): Promise<string | null> {
  const { folder, signal, say, platform } = parts;
  try {
    const { mirror, close } = await openMirror(folder, { ...parts, disk: nodeDisk });
    const run = new Run(parts, mirror);
    const watches = new FolderWatches({
      root: folder,
      watch: parts.watch,
      isRecursive: platform !== 'linux',
      changed: (path) => run.hint(path),
      failed: (reason) => {
        say(
          `The system cannot watch all folders (${reason}): a save is found after some seconds instead of at once.`,
        );
        run.walksOften = true;
        run.hint('');
      },
    });
    const stop = () => run.wake();
    signal.addEventListener('abort', stop);
    try {
      while (!signal.aborted) await run.turn((folders) => watches.update(folders));
    } finally {
      signal.removeEventListener('abort', stop);
      watches.close();
      close();
    }
    return null;
  } catch (error) {
    return describeEnd(error, folder);
  }
}

/** When to look, and what to say about it. */
class Run {
  /** True if nothing tells of saves. */
  walksOften = false;
  readonly #parts: RunParts;
  readonly #mirror: Mirror;
  /** The time of the next pass, if nothing brings it before. */
  #passAtMs = 0;
  /** The time of the next pass that looks at all files. */
  #walkAtMs = 0;
  #walkEveryMs = FIRST_WALK_MS;
  /** True if the last pass left nothing to do. */
  #isQuiet = false;
  /** Paths where something changed; the empty one stands for all. */
  #hints = new Set<string>();
  #hintCount = 0;
  #wake: () => void = () => {};
  /** How often the last passes asked for another one at once. */
  #repeats = 0;
  #failures = 0;
  #trouble: string | null = null;
  #hasBegun = false;

  constructor(parts: RunParts, mirror: Mirror) {
    this.#parts = parts;
    this.#mirror = mirror;
  }

  /** Something changed in the folder. */
  hint(path: string): void {
    this.#hintCount += 1;
    // The system drops hints when it has too many.
    this.#hints.add(this.#hintCount > MAX_HINTS ? '' : path);
    this.#wake();
  }

  /** The mirror is to end. */
  wake(): void {
    this.#wake();
  }

  /** Waits for the next thing to do, and does it. */
  async turn(watch: (folders: ReadonlyMap<string, string>) => void): Promise<void> {
    try {
      const leftMs = Math.min(this.#leftMs(this.#passAtMs), this.#leftMs(this.#walkAtMs));
      if (this.#hints.size > 0 || leftMs <= 0 || (await this.#mirror.hasNews())) {
        await this.#pass(watch);
      } else await this.#pause(Math.min(this.#parts.lookEveryMs, leftMs));
    } catch (error) {
      if (isFolderGone(error) || (!this.#hasBegun && isFinal(error))) throw error;
      await this.#wait(error);
    }
  }

  async #pass(watch: (folders: ReadonlyMap<string, string>) => void): Promise<void> {
    const { now } = this.#parts;
    const hints = this.#hints;
    const isWalk = hints.has('') || this.#leftMs(this.#walkAtMs) <= 0;
    this.#hints = new Set();
    this.#hintCount = 0;
    const beganMs = now();
    const passed = await this.#mirror.pass(isWalk ? null : hints);
    watch(passed.folders);
    const tookMs = now() - beganMs;
    this.#repeats = passed.nextInMs === 0 ? this.#repeats + 1 : 0;
    const pauseMs = this.#repeats > MAX_REPEATS ? REPEAT_MS : 0;
    const hasFound = this.#isQuiet && hints.size === 0 && passed.nextInMs !== null;
    if (isWalk) this.#planWalk(hasFound);
    this.#isQuiet = passed.nextInMs === null;
    this.#passAtMs = now() + Math.max(pauseMs, passed.nextInMs ?? MAX_WALK_MS);
    if (passed.nextInMs === null) this.#sayInStep(passed);
    // Watches report each step of a save, and also what the mirror itself wrote.
    if (passed.nextInMs !== 0) await this.#rest(Math.max(LEAST_REST_MS, tookMs));
  }

  /** The more often, the more walks find what no watch reported, as on a network disk. */
  #planWalk(hasFound: boolean): void {
    this.#walkEveryMs = hasFound ? FIRST_WALK_MS : Math.min(2 * this.#walkEveryMs, MAX_WALK_MS);
    this.#walkAtMs = this.#parts.now() + (this.walksOften ? WALK_OFTEN_MS : this.#walkEveryMs);
  }

  #sayInStep({ files }: Passed): void {
    const { say, folder } = this.#parts;
    if (!this.#hasBegun) say(`In step: ${files} files in ${folder}. End with Ctrl-C.`);
    else if (this.#trouble !== null) say('In step again.');
    this.#hasBegun = true;
    this.#trouble = null;
    this.#failures = 0;
  }

  async #wait(error: unknown): Promise<void> {
    const { say, folder } = this.#parts;
    const trouble = describeTrouble(error, folder);
    if (trouble !== this.#trouble) say(trouble);
    this.#trouble = trouble;
    const waitMs = Math.min(FIRST_WAIT_MS * 2 ** this.#failures, MAX_WAIT_MS);
    this.#failures += 1;
    this.#passAtMs = this.#parts.now() + waitMs;
    await this.#rest(waitMs);
    this.#hints.add('');
  }

  /** After sleep the time has passed; if the clock was put back, it counts as passed. */
  #leftMs(atMs: number): number {
    const leftMs = atMs - this.#parts.now();
    return leftMs > MAX_WALK_MS ? 0 : leftMs;
  }

  /** Ends early if something changes. */
  #pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
      if (this.#parts.signal.aborted) this.#wake();
    });
  }

  /** Ends early only with the mirror. */
  async #rest(milliseconds: number): Promise<void> {
    const untilMs = this.#parts.now() + milliseconds;
    for (let left = milliseconds; left > 0 && left <= milliseconds && !this.#parts.signal.aborted; ) {
      await this.#pause(left);
      left = untilMs - this.#parts.now();
    }
  }
}

/** Between passes that look at all files, for saves that no watch reports. */
const FIRST_WALK_MS = 15_000;
const MAX_WALK_MS = 120_000;
const WALK_OFTEN_MS = 3_000;
/** Less than half of the events that Linux keeps, as for ignored names. */
const MAX_HINTS = 8_000;
const LEAST_REST_MS = 50;
const MAX_REPEATS = 20;
const REPEAT_MS = 1_000;
const FIRST_WAIT_MS = 1_000;
const MAX_WAIT_MS = 60_000;

/** True for what no wait cures, such as an unknown wiki. */
function isFinal(error: unknown): boolean {
  return error instanceof WikiError && ['not_found', 'invalid_input', 'forbidden'].includes(error.code);
}
