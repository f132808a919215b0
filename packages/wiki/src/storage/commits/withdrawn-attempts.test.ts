import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  type FileSystemCall,
  fileSystemError,
  observedFileSystem,
} from '../../../test/storage/observed-file-system.ts';
import { pageRequest } from '../../../test/storage/pages.ts';
import { isLink, nativeView, newWiki, openWriter, type Writer } from '../../../test/storage/writers.ts';
import { nodeFileSystem } from '../files/node-file-system.ts';

interface Attempt {
  /** Fails or delays a call of the file system. */
  before?: (call: FileSystemCall) => void;
  write: (writer: Writer, other: Writer) => Promise<unknown>;
}

const ATTEMPTS: Record<string, () => Attempt> = {
  'became a commit': () => ({ write: ({ put }) => put('Page.md', 'more') }),
  'was made before': () => ({ write: ({ put }) => put('Page.md', 'text', { requestId: '1' }) }),
  'was made before, and has nothing to change now': () => ({
    write: ({ put }) => put('Page.md', 'text', { requestId: '1', build: async () => null }),
  }),
  'has the id of another request': () => ({
    write: ({ put }) =>
      expect(put('Page.md', 'else', { requestId: '1' })).rejects.toMatchObject({ code: 'request_reused' }),
  }),
  'lost its race': () => ({
    write: ({ storage }, other) => {
      const request = pageRequest('Page.md', 'more');
      let builds = 0;
      return storage.commit({
        ...request,
        build: async (base, transaction) => {
          if (builds++ === 0) await other.put('Other.md', 'other');
          return request.build(base, transaction);
        },
      });
    },
  }),
  'was cancelled when it was stored': () => {
    const time = new AbortController();
    return {
      before: ({ name, path }) => {
        if (name === 'rename' && path.endsWith('.idx')) time.abort();
      },
      write: ({ put }) =>
        expect(put('Page.md', 'more', { signal: time.signal })).rejects.toMatchObject({ code: 'busy' }),
    };
  },
  'could not be linked': () => ({
    before: (call) => {
      if (isLink(call)) throw fileSystemError(13, 'EACCES');
    },
    write: ({ put }) => expect(put('Page.md', 'more')).rejects.toMatchObject({ code: 'permission_denied' }),
  }),
};

describe.each(['local', 'shared'] as const)(
  'in a %s wiki, an attempt leaves nothing to keep if it',
  (placement) => {
    it.each(Object.entries(ATTEMPTS))('%s', async (_, attempt) => {
      const directory = await newWiki({ shared: placement === 'shared' });
      const other = await openWriter(directory, { placement });
      await other.put('Page.md', 'text', { requestId: '1' });
      const { before = () => undefined, write } = attempt();
      const writer = await openWriter(directory, {
        placement,
        fs: observedFileSystem(nodeFileSystem, before),
      });
      await write(writer, other);
      await writer.storage.settle();
      for (const { storage } of [writer, other]) await storage.close();
      expect(readdirSync(join(directory, 'pagetree/temporary'))).toEqual([]);
      const packs = readdirSync(join(directory, 'objects/pack'));
      expect(packs.filter((name) => name.endsWith('.keep'))).toEqual([]);
      // Beside native git, only git removes a pack.
      const count = packs.filter((name) => name.endsWith('.pack')).length;
      if (placement === 'shared') expect(count).toBe(nativeView(directory).commits.length);
    });
  },
);
