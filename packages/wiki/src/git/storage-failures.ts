import { cureByPerson, type ErrorCode, type ErrorText, WikiError } from '../contract/errors.ts';
import type { ObjectReader, Storage } from '../storage/storage.ts';
import { StorageError, type StorageErrorCode } from '../storage/storage-error.ts';

/** Storage as a repository uses it. */
export type RepositoryStorage = Pick<
  Storage,
  | 'branch'
  | 'read'
  | 'size'
  | 'beginning'
  | 'readMuch'
  | 'head'
  | 'refs'
  | 'expand'
  | 'commit'
  | 'push'
  | 'merge'
  | 'tidy'
  | 'packedBytes'
  | 'packedEntries'
  | 'check'
  | 'checkInSteps'
  | 'repairInSteps'
>;

/** The same storage, with its errors translated to the wiki's own codes. */
export function withWikiErrors(storage: RepositoryStorage): RepositoryStorage {
  return {
    branch: storage.branch,
    read: (oid) => storage.read(oid).catch(throwAsWikiError),
    size: (oid) => storage.size(oid).catch(throwAsWikiError),
    beginning: (oid, most) => storage.beginning(oid, most).catch(throwAsWikiError),
    // The reads themselves report their errors.
    readMuch: (work) => storage.readMuch(work),
    head: () => storage.head().catch(throwAsWikiError),
    refs: () => storage.refs().catch(throwAsWikiError),
    expand: (prefix, limit) => storage.expand(prefix, limit).catch(throwAsWikiError),
    commit: (request) => storage.commit(request).catch(throwAsWikiError),
    packedEntries: async () => {
      const packed = await storage.packedEntries().catch(throwAsWikiError);
      return {
        packs: packed.packs,
        read: (oids, mostBytes) => packed.read(oids, mostBytes).catch(throwAsWikiError),
        objects: () => {
          const objects = packed.objects();
          return { read: (oid) => objects.read(oid).catch(throwAsWikiError) };
        },
      };
    },
    push: (request) => storage.push(request).catch(throwAsWikiError),
    merge: (request) => storage.merge(request).catch(throwAsWikiError),
    packedBytes: () => storage.packedBytes().catch(throwAsWikiError),
    tidy: (goOn) => storage.tidy(goOn).catch(throwAsWikiError),
    check: () => storage.check().catch(throwAsWikiError),
    checkInSteps: (limits) => storage.checkInSteps(limits).catch(throwAsWikiError),
    repairInSteps: (limits) => storage.repairInSteps(limits).catch(throwAsWikiError),
  };
}

/** The object `oid`, or null if there is none. */
export async function readIfThere(reader: ObjectReader, oid: string) {
  try {
    return await reader.read(oid);
  } catch (error) {
    if (causedBy(error) === 'missing_object') return null;
    throw error;
  }
}

/** The error for an object that exists but is not what it should be. */
export function damaged(oid: string, expected: string): WikiError {
  return new WikiError('internal', {
    happened: `The object ${oid} in the wiki's repository is not a ${expected}.`,
    ...DAMAGE,
  });
}

function causedBy(error: unknown): StorageErrorCode | null {
  const cause = error instanceof WikiError ? error.cause : error;
  return cause instanceof StorageError ? cause.code : null;
}

/** Throws a storage error as a WikiError, and any other error unchanged. */
export function throwAsWikiError(error: unknown): never {
  if (!(error instanceof StorageError)) throw error;
  const { code, ...text } = FAILURES[error.code];
  const data = { ...RETRIES[error.code], reason: error.code };
  throw new WikiError(code, { happened: error.message, ...text }, data, { cause: error });
}

type Failure = { code: ErrorCode } & Omit<ErrorText, 'happened'>;

const DAMAGE = {
  now: 'The repository is damaged, or was copied while it was written. Nothing was written.',
  next: 'Look with `maintain_wiki` (mode check) at what is damaged. Tell the person who runs the wiki to restore it from a clone or, if there is none, to repair it (mode repair).',
  atTerminal:
    'Restore it from a clone or, if there is none, have it repaired by `maintain_wiki`, as docs/repair.md says.',
} as const;

const DAMAGED: Failure = { code: 'internal', ...DAMAGE };

const REFUSED: Failure = {
  code: 'forbidden',
  now: 'Nothing was written. Pages can still be read.',
  ...cureByPerson('Make the repository of the wiki writable for this user.'),
};

const FAILURES: Readonly<Record<StorageErrorCode, Failure>> = {
  missing_object: DAMAGED,
  corrupt_object: DAMAGED,
  corrupt_pack: DAMAGED,
  missing_commit: DAMAGED,
  corrupt_chain: DAMAGED,
  ref_conflict: DAMAGED,
  object_too_large: {
    code: 'too_large',
    now: 'Nothing was changed. Everything else can still be read.',
    next: 'Read another page or file, or look at this one in a clone of the wiki (see wiki_status).',
    atTerminal: 'Take it out of the wiki by native git if nobody needs it.',
  },
  unsupported_repository: {
    code: 'backend_unavailable',
    now: 'It was not opened, and nothing was written.',
    ...cureByPerson('Correct that, or move this repository out of the directory of wikis.'),
  },
  request_reused: {
    code: 'invalid_input',
    now: 'Nothing was written by this call.',
    next: 'Leave request_id out, or give a new one for each new change; repeat one only with the very same arguments.',
  },
  busy: {
    code: 'busy',
    now: 'Nothing was written.',
    next: 'Wait a moment and repeat the call.',
    atTerminal: 'Wait a moment and try again.',
  },
  write_state_unknown: {
    code: 'write_state_unknown',
    now: 'The change may or may not be in the wiki.',
    next: 'Repeat the call with the same request_id: it is never applied twice. Where that id is more than a day old, read the page first, and use a new id if the change is not there.',
    atTerminal: 'Look in the history whether the change is there before you make it again.',
  },
  out_of_space: {
    code: 'backend_unavailable',
    now: 'Nothing was written. Pages can still be read.',
    next: 'Tell the person who runs the wiki to make room where it is stored, then repeat the call.',
    atTerminal: 'Make room where it is stored, then try again.',
  },
  read_only: REFUSED,
  permission_denied: REFUSED,
  too_many_files: {
    code: 'busy',
    now: 'Nothing was written.',
    next: 'Wait a moment and repeat the call. If it happens again, tell the person who runs the wiki to raise the limit of open files of the server.',
    atTerminal:
      'Wait a moment and try again. If it happens again, raise the limit of open files (`ulimit -n`).',
  },
  io_error: {
    code: 'backend_unavailable',
    now: 'Nothing was written by this call.',
    next: 'Repeat the call. If it happens again, tell the person who runs the wiki to look at its disk or mount.',
    atTerminal: 'Try again. If it happens again, look at the disk or mount.',
  },
};

const RETRIES: Partial<Record<StorageErrorCode, { retry_after_ms: number }>> = {
  busy: { retry_after_ms: 500 },
  too_many_files: { retry_after_ms: 1_000 },
};
