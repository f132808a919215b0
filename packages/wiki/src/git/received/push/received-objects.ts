import type { GitObject, ObjectType, Oid } from '../../../formats/oid.ts';
import type { ObjectReader } from '../../../storage/storage.ts';
import { readIfThere } from '../../storage-failures.ts';
import { BOUNDS } from '../bounds.ts';
import { ObjectJudge } from '../object-judge.ts';
import { PackReader } from '../read-pack.ts';
import type { Refusals } from '../refusals.ts';

/** The objects of one push: those of its pack, and copies of stored ones that no history of the wiki keeps. */
export class ReceivedObjects {
  readonly packBytes: Uint8Array | null;
  readonly reader: PackReader | null;
  /** The words of the errors. */
  readonly refusals: Refusals;
  readonly #stored: ObjectReader;
  readonly #judge: ObjectJudge;
  readonly #types = new Map<Oid, ObjectType>();
  /** Commits and folders of the pack, and all copies. */
  readonly #kept = new Map<Oid, GitObject>();
  readonly #copied = new Set<Oid>();
  #keptBytes = 0;

  /** Names and judges every object of the pack. */
  static async read(
    packBytes: Uint8Array | null,
    stored: ObjectReader,
    refusals: Refusals,
    signal: AbortSignal | undefined,
  ) {
    const readBase = (oid: Oid) => readIfThere(stored, oid);
    const reader = packBytes === null ? null : new PackReader(packBytes, { signal, refusals, readBase });
    const received = new ReceivedObjects(packBytes, reader, stored, refusals);
    await received.#readPack();
    return received;
  }

  private constructor(
    packBytes: Uint8Array | null,
    reader: PackReader | null,
    stored: ObjectReader,
    refusals: Refusals,
  ) {
    this.packBytes = packBytes;
    this.reader = reader;
    this.refusals = refusals;
    this.#stored = stored;
    this.#judge = new ObjectJudge(refusals);
  }

  /** The type of an object of the push. */
  typeOf(oid: Oid): ObjectType | undefined {
    return this.#types.get(oid);
  }

  /** Stored objects that the pack must hold as well: the bases of its deltas, and copies. */
  get added(): readonly Oid[] {
    const bases = this.reader?.bases ?? [];
    return [...bases.filter((oid) => !this.#copied.has(oid)), ...this.#copied];
  }

  /** A commit or folder of the push. */
  kept(oid: Oid): GitObject | undefined {
    return this.#kept.get(oid);
  }

  /** A commit or folder of the push, or any stored object. */
  async readStored(oid: Oid): Promise<GitObject> {
    return this.#kept.get(oid) ?? this.#stored.read(oid);
  }

  /** Copies a stored object into the push. Throws `invalid_input` if there is none of this type. */
  async copy(oid: Oid, type: ObjectType): Promise<void> {
    const object = await readIfThere(this.#stored, oid);
    if (object === null) throw this.refusals.broken(`it lacks the ${type} ${oid}`);
    if (object.type !== type) {
      throw this.refusals.refusedObject(object.type, oid, `another object names it as a ${type}`);
    }
    if (this.#copied.size === BOUNDS.objects) {
      throw this.refusals.tooLarge(`it needs copies of more than ${BOUNDS.objects} objects`);
    }
    this.#judge.look(type, oid, object.content);
    this.#types.set(oid, type);
    this.#copied.add(oid);
    this.#keep(oid, object);
  }

  /** Judges the files that git judges because of their names, wherever they are stored. */
  async judgeFiles(): Promise<void> {
    if (!this.#judge.hasFiles) return;
    const inPack = this.reader?.types;
    const isInPack = (oid: Oid) => inPack?.has(oid) ?? false;
    await this.reader?.readAgain(
      (oid) => this.#judge.isFile(oid),
      (type, oid, content) => this.#judge.lookAtFile(type, oid, content),
    );
    for (const oid of this.#judge.files) {
      const object = isInPack(oid) ? null : await readIfThere(this.#stored, oid);
      if (object !== null) this.#judge.lookAtFile(object.type, oid, object.content);
    }
  }

  async #readPack(): Promise<void> {
    await this.reader?.read((type, oid, content) => {
      this.#judge.look(type, oid, content);
      if (type === 'commit' || type === 'tree') this.#keep(oid, { type, content });
    });
    for (const [oid, type] of this.reader?.types ?? []) this.#types.set(oid, type);
  }

  #keep(oid: Oid, object: GitObject): void {
    this.#keptBytes += object.content.length + OVERHEAD_BYTES;
    if (this.#keptBytes > BOUNDS.pushedBytes) {
      throw this.refusals.tooLarge(
        `its commits and folders have more than ${BOUNDS.pushedBytes} bytes together`,
      );
    }
    this.#kept.set(oid, object);
  }
}

const OVERHEAD_BYTES = 400;
