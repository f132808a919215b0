import * as z from 'zod';
import * as fields from '../fields.ts';
import { oid, wikiName } from '../ids.ts';
import { addHints, defineOperation, readHints, replaceHints } from '../operation.ts';

/** Operations on the directory of wikis. */

export const list_wikis = defineOperation({
  title: 'List wikis',
  description: 'The wikis here, and which one is meant where `wiki` is omitted.',
  // Accepted for programs that name the wiki in every call.
  input: () => z.strictObject({ wiki: fields.wiki.meta({ internal: true }) }),
  output: () => z.object({ wikis: z.array(z.string()), default: z.string() }),
  effect: 'read',
  hints: readHints,
  errors: [],
});

export const create_wiki = defineOperation({
  title: 'Create a wiki',
  description: 'Make a new wiki, apart from the others, with a Home page and one that says how it works.',
  input: () =>
    z.strictObject({
      ...fields.writeFields,
      wiki: wikiName.describe('Its name: a-z, 0-9 and "-".'),
    }),
  output: () => z.object({ wiki: z.string(), commit: oid.nullable(), clone: z.string().nullable() }),
  effect: 'write',
  hints: addHints,
  errors: ['too_large', 'write_state_unknown', 'already_exists'],
});

export const import_wiki = defineOperation({
  title: 'Import a wiki',
  description:
    'Import a folder of Markdown (such as an Obsidian vault), a zip of one, or a bundle or any folder under git with its whole history, all or nothing. Files go into the wiki, which is made if missing; a history needs a new wiki.',
  input: () =>
    z.strictObject({
      ...fields.writeFields,
      local_path: fields.localPath
        .optional()
        .meta({ neededByTools: true })
        .describe('The folder, zip, repository or bundle, on the machine where this server runs.'),
      content: fields.bytes.optional(),
      prefix: z.string().max(4_096).optional().describe('Put files below this folder, like "Imported/".'),
      replace: z.boolean().default(false).describe('Replace files that exist with other content.'),
      dry_run: z.boolean().default(false),
    }),
  output: () =>
    z.object({
      wiki: z.string(),
      kind: z.enum(['files', 'history']),
      commit: oid.nullable(),
      changed: z.boolean(),
      commits: z.int(),
      pages: z.int(),
      attachments: z.int(),
      changes: z.int(),
      ignored: z.array(z.string()),
      ignored_total: z.int(),
      ...fields.retargetedFields,
    }),
  effect: 'write',
  hints: replaceHints,
  errors: ['invalid_path', 'too_large', 'write_state_unknown', 'already_exists'],
});

export const export_wiki = defineOperation({
  title: 'Export a wiki',
  description:
    'Write all pages and attachments to this machine as a new folder or zip, without dot files, or the wiki with its history as a git bundle.',
  input: () =>
    z.strictObject({
      wiki: fields.wiki,
      local_path: fields.localPath
        .optional()
        .meta({ neededByTools: true })
        .describe('Where to; nothing there is replaced.'),
      format: z.enum(['folder', 'zip', 'bundle']).default('folder'),
      at: fields.commit.optional().describe('As it stood at this commit.'),
      /** Asks for a part of a folder or zip: that after so many files. */
      part_from: z.int().min(0).optional().meta({ internal: true }),
    }),
  output: () =>
    z.object({
      wiki: z.string(),
      commit: oid.nullable(),
      format: z.enum(['folder', 'zip', 'bundle']),
      /** The start of the next part; null if there is none. Absent if no part was asked for. */
      next_part: z.int().nullable().optional(),
      /** The date of the files of a part. Absent if no part was asked for. */
      date: z.string().optional(),
      files: z.int(),
      size: z.int(),
      /** The defaults serve functions of an older version, which left nothing out. */
      left_out: z.array(z.string()).default([]),
      left_out_total: z.int().default(0),
      content: fields.bytes.nullable(),
      saved_to: z.string().nullable(),
    }),
  effect: 'read',
  hints: readHints,
  errors: ['too_large', 'already_exists'],
});
