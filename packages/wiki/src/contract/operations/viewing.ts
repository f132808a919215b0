import * as z from 'zod';
import { conflictVersions } from '../conflict-versions.ts';
import * as fields from '../fields.ts';
import { oid } from '../ids.ts';
import { defineOperation, readHints } from '../operation.ts';

/**
 * Operations that display the wiki to people. Only programs call them: their answers may be larger than a
 * model reads.
 */

const change = z.object(fields.committed);

/** The folders from the root on, each with its names near a page: a folder may contain thousands. */
const around = z
  .array(z.object({ folders: z.array(z.string()), pages: z.array(z.string()), more: z.int() }))
  .optional();

const viewed = z.object({
  path: z.string(),
  title: z.string(),
  version: oid,
  /** The whole text, or the part that `anchor` names, with the definitions of its links and notes. */
  content: z.string(),
  frontmatter: fields.frontmatter,
  tags: z.array(z.string()),
  /** Each link as it is written, once, with the page or file to which it leads now. */
  links: z.array(
    z.object({
      written: z.string(),
      page: z.string().nullable(),
      file: z.string().nullable(),
      anchor: z.string().nullable(),
      /** The size of an image, in pixels. Missing if it cannot be found, and from a function of an older version. */
      size: z.object({ width: z.int(), height: z.int() }).optional(),
      /** The page that would be made for a link that leads nowhere; omitted if none can be. */
      missing: z.string().optional(),
    }),
  ),
  linked_from: z.array(z.object({ path: z.string(), line: z.int(), text: z.string() })),
  linked_from_total: z.int(),
  last_change: change.nullable(),
  /** Its path today; null if it was deleted since. Missing from a function of an older version. */
  path_now: z.string().nullable().optional(),
  /** The folders to where it lies now. Missing for a part, and from a function of an older version. */
  around,
  notes: z.array(z.string()),
  /** The commit that has another version of the page, if a merge left one and nobody settled that yet. */
  theirs_commit: oid.optional(),
});

export const view_page = defineOperation({
  title: 'View a page',
  description:
    'One page with all that stands around it, as of one commit: whole text, links, pages that link here, last change.',
  input: () =>
    z.strictObject({
      wiki: fields.wiki,
      path: fields.path,
      at: fields.commit.optional().describe('As after this commit. Nothing links to a past page.'),
      anchor: z.string().max(1_000).optional().describe('Only the text of this part, for an embed.'),
      known: oid.optional().describe('Answers without the page if this is still the newest commit.'),
    }),
  output: () => z.object({ commit: oid, page: viewed.nullable() }),
  effect: 'read',
  hints: readHints,
  errors: ['invalid_path', 'no_match', 'ambiguous_match'],
  forPrograms: true,
});

export const preview_page = defineOperation({
  title: 'Preview a page',
  description:
    'How a page would be shown with this text. With the version from which the text was made, also the merge of both changes if the page changed since.',
  input: () =>
    z.strictObject({
      wiki: fields.wiki,
      path: fields.path,
      content: z.string(),
      base: oid.optional(),
    }),
  output: () =>
    z.object({
      commit: oid.nullable(),
      path: viewed.shape.path,
      title: viewed.shape.title,
      frontmatter: viewed.shape.frontmatter,
      tags: viewed.shape.tags,
      links: viewed.shape.links,
      notes: viewed.shape.notes,
      /** The present version; null if there is no page. */
      version: oid.nullable(),
      /** Null if there is nothing to merge, or if it cannot be merged. */
      merged: z
        .object({
          content: z.string(),
          /** The places that both changed: they hold both texts between marks, as git writes them. */
          conflicts: z.int(),
        })
        .nullable(),
    }),
  effect: 'read',
  hints: readHints,
  errors: ['invalid_path', 'too_large'],
  forPrograms: true,
});

