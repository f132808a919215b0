import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

/**
 * One in this many pages of the documentation in nine languages is tested: all with PAGETREE_WEB_PAGES=all.
 */
export const everyPage = process.env.PAGETREE_WEB_PAGES === 'all' ? 1 : 100;

/** One in this many histories of foam-docs is followed: all with PAGETREE_WEB_PAGES=all. */
export const everyHistory = process.env.PAGETREE_WEB_PAGES === 'all' ? 1 : 5;

/** A corpus by its name. */
export function corpus(name: string): string {
  const corpora =
    process.env.PAGETREE_CORPORA ?? resolve(import.meta.dirname, '../../../../../shared/corpora');
  const path = join(corpora, name);
  if (existsSync(path)) return path;
  throw new Error(`There is no ${path}: set PAGETREE_CORPORA to where the corpora lie.`);
}
