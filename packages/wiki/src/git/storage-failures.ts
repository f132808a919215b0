import { type ErrorCode, type ErrorText, WikiError } from '../contract/errors.ts';
import type { ObjectReader, Storage } from '../storage/storage.ts';
import { StorageError, type StorageErrorCode } from '../storage/storage-error.ts';

/** Storage as a repository uses it. */
export type RepositoryStorage = Pick<
  Storage,
  'branch' | 'read' | 'readMuch' | 'head' | 'expand' | 'commit' | 'maintain' | 'check' | 'repair'
>;

/** The same storage, its failures told in the wiki's own codes. */
export function withWikiErrors(storage: RepositoryStorage): RepositoryStorage {
  return {
    branch: storage.branch,
    read: (oid) => storage.read(oid).catch(tellAsWikiError),
    // What goes wrong is told by the reads themselves.
    readMuch: (work) => storage.readMuch(work),
    head: () => storage.head().catch(tellAsWikiError),
    expand: (prefix, limit) => storage.expand(prefix, limit).catch(tellAsWikiError),
    commit: (request) => storage.commit(request).catch(tellAsWikiError),
    maintain: (goOn) => storage.maintain(goOn).catch(tellAsWikiError),
    check: () => storage.check().catch(tellAsWikiError),
    repair: () => storage.repair().catch(tellAsWikiError),
  };
}

/** What reading `oid` gives, or null where no object has this oid. */
export async function readIfThere(reader: ObjectReader, oid: string) {
  try {
    return await reader.read(oid);
  } catch (error) {
    if (causedBy(error) === 'missing_object') return null;
    throw error;
  }
}

/** An object that is there and is not what it should be. */
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

/** Throws what storage threw in the words of the wiki; anything else as it is. */
export function tellAsWikiError(error: unknown): never {
  if (!(error instanceof StorageError)) throw error;
  const { code, now, next } = FAILURES[error.code];
  const data = { ...RETRIES[error.code], reason: error.code };
  throw new WikiError(code, { happened: error.message, now, next }, data, { cause: error });
}

type Failure = { code: ErrorCode } & Omit<ErrorText, 'happened'>;

const DAMAGE = {
  now: 'The repository is damaged, or was copied while it was written. Nothing was written.',
  next: 'Look with `maintain_wiki` (mode check) at what is damaged. Tell the person who runs the wiki to restore it from a clone or, where there is none, to repair it (mode repair).',
} as const;

const DAMAGED: Failure = { code: 'internal', ...DAMAGE };

const REFUSED: Failure = {
  code: 'forbidden',
  now: 'Nothing was written. Pages can still be read.',
  next: 'Tell the person who runs the wiki to make its repository writable for the server.',
};

const FAILURES: Readonly<Record<StorageErrorCode, Failure>> = {
  missing_object: DAMAGED,
  corrupt_object: DAMAGED,
  corrupt_pack: DAMAGED,
  missing_commit: DAMAGED,
  corrupt_chain: DAMAGED,
  ref_conflict: DAMAGED,
  unsupported_repository: {
    code: 'backend_unavailable',
    now: 'It was not opened, and nothing was written.',
    next: 'Tell the person who runs the wiki.',
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
  },
  write_state_unknown: {
    code: 'write_state_unknown',
    now: 'The change may or may not be in the wiki.',
    next: 'Repeat the call with the same request_id: it is never applied twice. Where that id is more than a day old, read the page first, and use a new id if the change is not there.',
  },
  out_of_space: {
    code: 'backend_unavailable',
    now: 'Nothing was written. Pages can still be read.',
    next: 'Tell the person who runs the wiki to make room where it is stored, then repeat the call.',
  },
  read_only: REFUSED,
  permission_denied: REFUSED,
  too_many_files: {
    code: 'busy',
    now: 'Nothing was written.',
    next: 'Wait a moment and repeat the call. If it happens again, the server needs a higher limit of open files.',
  },
  io_error: {
    code: 'backend_unavailable',
    now: 'Nothing was written by this call.',
    next: 'Repeat the call. If it happens again, tell the person who runs the wiki to look at its disk or mount.',
  },
};

const RETRIES: Partial<Record<StorageErrorCode, { retry_after_ms: number }>> = {
  busy: { retry_after_ms: 500 },
  too_many_files: { retry_after_ms: 1_000 },
};
