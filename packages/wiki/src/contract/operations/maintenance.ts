import * as z from 'zod';
import * as fields from '../fields.ts';
import { oid } from '../ids.ts';
import { defineOperation } from '../operation.ts';

export const maintain_wiki = defineOperation({
  title: 'Maintain the wiki',
  description:
    "Keeps the wiki's storage small and sound; for links and pages see check_wiki. tidy: merges packs, deletes what is left over. check: reads everything once, says what is damaged, and changes nothing. repair: for what check finds, such as lost commits or a lost order of commits, which stop every write, damaged packs, a copy cut short or an empty branch: brings back what can be read, commits it where commits were damaged, names what is lost, and deletes nothing. Of a large wiki check and repair take several calls: while `finished` is false, call again.",
  input: () =>
    z.strictObject({
      wiki: fields.wiki,
      mode: z.enum(['tidy', 'check', 'repair']).default('tidy'),
      all: z.boolean().default(false).describe('Tidy every wiki that is served here.'),
      // For the nightly schedule, which calls often enough to finish a round.
      once_a_night: z.boolean().optional().meta({ internal: true }),
      // Like every write it may arrive twice; the second time, nothing is left to do.
      request_id: fields.writeFields.request_id,
    }),
  // Defaults serve functions of an older version, which do not report this.
  output: () =>
    z.object({
      mode: z.enum(['tidy', 'check', 'repair']),
      packs_before: z.int().nullable(),
      packs: z.int().nullable(),
      deleted: z.record(z.string(), z.int()),
      index_saved: z.boolean(),
      /** Wikis for which the time did not suffice; the next tidying continues with them. */
      unfinished: z.array(z.string()).default([]),
      /** False: the time did not suffice. The finished work is kept, and the next call continues from there. */
      finished: z.boolean().default(true),
      /** The progress and what to do next; null if it is finished. */
      to_go_on: z.string().nullable().default(null),
      /**
       * Set if all wikis are tidied: the progress of this round, and the remaining work in the wikis that were
       * tidied. The round is complete when no wikis are left.
       */
      round: z
        .object({
          wikis_done: z.int(),
          wikis_left: z.int(),
          /** Wikis that took a whole call, or several, and are not done. */
          wikis_unfinished: z.int().default(0),
          /** The first of their names. */
          unfinished_wikis: z.array(z.string()).default([]),
          failures: z.int(),
          debt_packs: z.int(),
          debt_bytes: z.int(),
          /** The number of complete rounds in a row that left more debt than the one before. */
          debt_growth_rounds: z.int().default(0),
        })
        .nullable()
        .default(null),
      commits_checked: z.int().nullable(),
      problems: z.array(z.object({ text: z.string(), path: z.string().nullable(), commit: oid.nullable() })),
      repair_commit: oid.nullable(),
      lost: z.array(z.object({ path: z.string(), kept: z.enum(['older version', 'nothing']) })),
      lost_commits: z.array(oid).default([]),
      packs_replaced: z.int().default(0),
      order_restored: z.boolean().default(false),
      more: z.int(),
    }),
  effect: 'write',
  hints: {
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
  errors: ['write_state_unknown'],
});
