import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Oid } from '../../../src/formats/oid.ts';
import { requestNameOf } from '../../../src/storage/commits/request-name.ts';
import { Run } from '../../../src/storage/maintenance/run.ts';
import { mendChain, namesBeyondGaps } from '../../../src/storage/repair/chain/mend-chain.ts';
import type { ObjectReader } from '../../../src/storage/storage.ts';
import { commitRepository } from './chained-commits.ts';
import { runInCalls } from './run-in-calls.ts';

const FIRST_NAME = '0'.repeat(40);

/** A wiki of these commits in a row, true for those of writers, with all names of the chain. */
export function wikiOf(writers: readonly boolean[], dateOf = (at: number) => 1_700_000_000 + at) {
  const wiki = commitRepository();
  const commits: Oid[] = [];
  for (const [at, isWriters] of writers.entries()) {
    const parents = commits.slice(-1);
    commits.push(wiki.land({ parents, isWriters, date: dateOf(at) }));
  }
  wiki.name(commits.map((commit, at) => ({ commit, isWriters: writers[at] ?? false })));
  // A request that is remembered: a chain was begun here.
  writeFileSync(join(wiki.layout.requests, 'request'), '');
  const { fs, layout, objects } = wiki;
  return {
    ...wiki,
    commits,
    loseNameOf: (place: number) => rmSync(join(layout.chain, commits[place - 1] ?? FIRST_NAME)),
    /** The request of this write is remembered, as that of each write which has a successor. */
    remember(date: number, commit: Oid): void {
      const { bucket, name } = requestNameOf(`request-${date}`);
      mkdirSync(join(layout.requests, bucket), { recursive: true });
      symlinkSync(commit, join(layout.requests, bucket, name));
    },
    nameOf: (place: number) => commits[place - 1] ?? FIRST_NAME,
    link: (name: string, target: string) => wiki.nameOne(name, target),
    async mend(ref: number | readonly (Oid | null)[], steps: number, reader: ObjectReader = objects) {
      const refs = typeof ref === 'number' ? [commits[ref] ?? null] : ref;
      const readRefs = async () => refs;
      const inTurn = <T>(work: () => Promise<T>) => work();
      const prepare = async () => undefined;
      const { report } = await runInCalls(steps, (run) =>
        mendChain({ fs, layout, chain: wiki.openChain(), objects: reader, prepare, inTurn, readRefs }, run),
      );
      return report;
    },
    beyondGaps: () => namesBeyondGaps({ fs, layout, chain: wiki.openChain() }, Run.toItsEnd()),
  };
}
