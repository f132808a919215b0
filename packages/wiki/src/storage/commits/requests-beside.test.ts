import { readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { git } from '../../../test/native-git.ts';
import { nativeView, newWiki, openWriter } from '../../../test/storage/writers.ts';
import { makeFileWith } from '../files/durable-file.ts';
import { randomName } from '../files/host.ts';
import { openNamedLinks } from '../files/named-links.ts';
import { nodeFileSystem as fs } from '../files/node-file-system.ts';
import { nodeHost } from '../files/node-host.ts';
import { layoutOf } from '../layout.ts';
import { ObjectStore } from '../objects/object-store.ts';
import { openPackDirectory } from '../packs/pack-directory.ts';
import { openChain } from './chain.ts';
import { FOREIGN_REQUEST, requestNameOf } from './request-name.ts';
import { openRequests } from './requests.ts';

/** A wiki with a request for each of its four commits, oldest first, whose names in the chain can be lost. */
async function damagedWiki() {
  const directory = await newWiki();
  const { put, storage } = await openWriter(directory);
  for (let i = 0; i < 4; i += 1) await put('Page.md', `${i}`, { requestId: `${i}` });
  await storage.settle();
  await storage.close();
  const commits = nativeView(directory).commits.toReversed();
  const nameOf = (at: number) => join(directory, 'pagetree/chain-main', `${commits[at - 1]}`);
  const entryOf = (at: number) => {
    const { bucket, name } = requestNameOf(`${at}`);
    return join(directory, 'pagetree/requests-main', bucket, name);
  };
  return {
    requests: openRequestsOf(directory),
    commits,
    loseName: (at: number) => rmSync(nameOf(at)),
    /** Has the request of the commit `at` stand for the one `to`, as if it had been made again. */
    pointEntry(at: number, to: number) {
      rmSync(entryOf(at), { force: true });
      symlinkSync(`${commits[to]}`, entryOf(at));
    },
    entryOf: (at: number) => commits.indexOf(readlinkSync(entryOf(at))),
  };
}

function openRequestsOf(directory: string) {
  const host = nodeHost();
  const layout = layoutOf(directory, 'main');
  const shared = false;
  const links = openNamedLinks(fs, () => join(layout.temporary, randomName(host)));
  const objects = new ObjectStore({
    ...{ fs, gitDirectory: directory, cacheBytes: 2 ** 20, shared, multiPackIndex: null },
  });
  onTestFinished(() => objects.close());
  const makeFile = makeFileWith(fs);
  const packs = openPackDirectory({ fs, directory: layout.packs, makeKeep: undefined, makeFile, objects });
  const chain = openChain({ fs, links, layout, shared, packs, objects });
  return openRequests({ fs, host, links, layout, shared, objects, chain, hasComeIn: async () => false });
}

it('a request that was made again stands for the commit that the chain leads on from', async () => {
  const { requests, commits, loseName, pointEntry, entryOf } = await damagedWiki();
  loseName(1);
  pointEntry(3, 1);
  await requests.rememberBeside(`${commits[3]}`);
  expect(entryOf(3)).toBe(1);
});

it('a request stands for what a repair brings back, if the chain lost the commit of its entry', async () => {
  const { requests, commits, loseName, pointEntry, entryOf } = await damagedWiki();
  loseName(1);
  loseName(3);
  pointEntry(1, 3);
  await requests.rememberBeside(`${commits[1]}`);
  expect(entryOf(1)).toBe(1);
});

it('a request that was made again stands for the newest commit of the chain', async () => {
  const { requests, commits, loseName, pointEntry, entryOf } = await damagedWiki();
  loseName(1);
  pointEntry(1, 3);
  await requests.rememberBeside(`${commits[1]}`);
  expect(entryOf(1)).toBe(3);
});

it('after a lost race a request is looked up among those that came in, also if another commit followed', async () => {
  const directory = await newWiki();
  const { put, storage } = await openWriter(directory);
  await put('Page.md', 'first');
  await storage.settle();
  const own = { requestId: '1', digest: 'own' };
  const pushed = git(directory, ['commit-tree', 'main^{tree}', '-p', 'main', '-m', 'pushed']);
  await put('Page.md', 'own', own);
  await storage.settle();
  const made = git(directory, ['rev-parse', 'main']);
  git(directory, ['update-ref', 'refs/heads/main', pushed]);
  const cameIn = `${await storage.head()}`;
  expect(git(directory, ['log', '-1', '--format=%B', cameIn])).toContain(FOREIGN_REQUEST);
  await put('Page.md', 'followed', { requestId: '2' });
  await storage.settle();
  await storage.close();
  const followed = git(directory, ['rev-parse', 'main']);
  const links = [
    { parent: made, commit: cameIn, adopted: false },
    { parent: cameIn, commit: followed, adopted: false },
  ];
  const requests = openRequestsOf(directory);
  expect(await requests.findAmong(own, links)).toMatchObject({ commit: made });
  // Nothing came in with the last one, so no entry is read.
  expect(await requests.findAmong(own, links.slice(1))).toBeNull();
});
