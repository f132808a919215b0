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
    'Read one page: text, version (pass it back when you write), frontmatter, outline. A long page comes in parts: when truncated, call again with next_start_line and next_start_char. Use heading or mode "outline" to read less.',
  input: z.strictObject({
    wiki: fields.wiki,
    path: fields.path,
    at: fields.commit.optional().describe('As it stood after this commit (an id or its first digits).'),
    heading: z.string().optional().describe('Only this section: a heading, or a path like "One/Sub".'),
    mode: z
      .enum(['content', 'outline', 'metadata'])
      .default('content')
      .describe('outline and metadata answer all but the text.'),
    start_line: z.int().min(1).default(1),
    start_char: z.int().min(0).default(0).describe('Where in start_line, in characters.'),
    max_lines: z.int().min(1).optional(),
  }),
  output: z.object(page),
  effect: 'read',
  hints: readHints,
  errors: ['invalid_path', 'no_match', 'ambiguous_match'],
});

export const read_pages = defineOperation({
  title: 'Read several pages',
  description: `Read up to ${limits.readPagesMost} pages in one call. Each is a page or its error; all share one size budget, so long pages come truncated.`,
  input: z.strictObject({
    wiki: fields.wiki,
    paths: z.array(fields.path).min(1).max(limits.readPagesMost),
  }),
  output: z.object({
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
  description:
    'List pages by path, newest change or title, optionally below a prefix, with a tag, or updated since a date.',
  input: z.strictObject({
    wiki: fields.wiki,
    prefix: z.string().optional().describe('Literal start of the path, like "Guides/".'),
    tag: fields.tag.optional(),
    updated_since: fields.date.optional(),
    sort: z.enum(['path', 'updated', 'title']).default('path'),
    limit: fields.limit,
    cursor: fields.cursor,
  }),
  output: z.object({
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
    'Find pages by words (any case, as they stand: word* also finds longer ones, "quotes" a phrase; pages with all words first) or by a regular expression, line by line. Answers pages with their matching lines.',
  input: z.strictObject({
    wiki: fields.wiki,
    query: z.string().min(1).max(1_000),
    mode: z.enum(['words', 'regex']).default('words').describe('regex is RE2; (?i) ignores case.'),
    prefix: z.string().optional().describe('Only pages whose path starts so.'),
    tag: fields.tag.optional(),
    context_lines: z.int().min(0).max(10).default(0),
    limit: fields.limit,
    cursor: fields.cursor,
  }),
  output: z.object({
    commit: oid.nullable(),
    hits: z.array(
      z.object({
        path: z.string(),
        title: z.string(),
        version: oid,
        score: z.number(),
        lines: z.array(z.object({ line: z.int(), text: z.string() })),
      }),
    ),
    ...fields.listEnd,
  }),
  effect: 'read',
  hints: readHints,
  errors: [],
});
