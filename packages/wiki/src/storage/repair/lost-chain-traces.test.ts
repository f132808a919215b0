import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { faultyFileSystem } from '../../../test/storage/file-systems/faulty-file-system.ts';
import { commitRepository } from '../../../test/storage/maintenance/chained-commits.ts';
import { runInCalls } from '../../../test/storage/maintenance/run-in-calls.ts';
import type { Oid } from '../../formats/oid.ts';
import { requestNameOf } from '../commits/request-name.ts';
import { nodeFileSystem } from '../files/node-file-system.ts';
import { openCommitBook } from './chain/commit-book.ts';
import { hasChainLeftTraces, type LostChainReader, readingAnew, readingOnce } from './chain/lost-chain.ts';
import { wasMadeHere } from './chain/made-here.ts';
import { readCommit } from './stored-commit.ts';

const CLONE = '[remote "origin"]\n\turl = https://example.org/wiki.git\n';
const WIKI = '[pagetree]\n\tformat = 1\n';

/** What a repository of three writes in a row holds besides their packs, and whether its chain is lost. */
const CASES: readonly (readonly [string, boolean, (wiki: Wiki) => Oid | null])[] = [
  ['the ref reaches each write', false, ({ commits }) => commits[2]],
  ['the ref lags behind the writes', true, ({ commits }) => commits[0]],
  ['there is no ref', true, () => null],
  ['the first write was never linked', false, (wiki) => wiki.loseAllBut(0) ?? null],
  [
    'the ref reaches each write, but a request is remembered',
    true,
    (wiki) => {
      writeFileSync(join(wiki.layout.requests, 'request'), '');
      return wiki.commits[2];
    },
  ],
  [
    'the ref reaches each write, but a name of the chain is left',
    true,
    (wiki) => {
      symlinkSync(wiki.commits[2], join(wiki.layout.chain, wiki.commits[1]));
      return wiki.commits[2];
    },
  ],
  [
    'the ref reaches each write, and the chain has only a hint',
    false,
    (wiki) => {
      symlinkSync(wiki.commits[2], join(wiki.layout.chain, 'head'));
      return wiki.commits[2];
    },
  ],
  [
    'a clone has packs that its ref does not reach',
    false,
    (wiki) => {
      wiki.configure(CLONE);
      return wiki.commits[0];
    },
  ],
  [
    'a wiki lost the directory of its chain',
    true,
    (wiki) => {
      wiki.configure(WIKI);
      rmSync(wiki.layout.chain, { recursive: true });
      return wiki.commits[2];
    },
  ],
  [
    'a wiki without a ref lost the directory of its chain before its first write',
    false,
    (wiki) => {
      wiki.configure(WIKI);
      rmSync(wiki.layout.chain, { recursive: true });
      wiki.loseAllBut(0);
      return null;
    },
  ],
  [
    'a wiki has the directory of its chain, and its ref reaches each write',
    false,
    (wiki) => {
      wiki.configure(WIKI);
      return wiki.commits[2];
    },
  ],
  [
    'a wiki goes on in a branch with another name',
    false,
    (wiki) => {
      wiki.configure(WIKI);
      rmSync(wiki.layout.chain, { recursive: true });
      wiki.nameIn('other', wiki.commits);
      return wiki.commits[2];
    },
  ],
  [
    'an attempt lost its race to a commit that the ref reaches',
    false,
    (wiki) => {
      wiki.land({ parents: [wiki.commits[0]], isWriters: true, date: 9 });
      return wiki.commits[2];
    },
  ],
  [
    'a write lies on the commit that the ref names',
    true,
    (wiki) => {
      wiki.land({ parents: [wiki.commits[2]], isWriters: true, date: 9 });
      return wiki.commits[2];
    },
  ],
  [
    'an attempt lies on the newest commit of a branch with another name',
    false,
    (wiki) => {
      wiki.nameIn('other', wiki.commits);
      wiki.land({ parents: [wiki.commits[2]], isWriters: true, date: 9 });
      return wiki.commits[2];
    },
  ],
  [
    'the branch with another name is followed from its hint on',
    false,
    (wiki) => {
      const chain = wiki.nameIn('other', wiki.commits);
      symlinkSync(`${wiki.commits[1]} more`, join(chain, 'head'));
      rmSync(join(chain, wiki.commits[0]));
      wiki.land({ parents: [wiki.commits[2]], isWriters: true, date: 9 });
      return wiki.commits[2];
    },
  ],
  [
    'the writes beyond the ref are those of another branch',
    false,
    (wiki) => {
      wiki.nameIn('other', wiki.commits);
      return wiki.commits[0];
    },
  ],
  [
    'what was pushed lies beyond the ref',
    false,
    (wiki) => {
      const pushed = { parents: [wiki.commits[2]], isWriters: false, date: 9 };
      wiki.land(pushed);
      wiki.land(pushed, { packName: wiki.land({ ...pushed, date: 10 }) });
      return wiki.commits[2];
    },
  ],
  [
    'an older commit is lost, and the ref lags behind the last write',
    true,
    (wiki) => {
      wiki.lose(wiki.commits[0]);
      return wiki.commits[1];
    },
  ],
  [
    'no wiki was ever opened in the repository',
    false,
    (wiki) => {
      rmSync(wiki.layout.chain, { recursive: true });
      return wiki.commits[2];
    },
  ],
  [
    'a history was imported whole, in a pack named after its newest commit',
    false,
    (wiki) => {
      wiki.lose(wiki.commits[1]);
      return wiki.commits[2];
    },
  ],
  [
    'a repair wrote beyond the ref, after a commit that is lost',
    true,
    (wiki) => {
      const lost = 'd'.repeat(40);
      const request = { id: `repair-${lost}`, digest: lost };
      wiki.land({ parents: [wiki.commits[0]], isWriters: true, date: 9, request });
      return wiki.commits[2];
    },
  ],
];

