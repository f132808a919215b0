import { limits } from '@pagetree/wiki/contract';

/** The arguments of a fetch, in either version of the protocol. */
export class FetchArguments {
  readonly wants: string[] = [];
  readonly haves: string[] = [];
  readonly shallow: string[] = [];
  depth: number | null = null;
  since: number | null = null;
  filter: string | null = null;
  isRelative = false;
  isThin = false;
  isDone = false;
  isQuiet = false;
  waitsForDone = false;
  /** True if the client named more commits than one call takes: then it has to do with what these suffice for. */
  isCut = false;
  /** The sentence that says why this cannot be answered. */
  fault: string | null = null;
  #named = 0;

  static read(lines: readonly string[]): FetchArguments {
    const given = new FetchArguments();
    for (const line of lines) given.add(line);
    return given;
  }

  get isDeepening(): boolean {
    return this.depth !== null || this.since !== null;
  }

  add(line: string): void {
    const space = line.indexOf(' ');
    const name = space === -1 ? line : line.slice(0, space);
    const value = space === -1 ? '' : line.slice(space + 1);
    const fault = this.#take(name, value);
    this.fault ??= fault;
  }

  #take(name: string, value: string): string | null {
    switch (name) {
      case 'want':
        return this.#takeOid(this.wants, value);
      case 'have':
        if (this.#named >= MAX_NAMED) {
          this.isCut = true;
          return null;
        }
        return this.#takeOid(this.haves, value);
      case 'shallow':
        return this.#takeOid(this.shallow, value);
      case 'deepen':
        this.depth = numberIn(value);
        return this.depth === null || this.depth < 1 ? 'A depth must be a number from 1 on.' : null;
      case 'deepen-since':
        this.since = numberIn(value);
        return this.since === null ? 'A time must be a number of seconds since 1970.' : null;
      case 'deepen-not':
        return 'A shallow clone without the history of a ref (--shallow-exclude) is not supported here.';
      case 'filter':
        this.filter = value;
        return null;
      default:
        return this.#takeFlag(name);
    }
  }

  #takeFlag(name: string): string | null {
    if (name === 'deepen-relative') this.isRelative = true;
    else if (name === 'thin-pack') this.isThin = true;
    else if (name === 'done') this.isDone = true;
    else if (name === 'no-progress') this.isQuiet = true;
    else if (name === 'wait-for-done') this.waitsForDone = true;
    else if (!IGNORED.has(name)) return `There is no argument ${JSON.stringify(name)} of a fetch here.`;
    return null;
  }

  #takeOid(taken: string[], value: string): string | null {
    if (!/^[0-9a-f]{40}$/.test(value)) return 'An object must be named by 40 hexadecimal digits.';
    if (this.#named >= MAX_NAMED) return `One fetch can name ${MAX_NAMED} objects.`;
    this.#named += 1;
    taken.push(value);
    return null;
  }
}

/** Null if it is none that a program holds exactly. */
function numberIn(value: string): number | null {
  return /^\d{1,15}$/.test(value) ? Number(value) : null;
}

/** Objects in all lists together. The arguments of a call hold few other values besides. */
const MAX_NAMED = limits.fetchedMost - 100;
/** A tag comes only if it is wanted: git asks for the missing ones. A delta names its base by its oid. */
const IGNORED = new Set(['include-tag', 'ofs-delta']);
