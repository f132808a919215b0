import type { ErrorCode } from '../../../src/contract/errors.ts';
import type { OperationName } from '../../../src/contract/operations.ts';

/**
 * The errors that no wiki raises, but the server that saves files on the machine of its caller. A test of that server makes
 * these calls while a file `taken` is there.
 */
export const LOCAL_FILES: readonly { operation: OperationName; code: ErrorCode; input: object }[] = [
  { operation: 'get_attachment', code: 'already_exists', input: { path: 'a.bin', local_path: 'taken' } },
  { operation: 'export_wiki', code: 'already_exists', input: { local_path: 'taken' } },
];
