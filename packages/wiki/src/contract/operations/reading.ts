import * as z from 'zod';
import * as fields from '../fields.ts';
import { oid } from '../ids.ts';
import { limits } from '../limits.ts';
import { defineOperation, readHints } from '../operation.ts';

const page = {
  path: z.string(),
  title: z.string(),
  version: oid,
  commit: oid,
  content: z.string(),
  frontmatter: fields.frontmatter,
  outline: z.array(fields.heading),
  total_lines: z.int(),
  start_line: z.int(),
  next_start_line: z.int().nullable(),
  next_start_char: z.int().nullable(),
  truncated: z.boolean(),
  note: z.string().nullable(),
};

export const read_page = defineOperation({
  title: 'Read a page',
  description:
    'One page: text, version (pass it back when you write), frontmatter, outline. When truncated, go on at next_start_line, next_start_char. heading or mode "outline" reads less.',
  input: () =>
    z.strictObject({
      wiki: fields.wiki,
      path: z.string().min(1).describe('Page path or link: "[[Name#Heading]]", "../page.md".'),
      from: z.string().optional().describe('Page of the link.'),
      at: fields.at.optional().describe('As after this commit (or first digits), or at a date.'),
      heading: z.string().optional().describe('Only this section, like "One/Sub".'),
      mode: z
        .enum(['content', 'outline', 'metadata'])
        .default('content')
        .describe('outline, metadata: all but the text.'),
      start_line: z.int().min(1).default(1),
      start_char: z.int().min(0).default(0).describe('Characters into it.'),
      max_lines: z.int().min(1).optional(),
    }),
  output: () => z.object(page),
  effect: 'read',
  hints: readHints,
  errors: ['invalid_path', 'no_match', 'ambiguous_match'],
});

export const read_pages = defineOperation({
  title: 'Read several pages',
  description: `Read up to ${limits.readPagesMost} pages in one call. Each is a page or its error; all share one size budget, so long pages come truncated.`,
  input: () =>
    z.strictObject({
      wiki: fields.wiki,
      paths: z.array(fields.path).min(1).max(limits.readPagesMost),
    }),
  output: () =>
    z.object({
      commit: oid.nullable(),
      pages: z.array(
        z.object({ ...z.object(page).partial().shape, path: z.string(), error: z.string().optional() }),
      ),
    }),
  effect: 'read',
  hints: readHints,
  errors: [],
});

export const list_pages = defineOperation({
  title: 'List pages',
  description: 'List pages by path, newest change or title.',
  input: () =>
    z.strictObject({
      wiki: fields.wiki,
      prefix: z.string().optional().describe('Start of the path. Dot folders only if named.'),
      tag: fields.tag.optional(),
      property: fields.property.optional(),
      updated_since: fields.period.optional(),
      updated_until: fields.period.optional(),
      /** Part of the name or email of the author of the last change, and of the name of its agent. */
      author: z.string().optional(),
      agent: z.string().optional(),
      at: fields.at.optional(),
      sort: z.enum(['path', 'updated', 'title']).default('path'),
      limit: fields.limit,
      cursor: fields.cursor,
    }),
  output: () =>
    z.object({
      commit: oid.nullable(),
      pages: z.array(
        z.object({
          path: z.string(),
          title: z.string(),
          version: oid,
          size: z.int(),
          updated: z.string(),
        }),
      ),
      ...fields.listEnd,
    }),
  effect: 'read',
  hints: readHints,
  errors: [],
});

export const search_pages = defineOperation({
  title: 'Search pages',
  description:
    'Find pages by words (word* also finds longer ones, "quotes" a phrase; first the page of that name) or by a regular expression. Answers the matching lines, or with mode passages the paragraphs that answer a question.',
  input: () =>
    z.strictObject({
      wiki: fields.wiki,
      query: z.string().min(1).max(1_000),
      mode: z
        .enum(['words', 'regex', 'passages'])
        .default('words')
        .describe('regex is RE2; (?i) ignores case.'),
      max_bytes: z
        .int()
        .min(limits.passagesLeastBytes)
        .max(limits.replyCharacters)
        .optional()
        .describe('passages: bytes, 8000 by default.'),
      prefix: z.string().optional(),
      tag: fields.tag.optional(),
      property: fields.property.optional(),
      updated_since: fields.period.optional(),
      updated_until: fields.period.optional(),
      /** Part of the name or email of the author of the last change, and of the name of its agent. */
      author: z.string().optional(),
      agent: z.string().optional(),
      at: fields.at.optional(),
      context_lines: z.int().min(0).max(10).default(0),
      limit: z.int().min(1).max(limits.listMost).optional().describe(`${limits.searchDefault} by default.`),
      cursor: fields.cursor,
    }),
  output: () =>
    z.object({
      commit: oid.nullable(),
      hits: z.array(
        z.object({
          path: z.string(),
          title: z.string(),
          version: oid,
          score: z.number(),
          /** The page that takes its place, if its frontmatter has superseded_by. That page comes first. */
          superseded_by: z.string().optional(),
          lines: z.array(
            z.object({
              line: z.int(),
              text: z.string(),
              /** The headings above a passage, as read_page takes them. */
              heading: z.string().optional(),
              /** Pages that say the same: their passages differ only in case, punctuation, markup or where links lead. */
              also: z.array(z.string()).optional(),
            }),
          ),
        }),
      ),
      ...fields.listEnd,
      note: z.string().optional(),
    }),
  effect: 'read',
  hints: readHints,
  errors: ['too_large'],
});
