import { normalForm } from '../normal-form.ts';

/** Resolves a relative path in a folder; null if it leads above the root. */
export function joinPath(folder: string, relative: string): string | null {
  const parts = folder === '' ? [] : folder.split('/');
  for (const part of relative.split('/')) {
    if (part === '..' && parts.pop() === undefined) return null;
    if (part !== '..' && part !== '.') parts.push(part);
  }
  return parts.join('/');
}

/** A path relative to a folder, with `../` if needed. */
export function relativePath(folder: string, path: string): string {
  const from = folder === '' ? [] : normalForm(folder).split('/');
  const to = path.split('/');
  let shared = 0;
  while (shared < to.length - 1 && from[shared] === to[shared]) shared += 1;
  return [...from.slice(shared).map(() => '..'), ...to.slice(shared)].join('/');
}
