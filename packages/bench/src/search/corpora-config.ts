import { resolve } from 'node:path';

/** The directory of the corpora: beside the checkout, unless PAGETREE_CORPORA names another one. */
export function corporaDirectory(): string {
  return process.env.PAGETREE_CORPORA ?? resolve(import.meta.dirname, '../../../../../shared/corpora');
}
