import type { Oid } from '../../formats/oid.ts';
import type { RepairReport } from '../storage.ts';

/** The commit of a repair, which names what is lost. */
export function repairCommitText(
  tree: Oid,
  { parent, lost, lostCommits }: Pick<RepairReport, 'parent' | 'lost' | 'lostCommits'>,
  trailers: readonly string[],
  now: number,
): string {
  const who = `Pagetree <pagetree@localhost> ${Math.floor(now / 1000)} +0000`;
  const paragraphs = [
    named(lost.map(({ path, kept }) => `- ${path || 'all pages'}: ${kept} kept`)),
    named(lostCommits.map((commit) => `- commit ${commit} is lost`)),
  ].filter((paragraph) => paragraph.length > 0);
  return [
    `tree ${tree}`,
    ...(parent === null ? [] : [`parent ${parent}`]),
    `author ${who}`,
    `committer ${who}`,
    '',
    'Repair the wiki after commits were lost',
    '',
    ...paragraphs.flatMap((paragraph) => [...paragraph, '']),
    ...trailers,
    '',
  ].join('\n');
}

const MAX_NAMED = 100;

function named(lines: readonly string[]): string[] {
  const more = lines.length > MAX_NAMED ? [`- and ${lines.length - MAX_NAMED} more`] : [];
  return [...lines.slice(0, MAX_NAMED), ...more];
}
