import type { Steps } from '../../../scheduling/in-turns.ts';
import { appendText } from '../editing/edits.ts';
import { findFrontmatter } from '../frontmatter/frontmatter.ts';
import { blockSteps } from '../markdown/markdown-blocks.ts';
import { lineEndingOf, withLineEnding } from '../text-encoding.ts';
import { cutRuns, joinRuns, type Run, replaceRuns } from '../text-runs.ts';
import { distinctLabels } from './merged-labels.ts';

interface TextOfPages {
  text: string;
  runs: readonly Run[];
}

export interface MergedText {
  text: string;
  runs: Run[];
  /** The place in the text where the page that came in begins. */
  addedAt: number;
  /** New ids of the blocks that came in, by the old ones (see blockKey). */
  blocks: ReadonlyMap<string, string>;
}

/** True if code or a comment is open at the end of a text, so that appended text would become part of it. */
export function* endsWithin(text: string): Steps<boolean> {
  const probe = appendText(text, '\n# probe\n');
  const { headings } = yield* blockSteps(probe);
  return headings.at(-1)?.text !== 'probe';
}

/**
 * True if the page that came in means something else there than alone: its first lines are a part of the last item of a
 * list or a footnote, where what was code is text.
 */
export function* readsOtherwise({ text, addedAt }: MergedText): Steps<boolean> {
  const { prose } = yield* blockSteps(text);
  // The line before it keeps its first lines from being frontmatter.
  const alone = yield* blockSteps(`\n${text.slice(addedAt)}`);
  const added = prose.filter(({ end }) => end > addedAt);
  return (
    added.length !== alone.prose.length ||
    added.some(({ start, end }, at) => {
      const other = alone.prose[at];
      return start - addedAt !== (other?.start ?? 0) - 1 || end - addedAt !== (other?.end ?? 0) - 1;
    })
  );
}

/** Adds the body of a page to another one and drops its frontmatter. Its labels keep their meaning. */
export function* mergeTexts(target: TextOfPages, source: TextOfPages): Steps<MergedText> {
  const frontmatter = findFrontmatter(source.text)?.end ?? 0;
  const blank = /^(?:[ \t]*\r?\n)+/.exec(source.text.slice(frontmatter))?.[0].length ?? 0;
  const start = frontmatter + blank;
  const written = source.text.slice(start);
  const nothing = { text: target.text, addedAt: target.text.length, blocks: new Map() };
  if (written === '') return { ...nothing, runs: joinRuns(target.runs) };
  // The first lines of a body are not frontmatter, even if they look like it.
  const blankLine = findFrontmatter(written) === null ? '' : '\n';
  const distinct = yield* distinctLabels(target.text, blankLine + written);
  const { blocks } = distinct;
  const replacements = distinct.replacements.map((replacement) => ({
    start: replacement.start - blankLine.length,
    end: replacement.end - blankLine.length,
    text: replacement.text,
  }));
  const pieces: string[] = [];
  let kept = 0;
  for (const replacement of replacements) {
    pieces.push(written.slice(kept, replacement.start), replacement.text);
    kept = replacement.end;
  }
  const body = pieces.join('') + written.slice(kept);
  const splices = replacements.map(({ start, end, text }) => ({ start, end, length: text.length }));
  const runs = replaceRuns(cutRuns(source.runs, start, source.text.length), splices, 'other words');

  const ending = lineEndingOf(target.text);
  const gap = target.text === '' ? '' : '\n';
  const appended = appendText(target.text, gap + body);
  const opening = makesFrontmatter(target.text, appended) ? ending : '';
  const added = withLineEnding(body, ending).length;
  const before = appended.length - added - (body.endsWith('\n') ? 0 : ending.length) - target.text.length;
  return {
    text: opening + appended,
    addedAt: opening.length + target.text.length + before,
    runs: joinRuns(
      [{ length: opening.length, from: null }],
      cutRuns(target.runs, 0, target.text.length),
      [{ length: before, from: null }],
      inLineEnding(runs, body, ending),
    ),
    blocks,
  };
}

/** True if the addition turns text into frontmatter. A blank line before that text prevents it. */
function makesFrontmatter(text: string, appended: string): boolean {
  return findFrontmatter(text) === null && findFrontmatter(appended) !== null;
}

/** The runs of a text after its line endings were changed. */
function inLineEnding(runs: readonly Run[], text: string, ending: ReturnType<typeof lineEndingOf>): Run[] {
  let at = 0;
  return runs.map(({ length, from }) => {
    const part = text.slice(at, at + length);
    at += length;
    return { length: withLineEnding(part, ending).length, from };
  });
}
