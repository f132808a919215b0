import { expect, test } from 'vitest';
import { repairCommitText } from './repair-commit-text.ts';

const TREE = 'a'.repeat(40);
const PARENT = 'b'.repeat(40);
const lines = (text: string) => text.split('\n');
const heading = (parent: string | null) => [
  `tree ${TREE}`,
  ...(parent === null ? [] : [`parent ${parent}`]),
  'author Pagetree <pagetree@localhost> 1700000000 +0000',
  'committer Pagetree <pagetree@localhost> 1700000000 +0000',
  '',
  'Repair the wiki after commits were lost',
  '',
];
const older = (path: string) => ({ path, kept: 'older version' as const });

test('the commit of a repair names the pages and the commits that are lost', () => {
  const report = {
    parent: PARENT,
    lost: [older('a/b.md'), { path: '', kept: 'nothing' as const }],
    lostCommits: [TREE],
  };
  expect(lines(repairCommitText(TREE, report, ['A: 1', 'B: 2'], 1_700_000_000_999))).toEqual([
    ...heading(PARENT),
    '- a/b.md: older version kept',
    '- all pages: nothing kept',
    '',
    `- commit ${TREE} is lost`,
    '',
    'A: 1',
    'B: 2',
    '',
  ]);
});

test('a commit of a repair without a parent, and with nothing to name, has its trailers alone', () => {
  const report = { parent: null, lost: [], lostCommits: [] };
  expect(lines(repairCommitText(TREE, report, ['A: 1'], 1_700_000_000_000))).toEqual([
    ...heading(null),
    'A: 1',
    '',
  ]);
});

test.each([
  [100, 100, []],
  [101, 100, ['- and 1 more']],
  [250, 100, ['- and 150 more']],
])('of %i lost pages, %i are named', (count, named, more) => {
  const lost = Array.from({ length: count }, (_, at) => older(`${at}`));
  const text = lines(repairCommitText(TREE, { parent: null, lost, lostCommits: [] }, [], 1_700_000_000_000));
  expect(text.slice(heading(null).length)).toEqual([
    ...lost.slice(0, named).map((_, at) => `- ${at}: older version kept`),
    ...more,
    '',
    '',
  ]);
});
