import type { Oid } from '../../formats/oid.ts';
import { yielding } from '../../scheduling/yielding.ts';
import { TURN_MS } from '../packs/merging/combine-packs.ts';
import { OidList } from './oid-list.ts';

/** A value that a run keeps between its calls: any JSON value. */
export interface Slot<T> {
  value: T;
}

/**
 * The progress of a run, in a form that can be saved at any step: each part of it is a fact that stays true.
 */
export interface RunMemory {
  slots: Record<string, Slot<unknown>>;
  lists: Record<string, OidList>;
}

/** Names in the memory: the list of sound objects, and the count of objects in the packs. */
export const SOUND = 'sound';
export const NOT_SOUND = 'not sound';
export const PACKED_OBJECTS = 'packed objects';

/** Thrown to end a call of a run whose time is over. The next call goes on from its memory. */
export class OutOfTime extends Error {}

export interface RunParts {
  memory: RunMemory;
  /** Returns false if this call is to end. */
  goOn(): boolean;
  /** Called often, between two steps. Saves the memory now and then. */
  checkpoint(): Promise<void> | undefined;
}

/** A check or a repair in small steps. Any step may be the last one of this call. */
export class Run {
  readonly #parts: RunParts;
  readonly #pause = yielding(TURN_MS);

  constructor(parts: RunParts) {
    this.#parts = parts;
  }

  /** A run without a time limit, which no other call continues. */
  static toItsEnd(): Run {
    const memory = { slots: {}, lists: {} };
    return new Run({ memory, goOn: () => true, checkpoint: () => undefined });
  }

  /**
   * The value that an earlier call kept under the name, or `initial`. A name always holds values of the same
   * type.
   */
  slot<T>(name: string, initial: T): Slot<T> {
    const { slots } = this.#parts.memory;
    slots[name] ??= { value: initial };
    return slots[name] as Slot<T>;
  }

  list(name: string): OidList {
    const { lists } = this.#parts.memory;
    lists[name] ??= new OidList();
    return lists[name];
  }

  /** Starts a list again with `first`. */
  clear(name: string, first: readonly Oid[]): OidList {
    const list = new OidList();
    for (const oid of first) list.add(oid);
    this.#parts.memory.lists[name] = list;
    return list;
  }

  /** Forgets all progress, as it is no longer true. */
  beginAnew(): void {
    const { slots, lists } = this.#parts.memory;
    for (const name of Object.keys(slots)) delete slots[name];
    for (const name of Object.keys(lists)) delete lists[name];
  }

  /** True if the next step ends this call. */
  isOver(): boolean {
    return !this.#parts.goOn();
  }

  /** Called when everything that was done is in the memory. Throws OutOfTime. */
  async step(): Promise<void> {
    if (this.isOver()) throw new OutOfTime('The time of this call is over.');
    await this.#parts.checkpoint();
    await this.#pause();
  }

  /** Does the work once and keeps its result. */
  async once<T>(name: string, work: () => Promise<T>): Promise<T> {
    const done = this.slot<{ result: T } | null>(`once ${name}`, null);
    if (done.value === null) {
      done.value = { result: await work() };
      await this.step();
    }
    return done.value.result;
  }
}
