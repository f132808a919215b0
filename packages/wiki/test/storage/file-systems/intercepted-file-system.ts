import type { FileSystem, OpenFile } from '../../../src/storage/files/file-system.ts';

/** A call about to be made, such as `{name: 'read', path: '/wiki/main.git/HEAD'}`. */
export interface FileSystemCall {
  name: Exclude<keyof FileSystem | keyof OpenFile, 'size' | 'unlinkLast'>;
  path: string;
  /** True if it may change anything. */
  changes: boolean;
  /** The bytes of a `write`. */
  data?: Uint8Array;
}

/**
 * Runs in place of a call; `perform` makes it, for a `write` with other bytes if some are given. What
 * comes of `intercept` is what the caller sees.
 */
export type Intercept = <T>(call: FileSystemCall, perform: (data?: Uint8Array) => Promise<T>) => Promise<T>;

/**
 * `fs` with `intercept` around each call. `size` is not among the calls: who just opened a file knows its
 * size, also on NFS.
 */
export function interceptedFileSystem(fs: FileSystem, intercept: Intercept): FileSystem {
  const changing = (name: FileSystemCall['name'], path: string) => ({ name, path, changes: true });
  const reading = (name: FileSystemCall['name'], path: string) => ({ name, path, changes: false });
  const opened = new Set<{ path: string }>();
  return {
    open: (path, flags, mode) =>
      intercept(
        flags === 'r' || flags === 'directory' ? reading('open', path) : changing('open', path),
        async () => {
          const file = await fs.open(path, flags, mode);
          const place = { path };
          opened.add(place);
          return interceptedFile(file, place, () => opened.delete(place), intercept);
        },
      ),
    symlink: (target, path) => intercept(changing('symlink', path), () => fs.symlink(target, path)),
    readlink: (path) => intercept(reading('readlink', path), () => fs.readlink(path)),
    link: (existing, path) => intercept(changing('link', path), () => fs.link(existing, path)),
    rename: (from, to) =>
      intercept(changing('rename', to), async () => {
        await fs.rename(from, to);
        for (const place of opened) if (place.path === from) place.path = to;
      }),
    unlink: (path) => intercept(changing('unlink', path), () => fs.unlink(path)),
    unlinkLast: (path) => intercept(changing('unlink', path), () => fs.unlinkLast(path)),
    mkdir: (path, mode) => intercept(changing('mkdir', path), () => fs.mkdir(path, mode)),
    rmdir: (path) => intercept(changing('rmdir', path), () => fs.rmdir(path)),
    readdir: (path) => intercept(reading('readdir', path), () => fs.readdir(path)),
    lstat: (path) => intercept(reading('lstat', path), () => fs.lstat(path)),
  };
}

/** True if opening with these flags creates or empties the file. */
export function makesFile(flags: string): boolean {
  return flags.startsWith('w');
}

/** `place` is where the file lies now: it may be renamed while it is open. */
function interceptedFile(
  file: OpenFile,
  place: { path: string },
  forget: () => void,
  intercept: Intercept,
): OpenFile {
  const of = (name: FileSystemCall['name'], changes: boolean) => ({ name, path: place.path, changes });
  return {
    read: (buffer, offset, length, position) =>
      intercept(of('read', false), () => file.read(buffer, offset, length, position)),
    write: (data) => intercept({ ...of('write', true), data }, (replaced = data) => file.write(replaced)),
    sync: () => intercept(of('sync', true), () => file.sync()),
    size: () => file.size(),
    close: () => {
      forget();
      return intercept(of('close', false), () => file.close());
    },
  };
}
