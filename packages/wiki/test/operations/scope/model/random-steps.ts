import fc from 'fast-check';
import { treePathOf } from '../../../../src/core/paths/page-path.ts';
import { folders, foldersInside, INSIDE, line, placeIn, places, text } from './random-pages.ts';

const chosen = fc.nat(1_000);
/** Numbers choose among what there is when the step's turn comes. */
const change = fc.oneof(
  fc.record({ op: fc.constant('write' as const), page: chosen, place: fc.option(places), content: text }),
  fc.record({ op: fc.constant('append' as const), page: chosen, content: line }),
  fc.record({ op: fc.constant('move' as const), page: chosen, new_path: places }),
  fc.record({ op: fc.constant('move folder' as const), page: chosen, to: folders }),
  fc.record({ op: fc.constant('merge' as const), page: chosen, into: chosen }),
  fc.record({ op: fc.constant('delete' as const), page: chosen }),
);
export type BatchChange = typeof change extends fc.Arbitrary<infer Value> ? Value : never;

const singleIn = (where: fc.Arbitrary<string>, below: fc.Arbitrary<string>) =>
  fc.oneof(
    fc.record({
      op: fc.constant('frontmatter' as const),
      page: chosen,
      alias: fc.constantFrom('Alias', 'Tea'),
    }),
    fc.record({ op: fc.constant('edit' as const), page: chosen, content: line }),
    fc.record({ op: fc.constant('put file' as const), place: where, content: chosen }),
    fc.record({ op: fc.constant('delete file' as const), page: chosen }),
    fc.record({ op: fc.constant('restore' as const), page: chosen, commit: chosen }),
    fc.record({ op: fc.constant('revert' as const), commit: fc.nat(3) }),
    fc.record({
      op: fc.constant('edit section' as const),
      page: chosen,
      heading: fc.constantFrom('Part', 'Same'),
      operation: fc.constantFrom('append', 'prepend', 'replace', 'insert_before', 'insert_after'),
      content: line,
    }),
    fc.record({
      op: fc.constantFrom('fix link' as const, 'link mention' as const),
      page: chosen,
      which: chosen,
      to: fc.option(chosen, { freq: 4 }),
    }),
    fc.record({
      op: fc.constant('undo' as const),
      commit: fc.nat(4),
      by: fc.constantFrom(null, { author: 'Grace' }, { agent: 'test/1.0' }, { author: 'native' }),
    }),
    fc.record({
      op: fc.constant('commit files' as const),
      files: fc.uniqueArray(fc.record({ place: where, content: fc.option(text, { freq: 4 }) }), {
        selector: ({ place }) => place,
        minLength: 1,
        maxLength: 3,
      }),
    }),
    fc.record({
      op: fc.constant('import' as const),
      prefix: below,
      zip: chosen,
      replace: fc.boolean(),
    }),
  );
export type Single = ReturnType<typeof singleIn> extends fc.Arbitrary<infer Value> ? Value : never;

/** The files that native git changes and pushes: null takes one away. `beside`: other writes came first. */
const push = fc.record({
  op: fc.constant('push' as const),
  beside: fc.boolean(),
  files: fc.array(
    fc.record({
      path: fc.oneof(
        places.map(treePathOf),
        placeIn(['É/'.normalize('NFD')]).map(treePathOf),
        fc.constantFrom('in/.hidden/Page.md', 'in/.gitmodules', 'out/.gitmodules', 'in/Deep/data.json'),
        fc.constantFrom('in/link', 'out/link', 'also/deep/link'),
      ),
      content: fc.option(text, { freq: 5 }),
    }),
    { minLength: 1, maxLength: 3 },
  ),
});

export type Push = typeof push extends fc.Arbitrary<infer Value> ? Value : never;

export type Step =
  | { by: 'scope' | 'everybody'; change: BatchChange | Single }
  | { by: 'scope' | 'everybody'; change: { op: 'batch'; changes: BatchChange[] } }
  | { by: 'git'; change: Push };

const by = fc.constantFrom<('scope' | 'everybody')[]>('everybody', 'everybody', 'scope');
const batch = fc.record({
  op: fc.constant('batch' as const),
  changes: fc.array(change, { minLength: 2, maxLength: 3 }),
});
export const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ by, change }) },
  { weight: 4, arbitrary: fc.record({ by, change: singleIn(places, folders) }) },
  { weight: 3, arbitrary: fc.record({ by, change: batch }) },
  { weight: 2, arbitrary: fc.record({ by: fc.constant('git' as const), change: push }) },
);

export const firstFiles = fc.dictionary(places.map(treePathOf), text, { minKeys: 2, maxKeys: 9 });
/** Writes after which the scoped wiki and its model have the same files. */
const alone = fc.oneof(
  fc.record({
    op: fc.constant('write' as const),
    page: chosen,
    place: fc.option(placeIn(INSIDE)),
    content: text,
  }),
  fc.record({ op: fc.constant('append' as const), page: chosen, content: line }),
  fc.record({ op: fc.constant('delete' as const), page: chosen }),
);
export const writes = fc.oneof(
  { weight: 4, arbitrary: alone },
  { weight: 8, arbitrary: singleIn(placeIn(INSIDE), foldersInside) },
  {
    weight: 1,
    arbitrary: fc.record({
      op: fc.constant('batch' as const),
      changes: fc.array(alone, { minLength: 2, maxLength: 3 }),
    }),
  },
);

export type Write = typeof writes extends fc.Arbitrary<infer Value> ? Value : never;

const oneMove = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ op: fc.constant('move' as const), page: chosen, new_path: placeIn(INSIDE) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ op: fc.constant('move folder' as const), page: chosen, to: foldersInside }),
  },
);
/** Moves inside of the scopes, also several at once, and with other changes. */
export const moves = fc.oneof(
  { weight: 2, arbitrary: oneMove },
  {
    weight: 1,
    arbitrary: fc.record({
      op: fc.constant('batch' as const),
      changes: fc.array(
        fc.oneof(
          { weight: 2, arbitrary: oneMove },
          {
            weight: 1,
            arbitrary: fc.record({ op: fc.constant('merge' as const), page: chosen, into: chosen }),
          },
          { weight: 1, arbitrary: alone },
        ),
        { minLength: 1, maxLength: 3 },
      ),
    }),
  },
);
export type Move = typeof moves extends fc.Arbitrary<infer Value> ? Value : never;
