import * as z from 'zod';
import * as fields from '../fields.ts';
import { oid } from '../ids.ts';
import { defineOperation, readHints, replaceHints, writeErrors } from '../operation.ts';

/**
 * Files besides the pages, such as images. Bytes travel as base64 between processes, and never through a
 * model.
 */

const fileVersion = oid.describe(
  'From list_attachments or get_attachment; the write fails if the file changed since.',
);
const path = z.string().min(1).describe('Path with its extension, like "Guides/images/chart.png".');

export const list_attachments = defineOperation({
  title: 'List attachments',
  description: 'List images and other files beside the pages. See get_links for who uses one.',
  input: () =>
    z.strictObject({
      wiki: fields.wiki,
      prefix: z.string().optional().describe('Literal start of the path.'),
      limit: fields.limit,
      cursor: fields.cursor,
    }),
  output: () =>
    z.object({
      commit: oid.nullable(),
      attachments: z.array(z.object({ path: z.string(), version: oid, type: z.string() })),
      ...fields.listEnd,
    }),
  effect: 'read',
  hints: readHints,
  errors: [],
});

export const put_attachment = defineOperation({
  title: 'Put an attachment',
  description:
    'Store a file of this machine in the wiki, or replace one with the version that you read. Embed it with ![[name]]. Characters that links or file systems cannot hold are replaced: use the path of the answer.',
  input: () =>
    z.strictObject({
      ...fields.writeFields,
      path,
      local_path: fields.localPath
        .optional()
        .meta({ neededByTools: true })
        .describe('The file, on the machine where this server runs.'),
      content: fields.bytes.optional(),
      version: fileVersion.optional(),
    }),
  output: () =>
    z.object({
      path: z.string(),
      version: oid.nullable(),
      previous_version: oid.nullable(),
      commit: oid.nullable(),
      changed: z.boolean(),
      size: z.int(),
      ...fields.retargetedFields,
    }),
  effect: 'write',
  hints: replaceHints,
  errors: [...writeErrors, 'already_exists'],
});

export const get_attachment = defineOperation({
  title: 'Get an attachment',
  description: 'Show an image or another file of the wiki, or save it on this machine with local_path.',
  input: () =>
    z.strictObject({
      wiki: fields.wiki,
      path,
      at: fields.commit.optional().describe('As it stood at this commit.'),
      local_path: fields.localPath.optional().describe('Where to save it; nothing there is replaced.'),
    }),
  output: () =>
    z.object({
      path: z.string(),
      version: oid,
      commit: oid,
      type: z.string(),
      size: z.int(),
      content: fields.bytes.nullable(),
      saved_to: z.string().nullable(),
    }),
  effect: 'read',
  hints: readHints,
  errors: ['invalid_path', 'too_large', 'already_exists'],
});

export const delete_attachment = defineOperation({
  title: 'Delete an attachment',
  description: 'Delete a file; history keeps it. Answers which pages still use it.',
  input: () => z.strictObject({ ...fields.writeFields, path, version: fileVersion }),
  output: () =>
    z.object({
      path: z.string(),
      previous_version: oid.nullable(),
      commit: oid.nullable(),
      changed: z.boolean(),
      broken_links: z.array(fields.location),
      broken_total: z.int(),
      ...fields.retargetedFields,
    }),
  effect: 'write',
  hints: replaceHints,
  errors: writeErrors,
});
