import { mkdirSync, readdirSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type GitObject, type Oid, objectId } from '../../../src/formats/oid.ts';
import { encodePack } from '../../../src/formats/packs/pack.ts';
import { openChain } from '../../../src/storage/commits/chain.ts';
import { openNamedLinks } from '../../../src/storage/files/named-links.ts';
import { nodeFileSystem } from '../../../src/storage/files/node-file-system.ts';
import { layoutOf } from '../../../src/storage/layout.ts';
import { ObjectStore } from '../../../src/storage/objects/object-store.ts';
import { temporaryDirectory } from '../../native-git.ts';

const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';
const FIRST_NAME = '0'.repeat(40);

/** A commit of a repository that no process of the wiki ever opened. */
export interface CommitSpec {
  parents: readonly Oid[];
  /** Made by a writer of the wiki: with the lines of a request, in a pack that is named after it. */
  isWriters: boolean;
  /** Seconds since 1970. */
  date: number;
  /** The lines of another request than the usual one. */
  request?: { id: string; digest: string };
}

export function commitObject({ parents, isWriters, date, request }: CommitSpec): GitObject {
  const who = `A. Writer <writer@example.org> ${date} +0000`;
  const { id, digest } = request ?? { id: `request-${date}`, digest: 'digest' };
  const lines = [
    `tree ${EMPTY_TREE}`,
    ...parents.map((parent) => `parent ${parent}`),
    `author ${who}`,
    `committer ${who}`,
    '',
    `Write ${date}`,
    ...(isWriters ? ['', `Request-Id: ${id}`, `Request-Digest: ${digest}`, `Nonce: ${date}`] : []),
  ];
  return { type: 'commit', content: Buffer.from(`${lines.join('\n')}\n`) };
}

/** A repository for commits, the names of their chain, and what reads both. */
export function commitRepository(branch = 'main') {
  const directory = join(temporaryDirectory(), 'wiki.git');
  const layout = layoutOf(directory, branch);
  for (const each of [layout.packs, layout.chain, layout.requests, layout.temporary])
    mkdirSync(each, { recursive: true });
  const fs = nodeFileSystem;
  const objects = new ObjectStore({ fs, gitDirectory: directory, cacheBytes: 2 ** 20 });
  onTestFinished(() => objects.close());
  let temporaries = 0;
  const links = openNamedLinks(fs, () => join(layout.temporary, `${temporaries++}`));
  const names = () =>
    Object.fromEntries(
      readdirSync(layout.chain)
        .filter((name) => name !== 'head')
        .map((name) => [name, readlinkSync(join(layout.chain, name))]),
    );
  return {
    directory,
    layout,
    fs,
    objects,
    /** Each with what a new process remembers: nothing. `complete` completes packs that a power cut hid. */
    openChain(complete: (commit: Oid) => Promise<void> = async () => undefined) {
      const packs = { sync: async () => undefined, complete };
      return openChain({ fs, links, layout, shared: false, packs, objects });
    },
    land(spec: CommitSpec, { packName }: { packName?: string } = {}): Oid {
      const object = commitObject(spec);
      const oid = objectId('commit', object.content);
      const tree: GitObject = { type: 'tree', content: Buffer.alloc(0) };
      const name = packName ?? (spec.isWriters ? oid : objectId('blob', Buffer.from(oid)));
      const { packBytes, indexBytes } = encodePack([object, tree]);
      writeFileSync(join(layout.packs, `pack-${name}.pack`), packBytes);
      writeFileSync(join(layout.packs, `pack-${name}.idx`), indexBytes);
      return oid;
    },
    lose(commit: Oid): void {
      for (const name of [commit, objectId('blob', Buffer.from(commit))])
        for (const ending of ['pack', 'idx'])
          rmSync(join(layout.packs, `pack-${name}.${ending}`), { force: true });
    },
    /** Has the chain go on, with one name for each of them. */
    name(commits: readonly { commit: Oid; isWriters: boolean }[], chain = layout.chain): void {
      mkdirSync(chain, { recursive: true });
      let before = FIRST_NAME;
      for (const { commit, isWriters } of commits) {
        symlinkSync(isWriters ? commit : `adopted-${commit}`, join(chain, before));
        before = commit;
      }
    },
    nameOne: (name: string, target: string) => symlinkSync(target, join(layout.chain, name)),
    names,
    /** The commits in the order of the names, from the first one on. */
    order(): Oid[] {
      const all = names();
      const order: Oid[] = [];
      for (let next = all[FIRST_NAME]?.slice(-40); next !== undefined; next = all[next]?.slice(-40)) {
        if (order.includes(next)) throw new Error('The names lead in a circle.');
        order.push(next);
      }
      return order;
    },
    configure: (text: string) => writeFileSync(join(directory, 'config'), text),
  };
}
