import { nextAtTerminal, WikiError } from '@pagetree/wiki/contract';
import { codeOf } from './folder/disk.ts';

/** What keeps a mirror from going on, in plain words. */
export function describeTrouble(error: unknown, folder: string): string {
  const code = codeOf(error);
  if (FULL.includes(code)) return `The disk of ${folder} is full. ${WAITS}`;
  if (REFUSED.includes(code)) return `The system does not let ${folder} be written (${code}). ${WAITS}`;
  if (error instanceof WikiError) {
    const cause = error.code === 'internal' && error.cause !== undefined ? ` (${String(error.cause)})` : '';
    return `${error.text.happened}${cause} ${WAITS}`;
  }
  return `${error instanceof Error ? error.message : String(error)}. ${WAITS}`;
}

/** The same for an error that ends it. */
export function describeEnd(error: unknown, folder: string): string {
  if (!(error instanceof WikiError)) return describeTrouble(error, folder).replace(` ${WAITS}`, '');
  const { text } = error;
  return `${text.happened} ${text.now} ${nextAtTerminal(text)}`;
}

const WAITS = 'Nothing is lost: the mirror tries again by itself, and goes on when that has passed.';
const FULL = ['ENOSPC', 'EDQUOT'];
const REFUSED = ['EROFS', 'EACCES', 'EPERM'];
