import fc from 'fast-check';
import {
  aliases,
  filePlaces,
  folders,
  type Line,
  lines,
  type PageSpec,
  type Place,
  pageSpecs,
  places,
} from './random-vault.ts';

/** One request. Numbers choose among what there is when its turn comes. */
export type Change =
  | { op: 'write'; page: number; place: Place | null; content: PageSpec }
  | { op: 'append'; page: number; line: Line }
  | { op: 'edit'; page: number; line: Line }
  | { op: 'section'; page: number; line: Line }
  | { op: 'frontmatter'; page: number; aliases: readonly string[] }
  /**
   * Without a place or folder to go to, it gets its own name in another case. A freed place is one that a change before
   * it in the batch left empty, if there is one.
   */
  | { op: 'move'; page: number; place: Place | 'freed' | null; updates: boolean }
  | { op: 'move folder'; page: number; depth: number; to: string | null }
  | { op: 'merge'; page: number; into: number }
  | { op: 'delete'; page: number }
  | { op: 'restore'; page: number; commit: number }
  | { op: 'revert'; commit: number }
  | { op: 'put file'; place: Place }
  | { op: 'delete file'; file: number }
  | { op: 'import'; pages: readonly (readonly [Place, PageSpec])[] }
  | { op: 'batch'; changes: readonly BatchChange[] };

/** Those that can also be one of several in a batch. */
export type BatchChange = Extract<
  Change,
  { op: 'write' | 'append' | 'section' | 'move' | 'move folder' | 'merge' | 'delete' }
>;

const page = fc.nat({ max: 1_000 });
const write = fc.record({
  op: fc.constant('write' as const),
  page,
  place: fc.oneof({ weight: 3, arbitrary: places }, { weight: 1, arbitrary: fc.constant(null) }),
  content: pageSpecs,
});
const append = fc.record({ op: fc.constant('append' as const), page, line: lines });
const section = fc.record({ op: fc.constant('section' as const), page, line: lines });
const move = fc.record({
  op: fc.constant('move' as const),
  page,
  place: fc.oneof({ weight: 5, arbitrary: places }, { weight: 1, arbitrary: fc.constant(null) }),
  updates: fc.oneof(
    { weight: 5, arbitrary: fc.constant(true) },
    { weight: 1, arbitrary: fc.constant(false) },
  ),
});
const moveFolder = fc.record({
  op: fc.constant('move folder' as const),
  page,
  depth: fc.integer({ min: 1, max: 3 }),
  to: fc.oneof(folders, fc.constantFrom('north/new', 'моё', 'a/x', null)),
});
const merge = fc.record({ op: fc.constant('merge' as const), page, into: page });
const remove = fc.record({ op: fc.constant('delete' as const), page });
const updatingMove = fc.oneof(
  { weight: 2, arbitrary: move.map((change) => ({ ...change, updates: true })) },
  {
    weight: 1,
    arbitrary: page.map((chosen) => ({
      op: 'move' as const,
      page: chosen,
      place: 'freed' as const,
      updates: true,
    })),
  },
);

export const changes: fc.Arbitrary<Change> = fc.oneof(
  { weight: 3, arbitrary: write },
  append,
  fc.record({ op: fc.constant('edit' as const), page, line: lines }),
  section,
  fc.record({ op: fc.constant('frontmatter' as const), page, aliases }),
  { weight: 5, arbitrary: move },
  { weight: 3, arbitrary: moveFolder },
  { weight: 2, arbitrary: merge },
  { weight: 2, arbitrary: remove },
  fc.record({ op: fc.constant('restore' as const), page, commit: page }),
  { weight: 2, arbitrary: fc.record({ op: fc.constant('revert' as const), commit: fc.nat({ max: 3 }) }) },
  fc.record({ op: fc.constant('put file' as const), place: filePlaces }),
  fc.record({ op: fc.constant('delete file' as const), file: page }),
  fc.record({
    op: fc.constant('import' as const),
    pages: fc.array(fc.tuple(places, pageSpecs), { minLength: 1, maxLength: 3 }),
  }),
  {
    weight: 4,
    arbitrary: fc.record({
      op: fc.constant('batch' as const),
      changes: fc.array(fc.oneof(write, append, section, updatingMove, moveFolder, merge, remove), {
        minLength: 2,
        maxLength: 4,
      }),
    }),
  },
);
