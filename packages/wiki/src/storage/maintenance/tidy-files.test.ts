import { existsSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { git } from '../../../test/native-git.ts';
import { fileSystemError, observedFileSystem } from '../../../test/storage/observed-file-system.ts';
import { ageRetired, livePacks } from '../../../test/storage/packs.ts';
import { hostAhead, nativeView, newWiki, openWriter } from '../../../test/storage/writers.ts';
import { nodeFileSystem } from '../files/node-file-system.ts';
import type { TidyReport } from '../storage.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

describe.each(['local', 'shared'] as const)('the maintenance of a %s wiki', (placement) => {
  const wiki = () => newWiki({ shared: placement === 'shared' });

  it('removes temporary files that are a day old', async () => {
    const directory = await wiki();
    const old = temporaryFile(directory, 'old', 25 * HOUR);
    const [young, folder] = [temporaryFile(directory, 'young', 23 * HOUR), temporaryFolder(directory)];
    const { storage } = await openWriter(directory, { placement });
    expect(await storage.tidy()).toMatchObject({ temporaryFilesDeleted: 2 });
    expect([old, young, folder].map((path) => existsSync(path))).toEqual([false, true, false]);
  });

  it('goes on if another process removes a temporary file, or makes one in a folder that is removed', async () => {
    const directory = await wiki();
    const [old, folder] = [temporaryFile(directory, 'old', 2 * DAY), temporaryFolder(directory)];
    const fs = observedFileSystem(nodeFileSystem, ({ name, path }) => {
      if (name === 'lstat' && path === old) rmSync(old);
      if (name === 'rmdir' && path === folder) writeFileSync(join(folder, 'new'), '');
    });
    const { storage } = await openWriter(directory, { placement, fs });
    await storage.tidy();
    expect(existsSync(join(folder, 'new'))).toBe(true);
  });

  it('says that it could not remove a file', async () => {
    const directory = await wiki();
    const old = temporaryFile(directory, 'old', 2 * DAY);
    const fs = observedFileSystem(nodeFileSystem, ({ name, path }) => {
      if (name === 'unlink' && path === old) throw fileSystemError(13, 'EACCES');
    });
    const { storage } = await openWriter(directory, { placement, fs });
    await expect(storage.tidy()).rejects.toMatchObject({
      code: 'permission_denied',
      message: expect.stringMatching(/^Tidying up failed/),
    });
  });

  it('reports its whole progress each time that it asks whether to go on', async () => {
    const directory = await wiki();
    const { put } = await wikiOfManyPacks(directory);
    ageRetired(directory);
    await put('Page 5.md', '5', { requestId: requestIdOfNow() });
    await put('Page 6.md', '6');
    const later = await openWriter(directory, { placement, host: hostAhead(3 * DAY) });
    const reports: TidyReport[] = [];
    const last = await later.storage.tidy((report) => reports.push(report) > 0);
    expect(last).toMatchObject({ requestsForgotten: 1 });
    expect(reports.length).toBeGreaterThan(2);
    for (const report of reports) expect(Object.keys(report)).toEqual(Object.keys(last));
  });

  it('forgets no request after it is asked to stop', async () => {
    const directory = await wiki();
    const writer = await openWriter(directory, { placement });
    await writer.put('Page.md', 'text', { requestId: requestIdOfNow() });
    await writer.put('Other.md', 'other');
    const late = await openWriter(directory, { placement, host: hostAhead(3 * DAY) });
    expect(await late.storage.tidy(() => false)).toMatchObject({ requestsForgotten: 0 });
    expect(await late.storage.tidy()).toMatchObject({ requestsForgotten: 1 });
  });

  it('deletes packs a day after it merged them', async () => {
    const directory = await wiki();
    const { storage } = await wikiOfManyPacks(directory);
    expect(packs(directory).length).toBeGreaterThan(1);
    ageRetired(directory);
    await storage.tidy(() => false);
    expect(packs(directory).length).toBeGreaterThan(1);
    await storage.tidy();
    expect(packs(directory)).toEqual(livePacks(directory));
    expect(nativeView(directory).commits).toHaveLength(4);
  });

  it.each([true, false])(
    'deletes merged packs whose common pack is lost only if their objects lie elsewhere: %j',
    async (areElsewhere) => {
      const directory = await wiki();
      const { put, storage } = await wikiOfManyPacks(directory);
      const [merged = ''] = livePacks(directory);
      // The newest commit can be read in either case.
      await put('Page 5.md', '5');
      await storage.settle();
      await storage.close();
      if (areElsewhere) {
        const objects = git(directory, ['rev-list', '--objects', '--no-object-names', 'main']);
        git(directory, ['pack-objects', '--quiet', join(directory, 'objects/pack/pack')], objects);
      }
      for (const ending of ['pack', 'idx', 'rev']) {
        rmSync(join(directory, 'objects/pack', merged.replace(/pack$/, ending)), { force: true });
      }
      ageRetired(directory);
      const retired = packs(directory).filter((file) => !livePacks(directory).includes(file));
      expect(retired).toHaveLength(4);
      await (await openWriter(directory, { placement })).storage.tidy().catch(() => undefined);
      expect(retired.filter((file) => packs(directory).includes(file))).toEqual(areElsewhere ? [] : retired);
      const { storage: repairer } = await openWriter(directory, { placement });
      expect(await repairer.repair()).toMatchObject({ lost: [], lostCommits: [] });
      await repairer.settle();
      expect(nativeView(directory).commits).toHaveLength(5);
    },
  );

  it('says that it could not delete a merged pack', async () => {
    const directory = await wiki();
    const { storage } = await wikiOfManyPacks(directory);
    await storage.close();
    ageRetired(directory);
    const retired = packs(directory).filter((file) => !livePacks(directory).includes(file));
    const fs = observedFileSystem(nodeFileSystem, ({ name, path }) => {
      if (name === 'unlink' && retired.some((file) => path.endsWith(file)))
        throw fileSystemError(13, 'EACCES');
    });
    const { storage: later } = await openWriter(directory, { placement, fs });
    await expect(later.tidy()).rejects.toMatchObject({
      code: 'permission_denied',
      message: expect.stringMatching(/^Deleting retired packs failed/),
    });
  });

  async function wikiOfManyPacks(directory: string) {
    const writer = await openWriter(directory, { placement });
    for (let page = 1; page <= 4; page += 1) await writer.put(`Page ${page}.md`, `${page}`);
    await writer.storage.tidy();
    return writer;
  }
});

/** A UUIDv7, which says when it was made. */
function requestIdOfNow(): string {
  const time = Date.now().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
}

function temporaryFile(directory: string, name: string, age: number): string {
  const path = join(directory, 'pagetree/temporary', name);
  writeFileSync(path, '');
  setAge(path, age);
  return path;
}

function temporaryFolder(directory: string): string {
  const path = join(directory, 'pagetree/temporary/folder');
  mkdirSync(path);
  setAge(path, 2 * DAY);
  return path;
}

function setAge(path: string, age: number): void {
  const time = new Date(hostAhead(-age).now());
  utimesSync(path, time, time);
}

function packs(directory: string): string[] {
  return readdirSync(join(directory, 'objects/pack')).filter((file) => file.endsWith('.pack'));
}