export const view_conflict = defineOperation({
  title: 'View a conflict',
  description:
    'The versions of a page that a merge left unmerged, with the text of both. Null if there are none, or if somebody settled that.',
  input: () => z.strictObject({ wiki: fields.wiki, path: fields.path }),
  output: () =>
    z.object({
      commit: oid.nullable(),
      conflict: z
        .object({
          ...conflictVersions,
          /** As in preview_page: `yours` is the wiki. Null if a side has no text. */
          merged: z.object({ content: z.string(), conflicts: z.int() }).nullable(),
        })
        .nullable(),
    }),
  effect: 'read',
  hints: readHints,
  errors: ['invalid_path'],
  forPrograms: true,
});

export const view_commit = defineOperation({
  title: 'View a commit',
  description: 'One commit with all pages and files that it changed, 500 at a time, pages first.',
  input: () => z.strictObject({ wiki: fields.wiki, commit: fields.commit, cursor: fields.cursor }),
  output: () =>
    z.object({
      ...change.shape,
      /** The commit before it, for what it replaced; null for the first one and for a merge. */
      before: oid.nullable(),
      changes: z.array(
        z.object({
          path: z.string(),
          is_page: z.boolean(),
          action: z.enum(['added', 'modified', 'deleted', 'moved']),
        }),
      ),
      /** True if it also changed what lies outside of the scope: then only its pages are listed. */
      leaves_out_files: z.boolean(),
      ...fields.listEnd,
    }),
  effect: 'read',
  hints: readHints,
  errors: [],
  forPrograms: true,
});

export const list_changed = defineOperation({
  title: 'List what changed',
  description:
    'The pages and files that differ between a commit and the newest one. Cheap if there is no newer one: for callers that watch a wiki.',
  input: () =>
    z.strictObject({
      wiki: fields.wiki,
      known: oid.optional().describe('Without it, answers the newest commit alone.'),
    }),
  output: () =>
    z.object({
      commit: oid.nullable(),
      pages: z.array(z.string()),
      files: z.array(z.string()),
      /** False if more changed than is listed. */
      complete: z.boolean(),
    }),
  effect: 'read',
  hints: readHints,
  errors: [],
  forPrograms: true,
});

export const list_folder = defineOperation({
  title: 'List a folder',
  description: 'The names of what lies directly in a folder, at the cost of that folder alone.',
  input: () =>
    z.strictObject({
      wiki: fields.wiki,
      folder: z.string().max(4_096).default('').describe('Without a slash at its end; empty is the root.'),
      at: fields.commit.optional(),
    }),
  output: () =>
    z.object({
      commit: oid.nullable(),
      folders: z.array(z.string()),
      pages: z.array(z.string()),
      files: z.array(z.string()),
      /** The folders to this one, and it. Missing from a function of an older version. */
      around,
    }),
  effect: 'read',
  hints: readHints,
  errors: ['invalid_path'],
  forPrograms: true,
});

export const list_folders = defineOperation({
  title: 'List folders',
  description: 'The folders below one, each with the number of pages in and below it.',
  input: () =>
    z.strictObject({
      wiki: fields.wiki,
      folder: z.string().max(4_096).default('').describe('The root if empty.'),
      /** Levels of folders. Where they do not all fit into a reply, the deepest are left out, and `total` counts them. */
      depth: z.int().min(1).max(10).default(2),
      at: fields.at.optional(),
    }),
  output: () =>
    z.object({
      commit: oid.nullable(),
      folders: z.array(z.object({ path: z.string(), pages: z.int() })),
      total: z.int(),
    }),
  effect: 'read',
  hints: readHints,
  errors: ['invalid_path'],
});

export const list_tags = defineOperation({
  title: 'List tags',
  description: 'Every tag, with the number of pages that have it.',
  input: () => z.strictObject({ wiki: fields.wiki, at: fields.at.optional(), cursor: fields.cursor }),
  output: () =>
    z.object({
      commit: oid.nullable(),
      tags: z.array(z.object({ tag: z.string(), pages: z.int() })),
      total: fields.listEnd.total,
      next_cursor: fields.listEnd.next_cursor,
    }),
  effect: 'read',
  hints: readHints,
  errors: [],
});
