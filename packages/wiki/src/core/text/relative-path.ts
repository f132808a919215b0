/** The path that a relative one means in a folder; null where it leads above the root. */
export function joinPath(folder: string, relative: string): string | null {
  const parts = folder === '' ? [] : folder.split('/');
  for (const part of relative.split('/')) {
    if (part === '..' && parts.pop() === undefined) return null;
    if (part !== '..' && part !== '.') parts.push(part);
  }
  return parts.join('/');
}

/** A path as it is written from a folder, with `../` where it must. */
export function relativePath(folder: string, path: string): string {
  const from = folder === '' ? [] : folder.normalize('NFC').split('/');
  const to = path.split('/');
  let shared = 0;
  while (shared < from.length && shared < to.length - 1 && from[shared] === to[shared]) shared += 1;
  return [...from.slice(shared).map(() => '..'), ...to.slice(shared)].join('/');
}