it.each(CASES)('a chain is lost or was never begun: %s', async (_, isLost, prepare) => {
  const wiki = wikiOfThree();
  const ref = prepare(wiki);
  const { fs, layout, objects } = wiki;
  expect(await hasChainLeftTraces({ fs, layout, ...readingAnew(fs, objects) }, ref)).toBe(isLost);
});

it.each(CASES)('a repair that remembers what it read finds the same: %s', async (_, isLost, prepare) => {
  const wiki = wikiOfThree();
  const ref = prepare(wiki);
  const { fs, layout, objects } = wiki;
  const looks = new Map<Oid, number>();
  const { packPredecessor, parentsOf } = readingAnew(fs, objects);
  const counting: LostChainReader = {
    parentsOf,
    async packPredecessor(path, name) {
      const found = await packPredecessor(path, name);
      // What cannot be read may still be being written.
      if (found !== undefined) looks.set(name, 1 + (looks.get(name) ?? 0));
      return found;
    },
  };
  const { report } = await runInCalls(1, (run) => {
    const reader = readingOnce(counting, run, openCommitBook(run, objects));
    return hasChainLeftTraces({ fs, layout, ...reader }, ref);
  });
  expect([report, Math.max(1, ...looks.values())]).toEqual([isLost, 1]);
});

it('a disk that fails never looks like a lost chain', async () => {
  const { layout, objects, commits } = wikiOfThree();
  for (let at = 0; at < 5; at += 1) {
    const fs = faultyFileSystem(nodeFileSystem, { error: 'EIO', at, moment: 'lasting' });
    const looking = hasChainLeftTraces({ fs, layout, ...readingAnew(fs, objects) }, commits[2]);
    await expect(looking).rejects.toMatchObject({ code: 'io_error' });
  }
});

it.each([
  ['its pack is here', true, () => undefined],
  ['its pack is gone, and its request is forgotten', false, (wiki: Wiki) => wiki.losePackOf(1)],
  [
    'its pack is gone, and its request is remembered',
    true,
    (wiki: Wiki) => {
      wiki.losePackOf(1);
      wiki.remember('request-2', wiki.commits[1]);
    },
  ],
  [
    'its pack is gone, and its request made another commit',
    false,
    (wiki: Wiki) => {
      wiki.losePackOf(1);
      wiki.remember('request-2', wiki.commits[2]);
    },
  ],
  ['it came with a clone', false, (wiki: Wiki) => wiki.configure(CLONE)],
  ['another branch made it', false, (wiki: Wiki) => wiki.nameIn('other', wiki.commits)],
  ['another branch has other commits', true, (wiki: Wiki) => wiki.nameIn('other', [wiki.commits[0]])],
] as const)('a commit was made in this branch or came from elsewhere: %s', async (_, isHere, prepare) => {
  const wiki = wikiOfThree();
  const text = await readCommit(wiki.objects, wiki.commits[1]);
  prepare(wiki);
  if (text === null) throw new Error('It is there.');
  expect(await wasMadeHere(nodeFileSystem, wiki.layout, wiki.commits[1], text)).toBe(isHere);
  const failing = faultyFileSystem(nodeFileSystem, { error: 'EIO', at: 0, moment: 'lasting' });
  await expect(wasMadeHere(failing, wiki.layout, wiki.commits[1], text)).rejects.toMatchObject({
    code: 'io_error',
  });
});

type Wiki = ReturnType<typeof wikiOfThree>;

/** Three writes, each on the one before it, and no name of a chain. */
function wikiOfThree() {
  const wiki = commitRepository();
  const first = wiki.land({ parents: [], isWriters: true, date: 1 });
  const second = wiki.land({ parents: [first], isWriters: true, date: 2 });
  const third = wiki.land({ parents: [second], isWriters: true, date: 3 });
  const commits = [first, second, third] as const;
  return {
    ...wiki,
    commits,
    nameIn(branch: string, named: readonly Oid[]): string {
      const chain = join(dirname(wiki.layout.chain), `chain-${branch}`);
      wiki.name(
        named.map((commit) => ({ commit, isWriters: true })),
        chain,
      );
      return chain;
    },
    losePackOf: (place: 0 | 1 | 2) => wiki.lose(commits[place]),
    loseAllBut(place: number): undefined {
      for (const [at, commit] of commits.entries()) if (at !== place) wiki.lose(commit);
    },
    remember(requestId: string, commit: Oid): void {
      const { bucket, name } = requestNameOf(requestId);
      mkdirSync(join(wiki.layout.requests, bucket), { recursive: true });
      symlinkSync(commit, join(wiki.layout.requests, bucket, name));
    },
  };
}

it('a disk that fails never looks like a commit that was made elsewhere', async () => {
  const { fs, layout, objects, commits, land, remember } = wikiOfThree();
  const pushed = land({ parents: [commits[2]], isWriters: false, date: 4 });
  remember('request-1', commits[0]);
  const made = async (commit: Oid, from = fs) => {
    const text = await readCommit(objects, commit);
    return text && wasMadeHere(from, layout, commit, text);
  };
  expect(await made(pushed)).toBe(false);
  const failing = faultyFileSystem(fs, { error: 'EIO', at: 0, moment: 'lasting' });
  await expect(made(commits[0], failing)).rejects.toMatchObject({ code: 'io_error' });
});
