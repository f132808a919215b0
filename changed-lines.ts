/**
 * The lines that a diff without context (`git diff --unified=0 --no-prefix`) changes or adds, by file, each range as
 * FIRST-LAST. A file that only loses lines has none.
 */
export function changedLines(diff: string): [file: string, ranges: string[]][] {
  const ranges = new Map<string, string[]>();
  let file = '';
  /** Lines of a change may look like those of the diff itself. */
  let linesOfChange = 0;
  for (const line of diff.split('\n')) {
    if (linesOfChange > 0) {
      linesOfChange -= 1;
      continue;
    }
    const [, named] = /^\+\+\+ (.*)$/.exec(line) ?? [];
    if (named !== undefined) file = named;
    const [, removed = '1', first, added = '1'] =
      /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line) ?? [];
    if (first === undefined) continue;
    linesOfChange = Number(removed) + Number(added);
    if (added === '0') continue;
    ranges.set(file, [...(ranges.get(file) ?? []), `${first}-${Number(first) + Number(added) - 1}`]);
  }
  return [...ranges];
}
