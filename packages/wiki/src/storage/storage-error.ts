import { errorName } from './files/file-system.ts';

export type StorageErrorCode =
  /** No object has this oid, in any pack, loose or in an alternate. */
  | 'missing_object'
  /** Bytes are there under this oid, but they are not the object that the oid names. */
  | 'corrupt_object'
  /** A pack or its index is not what git's format says. */
  | 'corrupt_pack'
  /** A repository of a kind that is not read here: SHA-256, reftable, a missing alternate. */
  | 'unsupported_repository'
  /** The request id was used before, for something else. */
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

/** Every failure that storage answers with. Branch on `code`; `message` is for people. */
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

/** Whether this says that an object is lost, and not only that it cannot be read just now. */
export function isLost(error: unknown): error is StorageError {
  return error instanceof StorageError && LOST.has(error.code);
}

const LOST: ReadonlySet<StorageErrorCode> = new Set(['missing_object', 'corrupt_object', 'corrupt_pack']);

/**
 * The StorageError for what a file-system call threw while `doing` (such as 'writing the pack').
 * A StorageError comes back as it is; what is no file-system error is a defect and is thrown on.
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
