import fc from 'fast-check';
import type { Oid } from '../src/formats/oid.ts';
import { git } from './native-git.ts';

/** A commit on the one before. */
export interface UndoneCommit {
  /** The number of an earlier commit that is merged. */
  merged: number | null;
  files: Record<string, string | null>;
}

/** Few files that come and go, so that folders are often again as they were. */
export const undoneHistories = fc.array(
  fc.record({
    merged: fc.option(fc.nat(), { freq: 3 }),
    files: fc.dictionary(
      fc.constantFrom('A.md', 'notes/B.md', 'notes/C.md', 'notes/deep/D.md'),
      fc.constantFrom('one', null),
      { minKeys: 1, maxKeys: 2 },
    ),
  }),
  { minLength: 3, maxLength: 8 },
);

/** Has native git make the commits, each on the one before, and returns their oids in order. */
export function makeHistory(directory: string, history: readonly UndoneCommit[]): Oid[] {
  const lines = history.flatMap(({ merged, files }, at) => [
    'commit refs/heads/main',
    `mark :${at + 1}`,
    `committer A. Writer <writer@example.org> ${1_000_000_000 + at} +0000`,
    `data ${`${at}`.length}`,
    `${at}`,
    ...(at === 0 ? [] : [`from :${at}`]),
    ...(merged === null || at < 2 ? [] : [`merge :${(merged % (at - 1)) + 1}`]),
    ...(at === 0 ? ['deleteall'] : []),
    ...Object.entries(files).flatMap(([path, content]) =>
      content === null ? [`D ${path}`] : [`M 100644 inline ${path}`, `data ${content.length}`, content],
    ),
  ]);
  const marks = history.map((_, at) => `get-mark :${at + 1}`);
  const input = ['reset refs/heads/main', ...lines, ...marks].join('\n');
  return git(directory, ['fast-import', '--quiet', '--force'], input).split('\n');
}
