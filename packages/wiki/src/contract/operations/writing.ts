import * as z from 'zod';
import * as fields from '../fields.ts';
import { oid } from '../ids.ts';
import { limits } from '../limits.ts';
import { addHints, defineOperation, replaceHints, writeErrors } from '../operation.ts';

export const write_page = defineOperation({
  title: 'Write a page',
  description:
    'Create a page, or replace a whole one with the version you read. Without version it only creates. To change part of a page use edit_page.',
  input: () =>
    z.strictObject({
      ...fields.writeFields,
      path: fields.path,
      content: z.string().describe('The whole page, Markdown.'),
      version: fields.version.optional(),
      allow_shrink: z
        .boolean()
        .default(false)
        .describe('Allow content that is only the beginning of the present page.'),
    }),
  output: () => z.object(fields.writtenFields),
  effect: 'write',
  hints: replaceHints,
  errors: [...writeErrors, 'already_exists', 'would_truncate'],
});

export const edit_page = defineOperation({
  title: 'Edit a page',
  description:
    'Replace exact text in a page. Edits apply in order, all or nothing. old_string must occur exactly once, unless replace_all.',
  input: () =>
    z.strictObject({
      ...fields.writeFields,
      path: fields.path,
      edits: z
        .array(
          z.strictObject({
            old_string: z.string().min(1),
            new_string: z.string(),
            replace_all: z.boolean().default(false),
          }),
        )
        .min(1)
        .max(limits.editsMost),
      version: fields.version.optional(),
      dry_run: z.boolean().default(false),
    }),
  output: () => z.object(fields.writtenFields),
  effect: 'write',
  hints: replaceHints,
  errors: [...writeErrors, 'no_match', 'ambiguous_match'],
});

export const append_to_page = defineOperation({
  title: 'Append to a page',
  description:
    'Add text at the end of a page, on a line of its own. Needs no version: concurrent appends all land.',
  input: () =>
    z.strictObject({
      ...fields.writeFields,
      path: fields.path,
      content: z.string().min(1),
      create: z.boolean().default(true).describe('Create a missing page.'),
      version: fields.version.optional(),
    }),
  output: () => z.object(fields.writtenFields),
  effect: 'write',
  hints: addHints,
  errors: writeErrors,
});

export const move_page = defineOperation({
  title: 'Move or rename a page',
  description:
    'Move a page with its attachments (not under --scope) or a folder (paths end in /); rewrites all links to it.',
  input: () =>
    z.strictObject({
      ...fields.writeFields,
      path: fields.path,
      new_path: z.string().min(1).describe('Where to.'),
      update_links: z.boolean().default(true),
      version: fields.version.optional(),
      dry_run: z.boolean().default(false),
    }),
  output: () =>
    z.object({
      ...fields.writtenFields,
      previous_path: z.string(),
      updated_pages: z.array(z.string()),
      updated_total: z.int(),
      ...fields.movedFilesFields,
    }),
  effect: 'write',
  hints: replaceHints,
  errors: [...writeErrors, 'already_exists'],
});

export const delete_page = defineOperation({
  title: 'Delete a page',
  description: 'Delete a page; history keeps it (restore_page). Answers which pages still link to it.',
  input: () =>
    z.strictObject({
      ...fields.writeFields,
      path: fields.path,
      version: fields.version,
      links_to: fields.path.optional().describe('Page to which links to it are rewritten.'),
      /** The version of that page, if it must not have changed. */
      links_to_version: oid.optional().meta({ internal: true }),
      dry_run: z.boolean().optional(),
    }),
  output: () =>
    z.object({
      ...fields.writtenFields,
      /** With `links_to`: the pages whose links were rewritten. */
      updated_pages: z.array(z.string()).optional(),
      updated_total: z.int().optional(),
      /** With `links_to`: the diff from the page to that page. */
      difference: z.string().optional(),
      broken_links: z.array(fields.location),
      broken_total: z.int(),
    }),
  effect: 'write',
  hints: replaceHints,
  errors: writeErrors,
});

export const restore_page = defineOperation({
  title: 'Restore a page',
  description:
    'Bring a page back as it stood after a commit (see get_history), as a new commit. Works for deleted pages.',
  input: () =>
    z.strictObject({
      ...fields.writeFields,
      path: fields.path,
      commit: fields.commit.describe(
        'An id or its first digits; of a deleted page the last commit before the one that deleted it.',
      ),
      version: fields.version.optional(),
    }),
  output: () => z.object(fields.writtenFields),
  effect: 'write',
  hints: replaceHints,
  errors: writeErrors,
});
