import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bareRepository } from '../../../test/native-git.ts';
import { openStore } from '../../../test/storage/stores.ts';
import { objectId } from '../../formats/oid.ts';
import type { ChainLink } from '../commits/chain-link.ts';
import { OutOfTime, Run, type RunMemory } from '../maintenance/run.ts';
import { lastCompleteOf, readableTrees } from './readable-commits.ts';
import { openSoundness } from './soundness.ts';

/** A commit of a chain, or one beside it that the chain merged. */
interface Made {
  oid: string;
  tree: string;
  blob: string;
  parents: Made[];
}

type Lost = 'commit' | 'tree' | 'blob' | null;
const lost = fc.constantFrom<Lost>(null, null, null, 'commit', 'tree', 'blob');
const chains = fc.array(fc.record({ lost, merged: fc.option(lost, { nil: undefined }) }), { maxLength: 7 });

test('the trees back to the last complete commit are found, and the commits that are lost', async () => {
  await fc.assert(
    fc.asyncProperty(chains, fc.nat(7), async (specs, then) => {
      const repository = bareRepository();
      const missing = new Set<string>();
      const add = (text: string, parents: Made[], without: Lost) =>
        write(repository, text, parents, without, missing);
      const chain: Made[] = [];
      for (const [at, spec] of specs.entries()) {
        const merged = spec.merged === undefined ? [] : [add(`beside ${at}`, [], spec.merged)];
        chain.push(add(`${at}`, [...chain.slice(-1), ...merged], spec.lost));
      }
      const store = openStore(repository);
      const linksOf = (length: number): ChainLink[] =>
        chain.slice(0, length).map(({ oid }) => ({ parent: null, commit: oid, adopted: false }));

      // In calls that end after a few steps, and once more after the chain has become longer.
      const memory: RunMemory = { slots: {}, lists: {} };
      for (const length of [Math.min(then, chain.length), chain.length]) {
        const found = await inCalls(memory, async (run) => {
          const last = await lastCompleteOf(linksOf(length), openSoundness(run, store), run);
          return { last, ...(await readableTrees(linksOf(length), last, store, run)) };
        });
        const expected = expectedOf(chain.slice(0, length), missing);
        expect({ ...found, lostCommits: found.lostCommits.toSorted() }).toEqual(expected);
        const places = found.lostCommits.map((oid) => chain.findIndex((one) => one.oid === oid));
        const ofChain = places.filter((place) => place >= 0);
        expect(ofChain).toEqual(ofChain.toSorted((a, b) => a - b));
      }
    }),
    { numRuns: 60 },
  );
});

test('a call whose time is over reads no commit', async () => {
  const repository = bareRepository();
  const { oid } = write(repository, 'a', [], null, new Set());
  const memory = { slots: {}, lists: {} };
  const run = new Run({ memory, goOn: () => false, checkpoint: () => undefined });
  const links = [{ parent: null, commit: oid, adopted: false }];
  await expect(readableTrees(links, null, openStore(repository), run)).rejects.toThrow(OutOfTime);
});

/** Calls with a run until it comes to its end, each of them with the time for a few steps. */
async function inCalls<Found>(memory: RunMemory, work: (run: Run) => Promise<Found>): Promise<Found> {
  for (let call = 0; call < 1_000; call += 1) {
    let steps = 0;
    const goOn = () => {
      steps += 1;
      return steps <= STEPS_OF_CALL;
    };
    try {
      return await work(new Run({ memory, goOn, checkpoint: () => undefined }));
    } catch (error) {
      if (!(error instanceof OutOfTime)) throw error;
    }
  }
  throw new Error('The run does not come to its end.');
}

const STEPS_OF_CALL = 6;

function expectedOf(chain: Made[], missing: ReadonlySet<string>) {
  const isComplete = ({ oid, tree, blob, parents }: Made): boolean =>
    ![oid, tree, blob].some((each) => missing.has(each)) && parents.every(isComplete);
  const isReadable = ({ oid, tree }: Made) => !missing.has(oid) && !missing.has(tree);
  const last = chain.findLastIndex(isComplete);
  const after = chain.slice(last + 1);
  const named = after.filter(({ oid }) => !missing.has(oid)).flatMap(({ parents }) => parents);
  const lostCommits = new Set([
    ...after.filter((one) => !isReadable(one)).map(({ oid }) => oid),
    ...named.map(({ oid }) => oid).filter((oid) => missing.has(oid)),
  ]);
  return {
    last: chain[last]?.oid ?? null,
    trees: chain
      .slice(Math.max(last, 0))
      .filter(isReadable)
      .map(({ tree }) => tree)
      .reverse(),
    lostCommits: [...lostCommits].sort(),
  };
}

/** Writes a commit of one page, but for the object that is lost, which becomes one of the missing. */
function write(repository: string, text: string, parents: Made[], without: Lost, missing: Set<string>): Made {
  const add = (type: 'blob' | 'tree' | 'commit', content: Buffer) => {
    const oid = objectId(type, content);
    const path = join(repository, 'objects', oid.slice(0, 2), oid.slice(2));
    mkdirSync(dirname(path), { recursive: true });
    const header = Buffer.from(`${type} ${content.length}\0`);
    if (type === without) missing.add(oid);
    else writeFileSync(path, deflateSync(Buffer.concat([header, content])));
    return oid;
  };
  const blob = add('blob', Buffer.from(text));
  const tree = add('tree', Buffer.concat([Buffer.from('100644 a\0'), Buffer.from(blob, 'hex')]));
  const who = 'A <a@b.c> 1 +0000';
  const lines = [`tree ${tree}`, ...parents.map(({ oid }) => `parent ${oid}`), `author ${who}`];
  const commit = add('commit', Buffer.from(`${lines.join('\n')}\ncommitter ${who}\n\n${text}\n`));
  return { oid: commit, tree, blob, parents };
}
