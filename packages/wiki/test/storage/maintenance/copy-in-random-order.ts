import { copyFile, mkdir, readdir, readlink, symlink } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Copies a tree as programs do that know nothing of what they copy: lists one directory after the other and copies one
 * file after the other, here in any order; what went away since it was listed is left out. `random` answers 0 to 1;
 * `meanwhile` is what happens after each step.
 */
export async function copyInRandomOrder(
  from: string,
  to: string,
  random: () => number,
  meanwhile: () => Promise<void>,
): Promise<void> {
  const waiting: { path: string; kind: 'directory' | 'link' | 'file' }[] = [{ path: '', kind: 'directory' }];
  while (waiting.length > 0) {
    const [next] = waiting.splice(Math.floor(random() * waiting.length), 1);
    if (!next) break;
    const { path, kind } = next;
    const [source, target] = [join(from, path), join(to, path)];
    if (kind === 'file') await unlessVanished(() => copyFile(source, target));
    else if (kind === 'link') await unlessVanished(async () => symlink(await readlink(source), target));
    else {
      await mkdir(target, { recursive: true });
      for (const entry of await readdir(source, { withFileTypes: true })) {
        const found = entry.isDirectory() ? 'directory' : entry.isSymbolicLink() ? 'link' : 'file';
        waiting.push({ path: join(path, entry.name), kind: found });
      }
    }
    await meanwhile();
  }
}

async function unlessVanished(action: () => Promise<void>): Promise<void> {
  try {
    await action();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
}
