import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { pageText, randomNumbers } from '../../../../labs/wikis/wiki-text.ts';
import { measurePublicSet, reportOf } from './bench-public-sets.ts';
import { parseCranfield, parseLocomo, readPublicSets } from './public-sets.ts';

const texts = `.I 1
.T
on the
lantern .
.A
brown,a.
.B
j. light. 25, 1958, 324.
.W
on the lantern .
  a lantern gives light .
.I 2
.T
wings
.A
.B
.W
.
`;

test('Cranfield is read as it is published, and answers of no interest are none', () => {
  const queries = '.I 001\n.W\nwhat gives\nlight .\n.I 004\n.W\nwho has wings\n.I 009\n.W\nnothing\n';
  const judgements = '1 0 1 2\n1 0 2 5\n2 0 2 1 \n2 0 1 4\n2 0 77 1\n3 0 1 -1\n';
  const { pages, questions } = parseCranfield(texts, queries, judgements);
  expect([...pages]).toEqual([
    [
      'Abstract 1',
      '# on the lantern .\n\nbrown,a.\n\nj. light. 25, 1958, 324.\n\non the lantern .\n  a lantern gives light .\n',
    ],
    ['Abstract 2', '# wings\n\n\n\n.\n'],
  ]);
  expect(questions).toEqual([
    { question: 'what gives light .', paths: ['Abstract 1'] },
    { question: 'who has wings', paths: ['Abstract 2', 'Abstract 1'] },
  ]);
});

test('a conversation of LoCoMo is a page for each session, which its evidence names', () => {
  const { pages, questions } = parseLocomo([
    {
      sample_id: 'conv-1',
      conversation: {
        speaker_a: 'Ada',
        speaker_b: 'Grace',
        session_1_date_time: '1:56 pm on 8 May, 2023',
        session_1: [
          { speaker: 'Ada', text: 'Look!', blip_caption: 'a photo of a lantern' },
          { speaker: 'Grace', text: 'Nice.' },
        ],
        session_2_date_time: 'later',
        session_2: [{ speaker: 'Ada', text: 'Bye.' }],
        session_3: [],
        session_4_date_time: 'never',
      },
      qa: [
        { question: 'What?', evidence: ['D1:1', 'D1:2'] },
        { question: 'Both?', evidence: ['D1:1; D02:1', 'D3:1'] },
        { question: 'None?', evidence: [] },
        { question: 'Nor here?', evidence: ['D', 'D9:1'] },
        { question: 'Unknown?' },
      ],
    },
  ]);
  expect([...pages.keys()]).toEqual(['conv-1/Session 1', 'conv-1/Session 2']);
  expect(pages.get('conv-1/Session 1')).toBe(
    '# Ada and Grace, session 1\n\n1:56 pm on 8 May, 2023\n\nAda: Look! (Picture: a photo of a lantern)\n\nGrace: Nice.\n',
  );
  expect(questions).toEqual([
    { question: 'What?', paths: ['conv-1/Session 1'] },
    { question: 'Both?', paths: ['conv-1/Session 1', 'conv-1/Session 2'] },
  ]);
});

test('the sets are looked for where the corpora lie, and a directory without any is named', async () => {
  const corpora = mkdtempSync(join(tmpdir(), 'pagetree-corpora-'));
  onTestFinished(() => rmSync(corpora, { recursive: true }));
  await expect(readPublicSets(corpora)).rejects.toThrow(
    /^There is neither .*cranfield with cran\.all\.1400, cran\.qry, cranqrel nor .*locomo10\.json: set PAGETREE_CORPORA/,
  );
  mkdirSync(join(corpora, 'cranfield'));
  writeFileSync(join(corpora, 'cranfield/cran.all.1400'), texts);
  writeFileSync(join(corpora, 'cranfield/cran.qry'), '.I 1\n.W\nlight\n');
  writeFileSync(join(corpora, 'cranfield/cranqrel'), '1 0 1 1\n');
  expect((await readPublicSets(corpora)).map(({ name, pages }) => [name, pages.size])).toEqual([
    ['Cranfield', 2],
  ]);
});

test('a made-up set is measured with every engine that needs nothing installed, and reported', async () => {
  const shape = { pages: 60, commits: 1 };
  const pages = new Map(shapePages(shape.pages).map((page) => [`Page ${page}`, pageText(shape, page, 0)]));
  const random = randomNumbers(7);
  const questions = [...pages].map(([path, text]) => {
    const words = text.match(/\p{L}{5,}/gu) ?? [];
    const picked = Array.from({ length: 6 }, () => words[Math.floor(random() * words.length)]);
    return { question: picked.join(' '), paths: [path] };
  });
  const report = await measurePublicSet({ name: 'Made up', pages, questions }, [
    async () => ['none', { search: async () => [], close: async () => {} }],
  ]);
  expect(report.pages).toBe(60);
  for (const name of ['ours', 'fts5', 'minisearch']) {
    expect(report.scores[name]?.questions).toBe(60);
    expect(report.scores[name]?.['recall@5'].mean, name).toBeGreaterThan(0.8);
  }
  expect(report.scores.none?.['success@10'].mean).toBe(0);
  const lines = reportOf(report).split('\n');
  expect(lines[0]).toBe('Made up, 60 pages; means, and in brackets the interval of 95 % by bootstrap.');
  expect(lines.filter((line) => line.startsWith('| none | 60 | 0.00 (0.00 to 0.00) |'))).toHaveLength(1);
});

function shapePages(count: number): number[] {
  return Array.from({ length: count }, (_, at) => at);
}
