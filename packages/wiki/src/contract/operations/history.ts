import * as z from 'zod';
import * as fields from '../fields.ts';
import { oid } from '../ids.ts';
import { limits } from '../limits.ts';
import { defineOperation, readHints } from '../operation.ts';

export const get_history = defineOperation({
  title: 'History',
  description:
    'Who changed what, newest first: of one page (also a deleted one; follows moves) or, without path, of the whole wiki.',
  input: () =>
    z.strictObject({
      wiki: fields.wiki,
      path: fields.path.optional(),
      since: fields.period.optional(),
      until: fields.period.optional(),
      author: z.string().optional().describe('Part of the name or email.'),
      agent: z.string().optional(),
      limit: fields.limit,
      at: fields.commit.optional().describe('As of commit.'),
      cursor: fields.cursor,
    }),
  output: () =>
    z.object({
      entries: z.array(
        z.object({
          ...fields.committed,
          version: oid.nullable(),
          /** The path that the page had then; null without `path`, and from a function of an older version. */
          path: z.string().nullable().default(null),
          /** The path to which this commit moved the page away from `path`. */
          moved_to: z.string().nullable().default(null),
          pages: z.array(
            z.object({ path: z.string(), action: z.enum(['added', 'modified', 'deleted', 'moved']) }),
          ),
          pages_total: z.int(),
        }),
      ),
      next_cursor: z.string().nullable(),
    }),
  effect: 'read',
  hints: readHints,
  errors: ['invalid_path'],
});

export const diff_page = defineOperation({
  title: 'Compare versions of a page',
  description: 'Unified diff of a page between two commits; without `to`, up to the present.',
  input: () =>
    z.strictObject({
      wiki: fields.wiki,
      path: fields.path,
      from: fields.commit.describe('The page as it stood after this commit (an id or its first digits).'),
      to: fields.commit.optional().describe('The same, to compare with.'),
      from_path: fields.path.optional().describe('Its path at `from`; without it, follows moves.'),
      context_lines: z.int().min(0).max(100).default(3),
    }),
  output: () =>
    z.object({
      path: z.string(),
      from: oid,
      to: oid.nullable(),
      diff: z.string(),
      added: z.int(),
      removed: z.int(),
      truncated: z.boolean(),
    }),
  effect: 'read',
  hints: readHints,
  errors: ['invalid_path'],
});

export const show_changes = defineOperation({
  title: 'What changed',
  description:
    'For who comes back: each page that changed since a commit or a time, with who changed it, why, and the diff. With commit: all that this one changed.',
  input: () =>
    z.strictObject({
      wiki: fields.wiki,
      since: fields.at.optional().describe('Commit (what came after it) or time (from its start on).'),
      commit: fields.commit.optional(),
      prefix: z.string().default('').describe('Start of the path.'),
      max_bytes: z
        .int()
        .min(limits.passagesLeastBytes)
        .max(limits.replyCharacters)
        .default(limits.passagesDefaultBytes),
      cursor: fields.cursor,
    }),
  output: () =>
    z.object({
      from: oid.nullable(),
      to: oid.nullable(),
      pages: z.array(
        z.object({
          path: z.string(),
          action: z.enum(['added', 'modified', 'deleted', 'moved']),
          previous_path: z.string().nullable(),
          moved_to: z.string().nullable(),
          diff: z.string(),
          added: z.int(),
          removed: z.int(),
          truncated: z.boolean(),
          commits: z.array(z.object(fields.committed)),
          more_commits: z.boolean(),
        }),
      ),
      files: z.array(z.object({ path: z.string(), action: z.enum(['added', 'modified', 'deleted']) })),
      files_total: z.int(),
      ...fields.listEnd,
    }),
  effect: 'read',
  hints: readHints,
  errors: [],
});

export const blame_page = defineOperation({
  title: 'Who wrote a page',
  description:
    'For each paragraph, heading or code block: the commits that wrote its lines, with author, agent, date and message. Follows moves. Lines of commit null are as old as stopped_at, or older.',
  input: () =>
    z.strictObject({
      wiki: fields.wiki,
      path: fields.path,
      at: fields.commit.optional().describe('The page as it stood after this commit.'),
      start_line: z.int().min(1).default(1),
    }),
  output: () =>
    z.object({
      path: z.string(),
      version: oid,
      commit: oid,
      blocks: z.array(
        z.object({
          start_line: z.int(),
          end_line: z.int(),
          beginning: z.string(),
          by: z.array(z.object({ commit: oid.nullable(), lines: z.int() })),
        }),
      ),
      commits: z.array(
        z.object({
          ...fields.committed,
          /** The path of the page then; null from a function of an older version. */
          path: z.string().nullable().default(null),
        }),
      ),
      /** The commit at which reading the history stopped early. */
      stopped_at: z.object({ commit: oid, date: z.string() }).nullable(),
      next_start_line: z.int().nullable(),
    }),
  effect: 'read',
  hints: readHints,
  errors: ['invalid_path', 'too_large'],
});
