import { copyFile, mkdir, readdir, readlink, symlink } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Copies a tree as programs do that know nothing of what they copy: lists one directory after the other and copies one
 * file after the other, here in any order; what went away since it was listed is left out. `random` answers 0 to 1;
 * `meanwhile` is what happens after each step; `isLast` names what waits until all else is copied; `beforeLast` happens
 * in between.
 */
export async function copyInRandomOrder(
  from: string,
  to: string,
  random: () => number,
  meanwhile: () => Promise<void>,
  isLast: (path: string) => boolean = () => false,
  beforeLast: () => Promise<unknown> = async () => undefined,
): Promise<void> {
  const waiting: Entry[] = [{ path: '', kind: 'directory' }];
  const last: Entry[] = [];
  let isPrepared = false;
  while (waiting.length + last.length > 0) {
    if (waiting.length === 0 && !isPrepared) await beforeLast();
    isPrepared ||= waiting.length === 0;
    const candidates = waiting.length > 0 ? waiting : last;
    const [next] = candidates.splice(Math.floor(random() * candidates.length), 1);
    if (!next) break;
    const { path, kind } = next;
    const [source, target] = [join(from, path), join(to, path)];
    if (kind === 'file') await unlessVanished(() => copyFile(source, target));
    else if (kind === 'link') await unlessVanished(async () => symlink(await readlink(source), target));
    else {
      await mkdir(target, { recursive: true });
      await unlessVanished(async () => {
        for (const entry of await readdir(source, { withFileTypes: true })) {
          const found = entry.isDirectory() ? 'directory' : entry.isSymbolicLink() ? 'link' : 'file';
          const below = join(path, entry.name);
          (isLast(below) ? last : waiting).push({ path: below, kind: found });
        }
      });
    }
    await meanwhile();
  }
}

interface Entry {
  path: string;
  kind: 'directory' | 'link' | 'file';
}

async function unlessVanished(action: () => Promise<void>): Promise<void> {
  try {
    await action();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
}
