import { throwIfCancelled, WikiError } from '../../contract/errors.ts';
import type {
  FetchPlan,
  FetchRequest,
  GitRefs,
  PackPlace,
  PlannedPack,
  Sending,
} from '../../core/transport-port.ts';
import type { ObjectType, Oid } from '../../formats/oid.ts';
import { inBatches } from '../../scheduling/in-batches.ts';
import { taggedObject } from '../fsck/tag-faults.ts';
import { Objects } from '../objects.ts';
import { type RepositoryStorage, readIfThere } from '../storage-failures.ts';
import { encodePart } from './encode-part.ts';
import type { KeptList } from './kept-list.ts';
import { LastList } from './last-list.ts';
import { EVERYTHING, ObjectList } from './list-objects.ts';
import { cutHistory } from './shallow-cut.ts';
import { walkCommits } from './walk-commits.ts';
import { WalkReader } from './walk-reader.ts';

export interface OpenSending extends Sending {
  /** Finds out now, and keeps, what the next clone of a long history would take its time for. May be ended at any point. */
  prepareClone(call: Parameters<Sending['plan']>[1]): Promise<void>;
}

/** Gives refs and objects of a repository to native git. Every method throws WikiError. */
export function openSending(storage: RepositoryStorage, kept: KeptList): OpenSending {
  // The parts of one fetch are asked for one after another. The oldest plan comes first.
  const plans = new Map<string, Promise<FetchPlan>>();
  const last = new LastList(kept);
  return {
    refs: () => refsOf(storage),
    async plan(request, call) {
      const key = JSON.stringify(request);
      const known = await plans.get(key)?.catch(() => null);
      if (known) return known;
      const planned = storage.readMuch(() => new Planner(storage, call, last).plan(request));
      plans.set(key, planned);
      for (const oldest of plans.keys()) if (plans.size > MAX_PLANS) plans.delete(oldest);
      planned.catch(() => plans.delete(key));
      return planned;
    },
    async prepareClone(call) {
      const tip = await storage.head();
      const bytes = await storage.packedBytes();
      if (tip === null || bytes < MIN_PREPARED_BYTES || bytes > MAX_PREPARED_BYTES) return;
      try {
        await storage.readMuch(() => new Planner(storage, call, last).plan(cloneOf(tip)));
      } catch (error) {
        if (!call.signal?.aborted) throw error;
      }
    },
  };
}

async function refsOf(storage: RepositoryStorage): Promise<GitRefs> {
  const head = `refs/heads/${storage.branch}`;
  const tip = await storage.head();
  const named = new Map(await storage.refs());
  // The branch of the wiki is at its newest commit, wherever its ref is.
  if (tip === null) named.delete(head);
  else named.set(head, tip);
  const refs: GitRefs['refs'] = [];
  // In git's order, by bytes.
  const sorted = [...named].map(([name, oid]) => ({ name, oid, bytes: Buffer.from(name) }));
  for (const { name, oid } of sorted.sort((one, other) => one.bytes.compare(other.bytes))) {
    const object = await readIfThere(storage, oid);
    if (object === null) continue;
    refs.push({ name, oid, peeled: object.type === 'tag' ? await peel(storage, oid) : null });
  }
  return { head, refs };
}

/** The object that a tag names in the end; null if it names none that is there. */
async function peel(storage: RepositoryStorage, tag: Oid): Promise<Oid | null> {
  let at = tag;
  for (let depth = 0; depth < MAX_TAGS; depth += 1) {
    const object = await readIfThere(storage, at);
    if (object === null) return null;
    if (object.type !== 'tag') return at;
    at = taggedObject(object.content).oid;
  }
  return null;
}

class Planner {
  readonly #storage: RepositoryStorage;
  readonly #call: Parameters<Sending['plan']>[1];
  readonly #reader: WalkReader;
  readonly #objects: Objects;
  readonly #last: LastList;

  constructor(storage: RepositoryStorage, call: Parameters<Sending['plan']>[1], last: LastList) {
    this.#storage = storage;
    this.#call = call;
    this.#last = last;
    this.#reader = new WalkReader(storage);
    this.#objects = new Objects(this.#reader, CACHE_BYTES);
  }

