import { errorName } from './files/file-system.ts';

export type StorageErrorCode =
  /** No object has this oid, in any pack, loose file or alternate. */
  | 'missing_object'
  /** The bytes stored under this oid are not the object that the oid names. */
  | 'corrupt_object'
  /** A pack or its index does not follow git's format. */
  | 'corrupt_pack'
  /** An object would take too much memory or time: see OBJECT_BOUNDS. */
  | 'object_too_large'
  /** A repository of an unsupported kind: SHA-256, reftable, a missing alternate. */
  | 'unsupported_repository'
  /** The request id was used before, for another request. */
  | 'request_reused'
  /** Other writers came first each time. Nothing was written; try again. */
  | 'busy'
  /** The commit may or may not be in the branch. Ask again with the same request id. */
  | 'write_state_unknown'
  | 'out_of_space'
  | 'read_only'
  | 'too_many_files'
  | 'permission_denied'
  /** The file system failed in another way; `data.errno` names it. */
  | 'io_error'
  /** A commit that the chain names is not in the repository. */
  | 'missing_commit'
  /** An entry of the chain names no commit. */
  | 'corrupt_chain'
  /** The branch ref holds something that the chain does not explain. */
  | 'ref_conflict';

export type StorageErrorData = Readonly<Record<string, string | number | boolean | null>>;

/** Every failure that storage reports. Branch on `code`; `message` is for people. */
export class StorageError extends Error {
  readonly code: StorageErrorCode;
  readonly data: StorageErrorData;

  constructor(code: StorageErrorCode, message: string, data: StorageErrorData = {}, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StorageError';
    this.code = code;
    this.data = data;
  }
}

/** True if the error means that an object is lost, not only unreadable at the moment. */
export function isLost(error: unknown): error is StorageError {
  return error instanceof StorageError && LOST.has(error.code);
}

/** True if the error means that an object exists and would take too much to read. */
export function isTooLarge(error: unknown): error is StorageError {
  return error instanceof StorageError && error.code === 'object_too_large';
}

const LOST: ReadonlySet<StorageErrorCode> = new Set(['missing_object', 'corrupt_object', 'corrupt_pack']);

/**
 * The StorageError for an error that a file-system call threw while `doing` (such as 'writing the pack').
 * Returns a StorageError unchanged. Any other error is a defect and is thrown again.
 */
export function fileSystemFailure(error: unknown, doing: string, path: string): StorageError {
  if (error instanceof StorageError) return error;
  const errno = errorName(error);
  if (errno === null) throw error;
  const { code, what } = FAILURES[errno] ?? { code: 'io_error', what: `the file system answered ${errno}` };
  return new StorageError(code, `${doing} failed: ${what}.`, { errno, path }, { cause: error });
}

const OUT_OF_SPACE = { code: 'out_of_space', what: 'the disk or the quota is full' } as const;
const READ_ONLY = { code: 'read_only', what: 'the file system is mounted read-only' } as const;
const TOO_MANY_FILES = { code: 'too_many_files', what: 'too many files are open' } as const;
const PERMISSION_DENIED = { code: 'permission_denied', what: 'permission was denied' } as const;

const FAILURES: Readonly<Record<string, { code: StorageErrorCode; what: string }>> = {
  ENOSPC: OUT_OF_SPACE,
  EDQUOT: OUT_OF_SPACE,
  EROFS: READ_ONLY,
  EMFILE: TOO_MANY_FILES,
  ENFILE: TOO_MANY_FILES,
  EACCES: PERMISSION_DENIED,
  EPERM: PERMISSION_DENIED,
};
