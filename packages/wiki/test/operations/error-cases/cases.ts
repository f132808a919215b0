import type { ErrorCode, WikiError } from '../../../src/contract/errors.ts';
import { newRequestId } from '../../../src/contract/ids.ts';
import type { writeErrors } from '../../../src/contract/operation.ts';
import type { OperationName } from '../../../src/contract/operations.ts';
import type { TestWiki } from '../test-wiki.ts';
import { usual } from './places.ts';

/** Makes a call of an operation that must be refused, and returns its error. */
export type Case = (operation: OperationName) => Promise<WikiError>;

/** The cases of one operation, by the code of the error. */
export type Cases = Partial<Record<ErrorCode, Case>>;

/** The input of a call, or what prepares the wiki and returns the input. */
type Given = object | ((wiki: TestWiki) => Promise<object>);

/** The case of a call with this input. */
export function given(input: Given, place: () => Promise<TestWiki> = usual): Case {
  return async (operation) => {
    const wiki = await place();
    return wiki.refused(operation, typeof input === 'function' ? await input(wiki) : input);
  };
}

/** The cases that all writes of one page or file share, by an input that would be carried out. */
export function ofWrite(valid: object, tooLarge: Case): Record<(typeof writeErrors)[number], Case> {
  return {
    version_conflict: given({ ...valid, version: OTHER_VERSION }),
    invalid_path: given({ ...valid, path: NO_PATH }),
    too_large: tooLarge,
    write_state_unknown: given({ ...valid, request_id: OLD_REQUEST }),
  };
}

/** A version that no page or file ever had. */
export const OTHER_VERSION = 'e'.repeat(40);
/** The contract takes any text for a path. */
export const NO_PATH = 'a//b';
/** The id of a request that was made in 1970. */
export const OLD_REQUEST = newRequestId(0, new Uint8Array(10));

/** The id of the newest commit. */
export async function headOf(wiki: TestWiki): Promise<string> {
  return (await wiki.git('rev-parse', 'main')).trim();
}
