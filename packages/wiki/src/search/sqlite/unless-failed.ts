/**
 * The result of `call`, or null if files, their compression or SQLite fail. Throws everything else: it is a
 * defect.
 */
export async function unlessFailed<T>(call: () => Promise<T>): Promise<T | null> {
  try {
    return await call();
  } catch (error) {
    if (isSqliteFailure(error) || hasNumber(error)) return null;
    throw error;
  }
}

export function isSqliteFailure(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR';
}

/**
 * True for the errors of Node's system calls and of zlib. Errors that Node throws for wrong arguments have no
 * number.
 */
function hasNumber(error: unknown): boolean {
  return error instanceof Error && 'errno' in error && typeof error.errno === 'number';
}
