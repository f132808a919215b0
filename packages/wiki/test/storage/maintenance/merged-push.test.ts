import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Oid } from '../../../src/formats/oid.ts';
import { git, temporaryDirectory } from '../../native-git.ts';
import { nativeView, newWiki, openWriter } from '../writers.ts';

/** Commits of a chain that took in a merge made by native git, by what they wrote. */
interface Wiki {
  directory: string;
  commits: Readonly<Record<string, Oid>>;
}

const PAGES = {
  'One.md': 'one',
  'Pushed.md': 'pushed',
  'Six.md': 'six',
  'Three.md': 'three',
  'Two.md': 'two, again',
};

const DAMAGES: { name: string; do: (wiki: Wiki) => void }[] = [
  { name: 'the whole chain', do: loseChain },
  {
    name: 'the whole chain and the branch ref',
    do: (wiki) => {
      loseChain(wiki);
      writeFileSync(join(wiki.directory, 'refs/heads/main'), '');
    },
  },
  {
    name: "all of the wiki's own directory, and the ref lags",
    do: ({ directory, commits }) => {
      rmSync(join(directory, 'pagetree'), { recursive: true });
      writeFileSync(join(directory, 'refs/heads/main'), `${commits.Four}\n`);
    },
  },
  ...[
    ['Four'],
    ['Three', 'Four'],
    ['Two', 'Three', 'Four'],
    ['One', 'Two', 'Three', 'Four'],
    ['Two', 'Four'],
    ['Three', 'Merge'],
    ['Two', 'Three', 'Four', 'Merge', 'Five'],
  ].map((names) => ({
    name: `the names after ${names.join(', ')}`,
    do: ({ directory, commits }: Wiki) => {
      for (const name of names) rmSync(join(directory, 'pagetree/chain-main', commits[name] ?? ''));
    },
  })),
  {
    name: 'the first name and others',
    do: ({ directory, commits }) => {
      for (const name of ['0'.repeat(40), commits.Three ?? '', commits.Four ?? '']) {
        rmSync(join(directory, 'pagetree/chain-main', name));
      }
    },
  },
];

for (const ours of ['first', 'second'] as const) {
  test.for(DAMAGES)(
    `a wiki that is the ${ours} parent of a pushed merge, and lost $name, applies no request twice once it is repaired`,
    async (damage) => {
      const wiki = await wikiWithAMerge(ours);
      damage.do(wiki);
      const repairer = await openWriter(wiki.directory);
      const report = await repairer.storage.repair();
      expect(report).toMatchObject({ commit: null, parent: wiki.commits.Six, lost: [], orderRestored: true });
      expect(report.lostCommits).toEqual([]);

      const writer = await openWriter(wiki.directory);
      expect(await writer.storage.head()).toBe(wiki.commits.Six);
      expect((await writer.storage.check()).problems).toEqual([]);
      for (const [name, [page, text]] of Object.entries(WRITES)) {
        const again = await writer.put(page, text, { requestId: name });
        expect(again).toMatchObject({ kind: 'repeated', commit: wiki.commits[name] });
      }
      await writer.storage.tidy();
      await writer.storage.settle();
      expect(nativeView(wiki.directory).pages).toEqual(PAGES);
      expect(await writer.put('After.md', 'after')).toMatchObject({ kind: 'committed' });
    },
  );
}

const WRITES = {
  One: ['One.md', 'one'],
  Two: ['Two.md', 'two'],
  Three: ['Three.md', 'three'],
  Four: ['Two.md', 'two, again'],
  Five: ['Six.md', 'five'],
  Six: ['Six.md', 'six'],
} as const;

/** Somebody clones after the second write, commits, merges what came since, and pushes before the fifth. */
async function wikiWithAMerge(ours: 'first' | 'second'): Promise<Wiki> {
  const directory = await newWiki();
  const { put, storage } = await openWriter(directory);
  const commits: Record<string, Oid> = {};
  const write = async (name: keyof typeof WRITES) => {
    const [page, text] = WRITES[name];
    const outcome = await put(page, text, { requestId: name });
    if (outcome.kind === 'committed') commits[name] = outcome.commit;
  };
  await write('One');
  await write('Two');
  const clone = join(temporaryDirectory(), 'clone');
  git('/', ['clone', '--quiet', directory, clone]);
  writeFileSync(join(clone, 'Pushed.md'), 'pushed');
  git(clone, ['add', 'Pushed.md']);
  git(clone, ['commit', '--quiet', '--message=Push']);
  await write('Three');
  await write('Four');
  git(clone, ['fetch', '--quiet']);
  if (ours === 'second') git(clone, ['merge', '--quiet', '--message=Merge', 'origin/main']);
  else {
    git(clone, ['branch', 'mine']);
    git(clone, ['reset', '--quiet', '--hard', 'origin/main']);
    git(clone, ['merge', '--quiet', '--message=Merge', 'mine']);
  }
  git(clone, ['push', '--quiet', 'origin', 'main']);
  commits.Merge = (await storage.head()) ?? '';
  await write('Five');
  await write('Six');
  await storage.close();
  expect(git(directory, ['log', '--merges', '--format=%H'])).toBe(commits.Merge);
  return { directory, commits };
}

function loseChain({ directory }: Wiki): void {
  rmSync(join(directory, 'pagetree/chain-main'), { recursive: true });
}
