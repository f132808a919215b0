import { lastPartOf } from '../page-path.ts';
import { similarityTo } from './similarity.ts';

/** Below this, a name has little to do with what was asked for. */
const leastAlike = 0.45;
/** Longer names are compared by their beginning. */
const compared = 80;

/**
 * The paths most like one that does not exist, best first: the same in another case, the same page in another
 * folder, then by how alike they are in spelling. Cost is linear in the number of paths.
 */
export function nearNames(missed: string, paths: Iterable<string>, most = 5): string[] {
  const wanted = forComparison(missed);
  const wantedName = lastPartOf(wanted);
  const pathLikeness = similarityTo(wanted);
  const nameLikeness = similarityTo(wantedName);
  const found: { path: string; score: number }[] = [];
  let least = leastAlike;
  for (const path of paths) {
    const candidate = forComparison(path);
    const score = Math.max(
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

/** What it costs to be in another folder. */
const elsewhere = 0.1;

function forComparison(path: string): string {
  const clipped = path.length > 2 * compared ? path.slice(0, compared) + path.slice(-compared) : path;
  return clipped.normalize('NFC').toLowerCase();
}
