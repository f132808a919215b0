import { resolve } from 'node:path';

/** Where the corpora lie: beside the checkout, unless PAGETREE_CORPORA says otherwise. */
export function corporaDirectory(): string {
  return process.env.PAGETREE_CORPORA ?? resolve(import.meta.dirname, '../../../../../shared/corpora');
}
