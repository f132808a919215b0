import { throwIfCancelled } from '../../contract/errors.ts';
import { deflateInParts } from '../../formats/deflate.ts';
import { EMPTY_TREE, type Oid } from '../../formats/oid.ts';
import { GrowingPack } from '../../formats/packs/growing-pack.ts';
import { entryHeader } from '../../formats/packs/pack-entry.ts';
import { packLevels } from '../../formats/packs/pack-levels.ts';
import { storedBlock } from '../../formats/packs/stored-block.ts';
import { yielding } from '../../scheduling/yielding.ts';
import type { ObjectReader } from '../../storage/storage.ts';
import { Objects } from '../objects.ts';
import { EVERYTHING, ObjectList, type SentObject } from './list-objects.ts';
import { walkCommits } from './walk-commits.ts';

/** A part of a history that lands by itself: what `to` reaches and `from`, one of its ancestors, does not. */
export interface HistoryStep {
  from: Oid | null;
  to: Oid;
  commits: number;
  pack: Uint8Array;
}

/** Limits for a step. A single commit may exceed them, with what it merges. */
export interface StepBounds {
  objects: number;
  /** The size of all objects once unpacked. */
  inflatedBytes: number;
}

/**
 * Cuts the history of a commit into steps along its first parents, so that each commit that ends a step descends from the
 * one before.
 */
export class HistorySteps {
  /** The commit with its first parents, the oldest first. */
  readonly trunk: readonly Oid[];
  readonly #reader: ObjectReader;
  readonly #objects: Objects;

  private constructor(reader: ObjectReader, objects: Objects, trunk: readonly Oid[]) {
    this.trunk = trunk;
    this.#reader = reader;
    this.#objects = objects;
  }

  static async of(reader: ObjectReader, tip: Oid): Promise<HistorySteps> {
    const objects = new Objects(reader, CACHE_BYTES);
    const trunk: Oid[] = [];
    for (let at: Oid | undefined = tip; at !== undefined; at = (await objects.commit(at)).parents[0]) {
      trunk.push(at);
    }
    return new HistorySteps(reader, objects, trunk.reverse());
  }

  /** The steps after a commit of the trunk, or from the beginning. */
  async *after(start: Oid | null, bounds: StepBounds, signal?: AbortSignal): AsyncIterable<HistoryStep> {
    let at = start === null ? 0 : this.trunk.indexOf(start) + 1;
    while (at < this.trunk.length) {
      const from = this.trunk[at - 1] ?? null;
      const list = new ObjectList(this.#objects, EVERYTHING);
      const pack = new StepPack(this.#reader);
      let commits = 0;
      let to = from;
      for (let next = this.trunk[at]; next !== undefined; next = this.trunk[at]) {
        throwIfCancelled(signal);
        const listed = list.objects.length;
        const sent = await this.#list(list, next, to, signal);
        const added = list.objects.slice(listed);
        const bytes = await pack.sizeOf(added);
        const fits =
          list.objects.length <= bounds.objects && pack.inflatedBytes + bytes <= bounds.inflatedBytes;
        if (!fits && to !== from) break;
        await pack.add(added, bytes);
        commits += sent;
        to = next;
        at += 1;
      }
      if (to !== null) yield { from, to, commits, pack: await pack.finish() };
    }
  }

  /** Lists what a commit reaches and `had` does not. Returns the number of commits. */
  async #list(list: ObjectList, commit: Oid, had: Oid | null, signal: AbortSignal | undefined) {
    const { sent, isHad } = await walkCommits({
      objects: this.#objects,
      wants: [commit],
      haves: had === null ? [] : [had],
      shallow: new Set(),
      isCut: () => false,
      signal,
    });
    for (const each of sent) await list.addCommit(each, isHad);
    return sent.length;
  }
}

/** The pack of one step. Objects are stored whole, as in a bundle. */
class StepPack {
  inflatedBytes = 0;
  readonly #reader: ObjectReader;
  readonly #pack = new GrowingPack(ROOM_BYTES);
  readonly #levelOf = packLevels();
  readonly #pause = yielding(TURN_MS);

  constructor(reader: ObjectReader) {
    this.#reader = reader;
  }

  async sizeOf(objects: readonly SentObject[]): Promise<number> {
    let bytes = 0;
    for (const { oid } of objects) {
      bytes += oid === EMPTY_TREE ? 0 : await this.#size(oid);
      await this.#pause();
    }
    return bytes;
  }

  async add(objects: readonly SentObject[], bytes: number): Promise<void> {
    for (const { oid, type } of objects) {
      const content = oid === EMPTY_TREE ? new Uint8Array() : (await this.#reader.read(oid)).content;
      this.#pack.begin(entryHeader(type, content.length));
      if (content.length <= STORED_BYTES) this.#pack.append(storedBlock(content));
      else await deflateInParts(content, this.#levelOf(type, content), (part) => this.#pack.append(part));
      await this.#pause();
    }
    this.inflatedBytes += bytes;
  }

  async finish(): Promise<Uint8Array> {
    return (await this.#pack.finish(this.#pause)).bytes;
  }

  async #size(oid: Oid): Promise<number> {
    return this.#reader.size === undefined
      ? (await this.#reader.read(oid)).content.length
      : this.#reader.size(oid);
  }
}

const CACHE_BYTES = 16_000_000;
/** Room that is not touched takes no memory. */
const ROOM_BYTES = 100_000_000;
const TURN_MS = 20;
/** To compress smaller objects saves few bytes, and takes most of the time. */
const STORED_BYTES = 256;
