import {
  type Call,
  callOperation,
  newRequestId,
  type Oid,
  type OperationName,
  type Output,
  toWikiError,
  type Wiki,
} from '@pagetree/wiki/contract';
import type { WikiFile } from '../names/placeable-files.ts';

/** A change of one file of the wiki. A null version means that there is none; a null content deletes it. */
export interface FileChange {
  path: string;
  version: Oid | null;
  content: Uint8Array | null;
}

export interface ReadFile {
  file: WikiFile;
  content: Uint8Array;
}

/** `other`: the wiki has not the known commit, as it was put back to an older state or is another one. */
export type Look = 'same' | 'newer' | 'other';

export interface WikiSideParts {
  wiki: Wiki;
  /** The name of the wiki; null for the default one. */
  name: string | null;
  call: Call;
  now: () => number;
  randomBytes: (count: number) => Uint8Array;
}

/** The files of a wiki, kept up to date by asking what changed. */
export class WikiSide {
  /** By path. */
  readonly files = new Map<string, WikiFile>();
  /** Versions that have more bytes than an answer can hold. They are not asked for again. */
  readonly tooLarge = new Set<Oid>();
  /** The files that were deleted so far. */
  deletedCount = 0;
  readonly #parts: WikiSideParts;
  #known: Oid | null;
  #isListed = false;

  /** `known`: a commit that the wiki must have if it is the one that is meant. */
  constructor(parts: WikiSideParts, known: Oid | null) {
    this.#parts = parts;
    this.#known = known;
  }

  /** The commit of the files. */
  get commit(): Oid | null {
    return this.#isListed ? this.#known : null;
  }

  /** Asks what changed. */
  async look(): Promise<Look> {
    if (this.#known === null) return this.#listAll();
    try {
      const changed = await this.#list({ known: this.#known });
      if (changed.commit === null) return 'other';
      if (!this.#isListed) return this.#listAll();
      for (const { path, version } of changed.files) {
        if (version === null) {
          this.files.delete(path);
          this.deletedCount += 1;
        } else this.files.set(path, { path, version });
      }
      const isNewer = changed.commit !== this.#known;
      this.#known = changed.commit;
      return isNewer ? 'newer' : 'same';
    } catch (error) {
      if (!isUnknownCommit(error)) throw error;
      return 'other';
    }
  }

  /**
   * Calls `take` with some files at a time and their bytes. Versions that the wiki does not have, or that are too large,
   * are left out.
   */
  async read(wanted: readonly WikiFile[], take: (read: readonly ReadFile[]) => Promise<void>): Promise<void> {
    const files = wanted.filter(({ version }) => !this.tooLarge.has(version));
    for (let at = 0; at < files.length; ) {
      const { read, answered } = await this.#readSome(files.slice(at, at + FILES_AT_ONCE));
      await take(read);
      at += answered;
    }
  }

  async readOne(file: WikiFile): Promise<Uint8Array | null> {
    let content: Uint8Array | null = null;
    await this.read([file], async ([read]) => {
      content = read?.content ?? null;
    });
    return content;
  }

  /** Makes one commit. Throws `version_conflict` if a file has another version by now. */
  async commitFiles(message: string, changes: readonly FileChange[]): Promise<void> {
    const files = changes.map(({ path, version, content }) => ({
      path,
      version,
      size: content?.length ?? null,
    }));
    const bytes = Buffer.concat(changes.flatMap(({ content }) => content ?? []));
    const { now, randomBytes } = this.#parts;
    const request_id = newRequestId(now(), randomBytes(10));
    await this.#ask('commit_files', { message, files, request_id }, { bytes });
  }

  async #listAll(): Promise<Look> {
    const { commit, files } = await this.#list({});
    this.files.clear();
    for (const { path, version } of files) if (version !== null) this.files.set(path, { path, version });
    const isNewer = !this.#isListed || commit !== this.#known;
    this.#isListed = true;
    this.#known = commit;
    return isNewer ? 'newer' : 'same';
  }

  /** The first of these files, as many as fit into one answer. */
  async #readSome(files: readonly WikiFile[]): Promise<{ read: readonly ReadFile[]; answered: number }> {
    const asked = files.map(({ path, version }) => ({ path, version }));
    let bytes: Uint8Array = new Uint8Array();
    const takeBytes = (given: Uint8Array) => {
      bytes = given;
    };
    let answer: Output<'read_files'>;
    try {
      answer = (await this.#ask('read_files', { files: asked }, { takeBytes })) as Output<'read_files'>;
    } catch (error) {
      const [first] = files;
      if (first === undefined || toWikiError(error).code !== 'too_large') throw error;
      // The wiki refuses only for the first one.
      this.tooLarge.add(first.version);
      return { read: [], answered: 1 };
    }
    let offset = 0;
    const read: ReadFile[] = [];
    for (const [index, { size }] of answer.files.entries()) {
      const file = files[index];
      if (size === null || file === undefined) continue;
      read.push({ file, content: bytes.subarray(offset, offset + size) });
      offset += size;
    }
    return { read, answered: answer.files.length };
  }

  /** All parts of a list. */
  async #list(query: { known?: Oid }): Promise<Pick<Output<'list_files'>, 'commit' | 'files'>> {
    const files: Output<'list_files'>['files'] = [];
    let cursor: string | null = null;
    for (;;) {
      const input = { ...query, ...(cursor !== null && { cursor }) };
      const part = (await this.#ask('list_files', input)) as Output<'list_files'>;
      files.push(...part.files);
      cursor = part.next_cursor;
      if (cursor === null) return { commit: part.commit, files };
    }
  }

  #ask(operation: OperationName, input: object, more: Partial<Call> = {}): Promise<unknown> {
    const { wiki, name, call } = this.#parts;
    return callOperation(
      wiki,
      operation,
      { ...(name !== null && { wiki: name }), ...input },
      { ...call, ...more },
    );
  }
}

/** In one call; the answer may have fewer. */
const FILES_AT_ONCE = 500;

/** The error for an unknown wiki has the code too, but names those that are there. */
function isUnknownCommit(error: unknown): boolean {
  const { code, data } = toWikiError(error);
  return code === 'not_found' && !Array.isArray(data.wikis);
}
