import * as z from 'zod';
import * as fields from '../fields.ts';
import { oid } from '../ids.ts';
import { defineOperation, readHints, replaceHints, writeErrors } from '../operation.ts';

export const get_links = defineOperation({
  title: 'Links of a page',
  description:
    'Pages and attachments that this page links to or embeds, pages that link here, and links to what does not exist. Works for attachments, and for pages that do not exist yet.',
  input: () => z.strictObject({ wiki: fields.wiki, path: fields.path }),
  output: () =>
    z.object({
      path: z.string(),
      exists: z.boolean(),
      links_to: z.array(z.string()),
      attachments: z.array(z.string()),
      linked_from: z.array(z.string()),
      broken: z.array(z.object({ target: z.string(), line: z.int() })),
      truncated: z.boolean(),
    }),
  effect: 'read',
  hints: readHints,
  errors: ['invalid_path'],
});

export const view_graph = defineOperation({
  title: 'View the graph of links',
  description:
    'Pages with the links among them, as of the newest commit: around one page, or all; of more than 10,000 pages, their folders. Hidden folders are left out, unless they are around the page.',
  input: () =>
    z.strictObject({
      wiki: fields.wiki,
      path: fields.path.optional(),
      depth: z.int().min(1).max(3).default(1).describe('The number of links from the page.'),
      known: oid.optional().describe('Answers without the graph if this is still the newest commit.'),
    }),
  output: () =>
    z.object({
      commit: oid.nullable(),
      graph: z
        .object({
          /** The pages that could be shown. */
          pages: z.int(),
          of: z.enum(['pages', 'folders']),
          /** The page in the middle is the first one; elsewhere those with most links come first. */
          nodes: z.array(
            z.object({
              path: z.string(),
              title: z.string(),
              /** The pages or folders that it is linked with, in either direction, also those that are left out. */
              linked: z.int(),
              /** The pages in a folder and below it. */
              pages: z.int().optional(),
              /** The number of links from the page in the middle. */
              distance: z.int().optional(),
            }),
          ),
          /** Flat: two numbers of nodes for each link, from and to. Around a page, links between two at the last distance are left out. */
          edges: z.array(z.int()),
          /** If the nodes are folders: for each edge, the number of links between their pages. */
          weights: z.array(z.int()).optional(),
          /** What does not fit. */
          left_out: z.object({ nodes: z.int(), edges: z.int() }),
        })
        .nullable(),
    }),
  effect: 'read',
  hints: readHints,
  errors: ['invalid_path'],
  forPrograms: true,
});

export const list_mentions = defineOperation({
  title: 'Mentions of a page',
  description:
    'Lines on other pages that name a page by its title, its name or an alias, where fix_link can make a link of the words.',
  input: () => z.strictObject({ wiki: fields.wiki, path: fields.path }),
  output: () =>
    z.object({
      path: z.string(),
      mentions: z.array(
        z.object({
          path: z.string(),
          version: oid,
          line: z.int(),
          text: z.string(),
          /** The rest of the line, cut if it is long. */
          before: z.string(),
          after: z.string(),
        }),
      ),
      /** True if not every page was examined, or not every mention fits. */
      truncated: z.boolean(),
    }),
  effect: 'read',
  hints: readHints,
  errors: ['invalid_path'],
  forPrograms: true,
});

export const fix_link = defineOperation({
  title: 'Fix a link',
  description:
    'Lets the links of one line that are written alike lead to another page or file, by a path that can mean nothing else; or makes them plain text. Also makes a link of words that mention a page.',
  input: () =>
    z.strictObject({
      ...fields.writeFields,
      path: fields.path,
      version: fields.version,
      line: z.int().min(1),
      /** As check_wiki answers it. */
      target: z.string().max(4_096),
      mention: z.boolean().optional().describe('The target is words of the line, as list_mentions answers.'),
      to: fields.path.optional().describe('Without it, plain text.'),
      dry_run: z.boolean().default(false),
    }),
  output: () => z.object(fields.writtenFields),
  effect: 'write',
  hints: replaceHints,
  errors: [...writeErrors, 'no_match'],
  forPrograms: true,
});
