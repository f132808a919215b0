import { folderOf, lastPartOf } from '../../paths/page-path.ts';
import { similarityTo } from '../editing/similarity.ts';
import { foldCase } from '../fold-case.ts';

/** Below this similarity, a name has little in common with the requested one. */
const leastAlike = 0.45;
/** Only this many characters of a name are compared. */
const compared = 80;

/**
 * The paths most similar to a missing one, best first: those in its folder, then the same page in another
 * folder, then by similarity of spelling. Cost is linear in the number of paths.
 */
export function nearNames(missed: string, paths: Iterable<string>, most = 5): string[] {
  const wanted = forComparison(missed);
  const wantedName = lastPartOf(wanted);
  const wantedFolder = folderOf(wanted);
  const stemLikeness = likenessTo(stemOf(wantedName));
  const pathLikeness = similarityTo(wanted);
  const nameLikeness = likenessTo(wantedName);
  const found: { path: string; score: number }[] = [];
  let least = leastAlike;
  for (const path of paths) {
    const candidate = forComparison(path);
    // In one folder all paths are similar, so only the names count.
    const score =
      folderOf(candidate) === wantedFolder
        ? atOrAbove(stemLikeness(stemOf(lastPartOf(candidate)), leastAlike)) + sameFolder
        : Math.max(
            nameLikeness(lastPartOf(candidate), least + elsewhere) - elsewhere,
            pathLikeness(candidate, least),
          );
    if (score < least || (found.length === most && score === least)) continue;
    found.push({ path, score });
    found.sort((a, b) => b.score - a.score);
    if (found.length > most) found.pop();
    if (found.length === most) least = found.at(-1)?.score ?? least;
  }
  return found.map(({ path }) => path);
}

/** Like `similarityTo`, but also recognises two swapped letters in a short name. */
function likenessTo(wanted: string): (text: string, atLeast?: number) => number {
  const similarity = similarityTo(wanted);
  return (text, atLeast) => (isSwapOf(text, wanted) ? SWAPPED : similarity(text, atLeast));
}

const SWAPPED = 0.9;

/** True if the texts differ by two neighbouring characters that changed places. */
function isSwapOf(text: string, other: string): boolean {
  let at = 0;
  while (at < text.length && text[at] === other[at]) at += 1;
  return (
    at < text.length - 1 &&
    text[at] === other[at + 1] &&
    text[at + 1] === other[at] &&
    text.slice(at + 2) === other.slice(at + 2)
  );
}

/** The penalty for being in another folder. */
const elsewhere = 0.1;
/** More than any similarity. */
const sameFolder = 1;

/** Maps similarities that are too low below every other score. */
function atOrAbove(likeness: number): number {
  return likeness < leastAlike ? Number.NEGATIVE_INFINITY : likeness;
}

/** The name without its extension: files of one folder often share one, which does not make them similar. */
function stemOf(name: string): string {
  return name.replace(/(?<=.)\.[a-z][a-z0-9]{0,4}$/, '');
}

function forComparison(path: string): string {
  const clipped = path.length > 2 * compared ? path.slice(0, compared) + path.slice(-compared) : path;
  return foldCase(clipped.normalize('NFC'));
}
