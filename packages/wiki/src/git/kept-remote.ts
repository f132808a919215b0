import { join } from 'node:path';
import type { KeptRemote } from '../core/remote-port.ts';
import { removeFile } from '../storage/files/directories.ts';
import { replaceFile } from '../storage/files/durable-file.ts';
import type { FileSystem } from '../storage/files/file-system.ts';
import { type Host, randomName } from '../storage/files/host.ts';
import { readTextFile } from '../storage/files/text-file.ts';
import { fileSystemFailure } from '../storage/storage-error.ts';
import { throwAsWikiError } from './storage-failures.ts';

export interface KeptRemoteParts {
  fs: FileSystem;
  host: Host;
  /** The bare repository. */
  gitDirectory: string;
}

/**
 * Keeps the remote in two files beside the chain. The report has a file of its own, so that a process that reports
 * cannot put back settings that were changed meanwhile.
 */
export function keptRemote({ fs, host, gitDirectory }: KeptRemoteParts): KeptRemote {
  const settings = join(gitDirectory, 'pagetree', 'remote');
  const report = join(gitDirectory, 'pagetree', 'remote-report');

  async function read(path: string): Promise<unknown> {
    try {
      const text = await readTextFile(fs, path);
      return text === null ? null : JSON.parse(text);
    } catch (error) {
      if (error instanceof SyntaxError) return undefined;
      return throwAsWikiError(fileSystemFailure(error, 'Reading the remote of the wiki', path));
    }
  }

  async function keep(path: string, content: object): Promise<void> {
    const bytes = Buffer.from(`${JSON.stringify(content, null, 2)}\n`);
    await replaceFile(fs, path, `${path}.${randomName(host)}`, bytes).catch(throwAsWikiError);
  }

  async function remove(path: string): Promise<void> {
    await removeFile(fs, path).catch((error: unknown) =>
      throwAsWikiError(fileSystemFailure(error, 'Removing the remote of the wiki', path)),
    );
  }

  return {
    settings: () => read(settings),
    async set(remote) {
      if (remote !== null) return keep(settings, remote);
      await remove(settings);
      await remove(report);
    },
    report: () => read(report),
    keepReport: (content) => keep(report, content),
  };
}
