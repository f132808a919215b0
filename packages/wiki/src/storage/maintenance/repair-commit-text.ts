import type { Oid, RepairReport } from '../storage.ts';

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

const MOST_NAMED = 100;

function named(lines: readonly string[]): string[] {
  const more = lines.length > MOST_NAMED ? [`- and ${lines.length - MOST_NAMED} more`] : [];
  return [...lines.slice(0, MOST_NAMED), ...more];
}
