import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Oid } from '../../../src/formats/oid.ts';
import { livePacks } from '../packs.ts';
import { overwrite } from '../stores.ts';

/** A wiki that is about to be damaged. */
export interface Sound {
  directory: string;
  /** Commits of the chain, the oldest first. Those before `firstUnmerged` lie in one pack together. */
  commits: readonly Oid[];
  firstUnmerged: number;
}

/** A kind of damage, and the findings that a check and a repair must report. */
export interface Damage {
  name: string;
  do: (wiki: Sound) => void;
  /** The problems that the check reports, each in one problem or more. */
  problems: readonly RegExp[];
  /** Pages that the repair names, and what it kept of them. */
  lost?: Record<string, 'older version' | 'nothing'>;
  lostCommits?: number;
}

const TORN = /^The pack objects\/pack\/pack-[0-9a-f]{40}\.pack is damaged: its checksum is wrong\.$/;
const MISSING = /^Object [0-9a-f]{40} is not in the repository\.$/;
const NO_ORDER =
  /^The order of the commits \(pagetree\/chain-\*\) is lost, so nobody knows which of them is the newest\.$/;
const GAP = /^The order of the commits has a gap: \d+ of its names lie beyond it\.$/;
const EMPTY_REF = /^The branch ref is damaged; the next write puts it right\.$/;

/** The last four writes are B (after which a merge), A, C, B and A. */
export const DAMAGES: readonly Damage[] = [
  {
    name: 'the newest commit is missing',
    do: (wiki) => remove(wiki, -1),
    problems: [MISSING],
    lostCommits: 1,
  },
  {
    name: 'a commit before the newest is missing',
    do: (wiki) => remove(wiki, -2),
    problems: [MISSING],
    lost: { 'B.md': 'older version' },
    lostCommits: 1,
  },
  {
    name: 'the pack of a commit is cut off at its half',
    do: (wiki) => truncate(packOf(wiki, -1)),
    problems: [TORN],
  },
  {
    name: 'a pack of many commits is cut off at its half',
    do: (wiki) => truncate(mergedPack(wiki)),
    problems: [TORN],
  },
  {
    name: 'a pack is empty',
    do: (wiki) => truncateSync(packOf(wiki, -2), 0),
    problems: [TORN],
    lost: { 'B.md': 'older version' },
    lostCommits: 1,
  },
  ...[0.2, 0.5, 0.9].map((place) => ({
    name: `a byte of a pack of many commits is flipped at ${place} of its length`,
    do: (wiki: Sound) => flip(mergedPack(wiki), place),
    problems: [TORN],
  })),
  {
    name: "a byte of a page in a commit's pack is flipped",
    do: (wiki) => flip(packOf(wiki, -1), 0.93),
    problems: [TORN],
    lost: { 'A.md': 'older version' },
  },
  {
    name: "a byte of the checksum of a commit's pack is flipped",
    do: (wiki) => flip(packOf(wiki, -1), 1),
    problems: [TORN],
    lost: {},
  },
  ...[0.05, 0.6, 0.99].flatMap((place) =>
    (['commit', 'merged'] as const).map((kind) => ({
      name: `a byte of the index of a ${kind} pack is flipped at ${place} of its length`,
      do: (wiki: Sound) => flip(indexOf(kind === 'commit' ? packOf(wiki, -1) : mergedPack(wiki)), place),
      problems: [/the checksum of its index is wrong\.$/],
      lost: {},
    })),
  ),
  {
    name: "the index of a commit's pack is missing",
    do: (wiki) => rmSync(indexOf(packOf(wiki, -1))),
    problems: [/its index is missing\.$/],
    lost: {},
  },
  {
    name: 'the index of a pack of many commits is missing',
    do: (wiki) => rmSync(indexOf(mergedPack(wiki))),
    problems: [/its index is missing\.$/],
    lost: {},
    lostCommits: 0,
  },
  {
    name: 'the branch ref is empty',
    do: ({ directory }) => writeFileSync(join(directory, 'refs/heads/main'), ''),
    problems: [EMPTY_REF],
    lost: {},
  },
  {
    name: 'the chain is lost',
    do: loseChain,
    problems: [NO_ORDER],
    lost: {},
  },
  {
    name: 'the chain is lost, and the branch ref lags',
    do: (wiki) => {
      loseChain(wiki);
      writeFileSync(join(wiki.directory, 'refs/heads/main'), `${wiki.commits.at(-3)}\n`);
    },
    problems: [NO_ORDER],
    lost: {},
  },
  {
    name: 'the chain is lost, and the branch ref is empty',
    do: (wiki) => {
      loseChain(wiki);
      writeFileSync(join(wiki.directory, 'refs/heads/main'), '');
    },
    problems: [NO_ORDER, EMPTY_REF],
    lost: {},
  },
  {
    // If it does not lag, this looks like a clone: see lost-chain.test.ts.
    name: "all of the wiki's own directory is lost, and the branch ref lags",
    do: ({ directory, commits }) => {
      rmSync(join(directory, 'pagetree'), { recursive: true });
      writeFileSync(join(directory, 'refs/heads/main'), `${commits.at(-3)}\n`);
    },
    problems: [NO_ORDER],
    lost: {},
  },
  {
    name: 'the chain and a commit are lost',
    do: (wiki) => {
      loseChain(wiki);
      remove(wiki, -2);
    },
    problems: [NO_ORDER],
    lost: { 'B.md': 'older version' },
    lostCommits: 1,
  },
  {
    name: 'names of the chain are lost',
    do: (wiki) => {
      for (const at of [2, 3, -3]) rmSync(nameOf(wiki, at));
    },
    problems: [GAP],
    lost: {},
  },
  {
    name: 'a name of the chain and the commit after it are lost',
    do: (wiki) => {
      rmSync(nameOf(wiki, -3));
      remove(wiki, -2);
    },
    problems: [GAP],
    lost: { 'B.md': 'older version' },
    lostCommits: 1,
  },
  {
    name: 'the branch ref names a commit that is nowhere',
    do: ({ directory }) => writeFileSync(join(directory, 'refs/heads/main'), `${'1'.repeat(40)}\n`),
    problems: [],
    lost: {},
  },
];

function loseChain({ directory }: Sound): void {
  rmSync(join(directory, 'pagetree/chain-main'), { recursive: true });
}

/** The name in the chain after a commit. */
function nameOf({ directory, commits }: Sound, at: number): string {
  return join(directory, 'pagetree/chain-main', commits.at(at) ?? '');
}

function packOf({ directory, commits }: Sound, at: number): string {
  return join(directory, 'objects/pack', `pack-${commits.at(at)}.pack`);
}

function mergedPack({ directory, commits }: Sound): string {
  const merged = livePacks(directory).find(
    (file) => !commits.includes(file.slice('pack-'.length, -'.pack'.length)),
  );
  return join(directory, 'objects/pack', merged ?? '');
}

function indexOf(pack: string): string {
  return pack.replace(/pack$/, 'idx');
}

function remove(wiki: Sound, at: number): void {
  for (const file of [packOf(wiki, at), indexOf(packOf(wiki, at))]) rmSync(file);
}

function truncate(path: string): void {
  truncateSync(path, Math.floor(readFileSync(path).length / 2));
}

function flip(path: string, place: number): void {
  const bytes = readFileSync(path);
  const at = Math.min(bytes.length - 1, Math.floor(bytes.length * place));
  bytes.writeUInt8(bytes.readUInt8(at) ^ 0x55, at);
  overwrite(path, bytes);
}