  async plan(request: FetchRequest): Promise<FetchPlan> {
    const asked = await this.#asked(request.wants);
    const whole = wholeHistoryIn(request, asked);
    if (whole !== null) {
      const list = new ObjectList(this.#objects, EVERYTHING);
      const isListed = await this.#last.continueTo(whole, list, this.#objects, this.#call.signal);
      if (isListed) return this.#finish({ common: [], shallow: [], unshallow: [] }, list, whole);
    }
    const common = await this.#known(request.haves);
    const shallow = new Set(await this.#known(request.shallow));
    const { signal } = this.#call;
    const options = { ...request, objects: this.#objects, wants: asked.commits, shallow, signal };
    const cut = await cutHistory(options);
    const walk = await walkCommits({
      ...{ objects: this.#objects, haves: common, shallow, isCut: cut.isCut, signal },
      wants: [...asked.commits, ...cut.wants],
    });
    const found = { common, shallow: cut.shallow, unshallow: cut.unshallow };
    if (!request.isFinal && (common.length === 0 || walk.reachedRoot)) return { ...found, pack: null };
    const { filter, mayBeThin } = request;
    const list = new ObjectList(this.#objects, {
      leavesOutTrees: filter.trees,
      leavesOutBlob: async (oid) => this.#isLargeBlob(oid, filter.blobBytes),
      mayBeThin,
    });
    for (const commit of walk.sent) {
      throwIfCancelled(this.#call.signal);
      await list.addCommit(commit, walk.isHad);
    }
    for (const { oid, type } of asked.others) await list.addAsked(oid, type);
    return this.#finish(found, list, whole);
  }

  async #finish(found: Omit<FetchPlan, 'pack'>, list: ObjectList, whole: Oid | null): Promise<FetchPlan> {
    if (whole !== null) await this.#last.keep(whole, list);
    return { ...found, pack: await this.#pack(list) };
  }

  /** The commits that a client asks for, and the tags, trees and blobs. */
  async #asked(wants: readonly Oid[]): Promise<Asked> {
    const { commits, others }: Asked = { commits: [], others: [] };
    for (const want of new Set(wants)) {
      let oid = want;
      for (let depth = 0; depth < MAX_TAGS; depth += 1) {
        const object = await readIfThere(this.#storage, oid);
        if (object === null) throw unknownObject(oid);
        if (object.type === 'commit') commits.push(oid);
        else others.push({ oid, type: object.type });
        if (object.type !== 'tag') break;
        oid = taggedObject(object.content).oid;
      }
    }
    return { commits, others };
  }

  /** Side by side: searches for what is not there share the listings of directories. */
  async #known(commits: readonly Oid[]): Promise<Oid[]> {
    const all = [...new Set(commits)];
    const found = await inBatches(all, (oid) => this.#objects.findCommit(oid));
    return all.filter((_, at) => found[at] !== null);
  }

  async #isLargeBlob(oid: Oid, mostBytes: number): Promise<boolean> {
    if (mostBytes === Number.POSITIVE_INFINITY) return false;
    return mostBytes === 0 || (await this.#objects.blobSize(oid)) >= mostBytes;
  }

  async #pack({ objects }: ObjectList): Promise<PlannedPack> {
    const numbers = new Map(objects.map(({ oid }, at) => [oid, at]));
    const storage = this.#storage;
    const options = { reader: storage, objects, numbers };
    let packed = objects.length < MIN_COPIED ? null : await this.#reader.packed();
    const part = async (from: PackPlace, mostBytes: number) => {
      for (let opened = 0; opened < MAX_OPENED; opened += 1) {
        const made = await encodePart({ ...options, packed }, from, mostBytes);
        if (made !== null) return made;
        packed = await storage.packedEntries();
      }
      throw packsMerged();
    };
    return {
      objects: objects.length,
      part: (from, mostBytes) => storage.readMuch(() => part(from, mostBytes)),
    };
  }
}

interface Asked {
  commits: Oid[];
  others: { oid: Oid; type: ObjectType }[];
}

function cloneOf(tip: Oid): FetchRequest {
  return {
    ...{ wants: [tip], haves: [], isFinal: true, shallow: [], depth: null, fromShallow: false, since: null },
    ...{ filter: { blobBytes: Number.POSITIVE_INFINITY, trees: false }, mayBeThin: false },
  };
}

/** The commit of which all is asked for, and nothing else; null if another thing is. */
function wholeHistoryIn(request: FetchRequest, { commits, others }: Asked): Oid | null {
  const { haves, shallow, isFinal, depth, since, filter } = request;
  const [tip = null] = commits;
  const isBounded = depth !== null || since !== null || filter.trees || Number.isFinite(filter.blobBytes);
  if (isBounded || !isFinal || haves.length > 0 || shallow.length > 0) return null;
  return commits.length === 1 && others.length === 0 ? tip : null;
}

/** Packs that are gone when they are to be read were merged after they were listed. */
function packsMerged(): WikiError {
  return new WikiError('busy', {
    happened: 'The packs of the wiki were merged again and again while objects were read.',
    now: 'Not everything was sent.',
    next: 'Fetch again.',
  });
}

function unknownObject(oid: Oid): WikiError {
  return new WikiError('not_found', {
    happened: `The wiki has no object ${oid}.`,
    now: 'Nothing was sent.',
    next: 'Fetch again: the branch may have moved.',
  });
}

/** To find fewer in packs takes longer than to read them. */
const MIN_COPIED = 500;
/** Packs are merged once in a while. */
const MAX_OPENED = 5;
const MAX_PLANS = 2;
/** A clone of less finds all within a moment. */
const MIN_PREPARED_BYTES = 500_000;
/** A list of more takes memory that a function on AWS may not have. */
const MAX_PREPARED_BYTES = 100_000_000;
/** Tags of tags are rare, and none of them are deep. */
const MAX_TAGS = 10;
const CACHE_BYTES = 16_000_000;
