import type { BigIntStats } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { type Access, parseAccess } from '@pagetree/access/parse-access';

/** The rules in a file, which is read again when it changes. A file with a mistake leaves the last good rules in force. */
export class AccessFile {
  readonly #path: string;
  readonly #log: (line: string) => void;
  #access: Access;
  /** Changes with the file. */
  #seen: string;
  #fault: string | null = null;

  private constructor(path: string, access: Access, seen: string, log: (line: string) => void) {
    this.#path = path;
    this.#access = access;
    this.#seen = seen;
    this.#log = log;
  }

  static async open(
    path: string,
    log: (line: string) => void,
  ): Promise<{ kind: 'file'; file: AccessFile } | { kind: 'mistake'; sentence: string }> {
    try {
      const seen = await lookAt(path);
      const parsed = parseAccess(await readFile(path, 'utf8'));
      if (parsed.kind === 'mistake') return { kind: 'mistake', sentence: `${parsed.sentence} (${path})` };
      return { kind: 'file', file: new AccessFile(path, parsed.access, seen, log) };
    } catch (error) {
      return { kind: 'mistake', sentence: cannotRead(path, error) };
    }
  }

  get access(): Access {
    return this.#access;
  }

  /** Looks at the file once a second until `signal` aborts. `changed` is called after new rules came into force. */
  follow(changed: () => void, signal: AbortSignal): void {
    let isLooking = false;
    const timer = setInterval(async () => {
      if (isLooking) return;
      isLooking = true;
      if (await this.#look()) changed();
      isLooking = false;
    }, LOOK_EVERY_MS);
    timer.unref();
    signal.addEventListener('abort', () => clearInterval(timer), { once: true });
  }

  async #look(): Promise<boolean> {
    try {
      // Looked at first: a change while it is read is seen the next time.
      const seen = await lookAt(this.#path);
      if (seen === this.#seen) return false;
      const parsed = parseAccess(await readFile(this.#path, 'utf8'));
      this.#seen = seen;
      if (parsed.kind === 'mistake') return this.#keep(parsed.sentence);
      this.#access = parsed.access;
      this.#fault = null;
      this.#log(`the rules in ${this.#path} are new, and in force`);
      return true;
    } catch (error) {
      return this.#keep(cannotRead(this.#path, error));
    }
  }

  #keep(fault: string): false {
    if (fault !== this.#fault) this.#log(`${fault} The rules of before stay in force.`);
    this.#fault = fault;
    return false;
  }
}

async function lookAt(path: string): Promise<string> {
  const status: BigIntStats = await stat(path, { bigint: true });
  // To read a pipe may wait for ever.
  if (!status.isFile()) throw new Error('it is no file');
  if (status.size > MAX_BYTES) throw new Error(`it has more than ${MAX_BYTES / 1_000_000} MB`);
  const { ctimeNs, ino, size } = status;
  return `${ctimeNs} ${ino} ${size}`;
}

function cannotRead(path: string, error: unknown): string {
  return `The file ${path} (--access) cannot be read: ${error instanceof Error ? error.message : String(error)}.`;
}

const LOOK_EVERY_MS = 1_000;
const MAX_BYTES = 10_000_000;
