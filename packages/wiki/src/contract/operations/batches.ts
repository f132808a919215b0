import * as z from 'zod';
import * as fields from '../fields.ts';
import { oid } from '../ids.ts';
import { limits } from '../limits.ts';
import { defineOperation, replaceHints, writeErrors } from '../operation.ts';
import { edit_section } from './parts.ts';
import { append_to_page, delete_page, edit_page, move_page, write_page } from './writing.ts';

/** The operations that can be part of a batch, by their names in a batch. */
export const batchOperations = {
  write: 'write_page',
  append: 'append_to_page',
  edit: 'edit_page',
  section: 'edit_section',
  move: 'move_page',
  merge: 'move_page',
  delete: 'delete_page',
} as const;

const change = () =>
  z.strictObject({
    op: z.enum(['write', 'append', 'edit', 'section', 'move', 'merge', 'delete']),
    path: fields.path,
    content: write_page.input.shape.content.optional().describe('write, append, section'),
    allow_shrink: write_page.input.shape.allow_shrink.unwrap().optional().describe('write'),
    create: append_to_page.input.shape.create.unwrap().optional().describe('append'),
    edits: edit_page.input.shape.edits.optional().describe('edit'),
    heading: edit_section.input.shape.heading.optional().describe('section'),
    position: edit_section.input.shape.operation.optional().describe('section: its operation'),
    include_subsections: edit_section.input.shape.include_subsections.describe('section'),
    new_path: move_page.input.shape.new_path.optional().describe('move; merge: the page that takes it in'),
    update_links: move_page.input.shape.update_links.unwrap().optional().describe('move, merge'),
    version: delete_page.input.shape.version
      .optional()
      .describe('That the page had before the batch; delete needs it.'),
  });
export type BatchChange = z.output<ReturnType<typeof change>>;

export const commit_changes = defineOperation({
  title: 'Commit several changes',
  description: `Change up to ${limits.changesMost} pages in one commit, all or nothing. Each change has an op with the arguments of write_page, append_to_page and so on; merge appends path to new_path and deletes it. They are applied in order; links are kept by what they come to. If any fails, nothing is changed and the error says why for each.`,
  input: () =>
    z.strictObject({
      ...fields.writeFields,
      message: z.string().min(1).max(limits.messageCharacters),
      changes: z.array(change()).min(1).max(limits.changesMost),
      dry_run: z.boolean().default(false),
    }),
  output: () =>
    z.object({
      commit: oid.nullable(),
      changed: z.boolean(),
      pages: z.array(
        z.object({
          path: z.string(),
          previous_path: z.string().optional(),
          version: oid.nullable(),
          previous_version: oid.nullable(),
          diff: z.string(),
        }),
      ),
      total: z.int(),
      /**
       * The defaults serve functions of an older version, which did not list the pages with rewritten links.
       */
      updated_pages: z.array(z.string()).default([]),
      updated_total: z.int().default(0),
      ...fields.movedFilesFields,
      ...fields.retargetedFields,
    }),
  effect: 'write',
  hints: replaceHints,
  errors: [...writeErrors, 'already_exists', 'would_truncate', 'no_match', 'ambiguous_match'],
});

export const revert_commit = defineOperation({
  title: 'Undo a commit',
  description:
    'Undo one commit, such as a batch or a move, as a new commit. Refused with version_conflict if its pages changed since.',
  input: () =>
    z.strictObject({
      ...fields.writeFields,
      commit: fields.commit.describe('The commit to undo.'),
      dry_run: z.boolean().default(false),
    }),
  output: () =>
    z.object({
      reverted: oid,
      commit: oid.nullable(),
      changed: z.boolean(),
      pages: z.array(z.object({ path: z.string(), action: z.enum(['added', 'modified', 'deleted']) })),
      pages_total: z.int(),
      ...fields.retargetedFields,
    }),
  effect: 'write',
  hints: replaceHints,
  errors: writeErrors,
});

/** Files that one call of undo_changes may change. */
export const MAX_UNDONE_FILES = 2_000;

const undoneCommit = z.object({
  commit: oid,
  author: z.string(),
  agent: z.string().nullable(),
  date: z.string(),
  message: z.string(),
});

export const undo_changes = defineOperation({
  title: 'Undo changes',
  description:
    'Undo one commit, or all that an agent or an author did since a moment, as one commit. Lines that others changed since stay. Refused with version_conflict where that cannot be, unless the page is left as it is.',
  input: () =>
    z.strictObject({
      ...fields.writeFields,
      commit: fields.commit.optional(),
      /** With `since`, instead of `commit`. Both are matched as in get_history. */
      agent: z.string().min(1).max(200).optional(),
      author: z.string().min(1).max(200).optional(),
      /** A commit, after which everything counts, or the beginning of a time. */
      since: fields.at.optional(),
      /** The commit of a dry run: only commits up to it are undone, and its pages must not have changed since. */
      as_of: oid.optional(),
      /** Pages and files that stay as they are. */
      leave: z.array(z.string().min(1).max(4_096)).max(MAX_UNDONE_FILES).default([]),
      dry_run: z.boolean().default(false),
    }),
  output: () =>
    z.object({
      /** Null if the wiki is empty. */
      as_of: oid.nullable(),
      /** What `since` means, for a call that comes after a dry run. Null if there is none. */
      since: z.string().nullable(),
      commit: oid.nullable(),
      changed: z.boolean(),
      /** Newest first. */
      commits: z.array(undoneCommit),
      /** Merges bring what others wrote: they are undone only by their own id. */
      merges_left_out: z.int(),
      /** True if the commits also changed files that the caller may not see or change. These stay. */
      leaves_out_files: z.boolean().default(false),
      /** Conflicts first, then by path. */
      files: z.array(
        z.object({
          /** A page by its path, any other file with its extension. */
          path: z.string(),
          is_page: z.boolean(),
          action: z.enum(['added', 'modified', 'deleted']),
          /** `merged`: what others changed since stays. `same`: it is undone already. */
          state: z.enum(['undone', 'merged', 'conflict', 'same']),
          left: z.boolean(),
          /** The change that the undo makes; of a conflict, the one that it would make on the text of then. */
          diff: z.string(),
          /** The changes of others that stand in its way. */
          theirs: z.string(),
          others: z.array(undoneCommit),
        }),
      ),
      files_total: z.int(),
      /** The conflicts that are not left out. */
      conflicts: z.int(),
      ...fields.retargetedFields,
    }),
  effect: 'write',
  hints: replaceHints,
  errors: writeErrors,
  forPrograms: true,
});
