import { applyEdits } from '../../src/core/text/editing/edits.ts';
import { nearestLine } from '../../src/core/text/editing/nearest-line.ts';
import { editFrontmatter } from '../../src/core/text/frontmatter/frontmatter-edit.ts';
import { followLinks } from '../../src/core/text/links/follow-links.ts';
import { createLinkResolver } from '../../src/core/text/links/link-resolver.ts';
import { nearNames } from '../../src/core/text/links/near-names.ts';
import { joinPath } from '../../src/core/text/links/relative-path.ts';
import { scanBlocks } from '../../src/core/text/markdown/markdown-blocks.ts';
import { findSection } from '../../src/core/text/markdown/outline.ts';
import { factsOf } from '../../src/core/text/markdown/page-facts.ts';
import { editSection } from '../../src/core/text/markdown/section-edit.ts';
import { anchorMover } from '../../src/core/text/merging/merged-anchors.ts';
import { mergeTexts } from '../../src/core/text/merging/merged-text.ts';
import { readWindow } from '../../src/core/text/read-window.ts';
import { wholeText } from '../../src/core/text/text-runs.ts';
import { mergeText } from '../../src/core/text/three-way/merge-text.ts';
import { unifiedDiff } from '../../src/core/text/unified-diff.ts';
import { atOnce } from '../../src/scheduling/in-turns.ts';
import { piecesOf } from '../../src/search/history/likeness.ts';
import { termsOf } from '../../src/search/words/terms.ts';
import { parseWordsQuery } from '../../src/search/words/words-query.ts';
import { cpuMsOf } from '../machine-speed.ts';
import { hostileTexts } from './hostile-texts.ts';

const MAX_GROWTH = 10;
/** Shorter times are noise. */
const SMALL_MS = 25;
/** Other work of the machine makes several runs in a row longer, and none shorter. */
const MAX_ROUNDS = 12;

const resolver = createLinkResolver(['A.md', 'B.md', 'x/a.md', 'b.md', 'a.md']);

export const functions: Record<string, (text: string) => unknown> = {
  factsOf: (text) => factsOf('P', text),
  termsOf,
  findSection: (text) =>
    ['A', 'Nope', 'A[2]'].map((wanted) => findSection(scanBlocks(text).headings, text.length, wanted)),
  'the title of factsOf': (text) => factsOf('P', `# ${text.replaceAll('\n', ' ')}`),
  'nearestLine in it': (text) => nearestLine(text, 'Run the thing that'),
  'nearestLine to it': (text) => nearestLine('Run the thing\nthat', text),
  nearNames: (text) => nearNames('Some/Name', text.split('\n')),
  'applyEdits everywhere': (text) =>
    applyEdits(text, [{ old_string: text.slice(0, 1), new_string: 'zz', replace_all: true }], 1e9),
  'applyEdits nowhere': (text) =>
    applyEdits(text, [{ old_string: `${text.slice(0, text.length >> 1)}x`, new_string: 'zz' }], 1e9),
  'editSection in it': (text) => inSection(`# H\n${text}`, 'x'),
  'editSection with it': (text) => inSection('# H\nx\n', text),
  'unifiedDiff of a few': (text) => unifiedDiff(text, `x\n${text}y`),
  mergeText: (text) => mergeText(Buffer.from(text), Buffer.from(`x\n${text}`), Buffer.from(`${text}\nx`)),
  parseWordsQuery,
  readWindow: (text) => readWindow(text, { maxSerialized: 1_000, startLine: 1_000 }),
  piecesOf: (text) => piecesOf(Buffer.from(text)),
  'the links of factsOf': (text) => factsOf('P', text).links.map((link) => resolver.resolve(link, 'x/A.md')),
  'mergeTexts of half of it': (text) => {
    const half = text.slice(text.length >> 1);
    const source = { text: half, runs: wholeText('A'), from: 'A' };
    const {
      runs,
      blocks,
      addedAt: _,
      ...now
    } = atOnce(mergeTexts({ text: half, runs: wholeText('B') }, source));
    const move = atOnce(anchorMover({ from: 'A', text: half, now: { ...now, runs }, blocks }));
    return ['A', 'A#A', '^a', 'a-1'].map((anchor) => move(anchor, 'inline'));
  },
  joinPath: (text) => joinPath('a/b', text),
  followLinks: (text) =>
    atOnce(
      followLinks(
        { text, at: 'y/P.md', origins: { from: 'x/P.md', text: `x${text}` } },
        {
          before: resolver,
          after: createLinkResolver(['A.md', 'B.md', 'y/a.md', 'b.md']),
          moved: new Map([
            ['x/P.md', 'y/P.md'],
            ['x/a.md', 'y/a.md'],
          ]),
          merged: new Set(),
          replaced: new Set(),
          placeOf: (path) => path,
          removed: new Set(),
          anchors: new Map(),
          follows: () => true,
        },
      ),
    ),
  'editFrontmatter of it': (text) => editFrontmatter(text, { set: { a: 1 }, unset: [] }),
};

function inSection(text: string, content: string): void {
  const { headings } = scanBlocks(text);
  const [heading] = headings;
  if (heading === undefined) return;
  const section = { heading, start: 0, bodyStart: 4, ownEnd: text.length, end: text.length };
  for (const operation of ['append', 'replace', 'insert_after'] as const) {
    editSection(text, section, { operation, content, includeSubsections: true });
  }
}

/**
 * The hostile texts that a function takes too long for: each is taken in one length and in four times that, since what
 * grows with the square takes sixteen times as long. CPU time of the thread, the best of several runs, with a margin
 * between. A text that seems to take too long is taken again.
 */
export function grownTexts(name: string, length: number): string[] {
  const work = functions[name] as (text: string) => unknown;
  return Object.entries(hostileTexts).flatMap(([title, make]) => {
    const large = make(4 * length);
    let most = cpuMsOf(() => work(large));
    if (most < SMALL_MS) return [];
    const small = make(length);
    const least = Math.min(...Array.from({ length: 5 }, () => cpuMsOf(() => work(small))));
    const hasGrown = () => most >= SMALL_MS && most / least > MAX_GROWTH;
    for (let round = 0; round < MAX_ROUNDS && hasGrown(); round += 1)
      most = Math.min(
        most,
        cpuMsOf(() => work(large)),
      );
    return hasGrown() ? [`${title}: ${least.toFixed(1)} ms, then ${most.toFixed(1)} ms`] : [];
  });
}
