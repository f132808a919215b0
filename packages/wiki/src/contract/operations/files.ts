import * as z from 'zod';
import * as fields from '../fields.ts';
import { oid } from '../ids.ts';
import { limits } from '../limits.ts';
import { defineOperation, readHints, replaceHints, writeErrors } from '../operation.ts';

/**
 * Pages and attachments alike, as files with their exact bytes: for programs that keep copies of a wiki. Paths are those
 * of the tree, with `.md`.
 */

const path = z.string().min(1).max(4_096);

export const list_files = defineOperation({
  title: 'List files',
  description:
    'All pages and files with their versions, or those that differ from a commit. Cheap if there is no newer one.',
  input: () =>
    z.strictObject({
      wiki: fields.wiki,
      known: oid.optional().describe('Only what differs from this commit.'),
      cursor: fields.cursor,
    }),
  output: () =>
    z.object({
      commit: oid.nullable(),
      /** The version is null if the file is gone since `known`. */
      files: z.array(z.object({ path: z.string(), version: oid.nullable() })),
      next_cursor: z.string().nullable(),
    }),
  effect: 'read',
  hints: readHints,
  errors: [],
  forPrograms: true,
});

export const read_files = defineOperation({
  title: 'Read files',
  description: 'The exact bytes of versions of files, one after the other.',
  input: () =>
    z.strictObject({
      wiki: fields.wiki,
      files: z
        .array(z.strictObject({ path, version: oid }))
        .min(1)
        .max(limits.filesMost),
    }),
  output: () =>
    z.object({
      /** The first ones, as many as fit into an answer. The size is null if there is no such version. */
      files: z.array(z.object({ path: z.string(), version: oid, size: z.int().nullable() })),
      content: fields.bytes.nullable(),
    }),
  effect: 'read',
  hints: readHints,
  errors: ['invalid_path', 'too_large'],
  forPrograms: true,
});

export const commit_files = defineOperation({
  title: 'Commit files',
  description:
    'Write and delete files in one commit, all or nothing. Each names the version that it replaces. Links are left as they are.',
  input: () =>
    z.strictObject({
      ...fields.writeFields,
      files: z
        .array(
          z.strictObject({
            path,
            /** Null if there must be no such file. */
            version: oid.nullable(),
            /** Its part of the content, which holds one file after the other; null deletes the file. */
            size: z.int().min(0).nullable(),
          }),
        )
        .min(1)
        .max(limits.filesMost),
      content: fields.bytes.optional(),
    }),
  output: () => z.object({ commit: oid.nullable(), changed: z.boolean() }),
  effect: 'write',
  hints: replaceHints,
  errors: writeErrors,
  forPrograms: true,
});
