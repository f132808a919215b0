import * as z from 'zod';
import * as fields from '../fields.ts';
import { oid } from '../ids.ts';
import { defineOperation, readHints } from '../operation.ts';

export const findingKinds = ['broken_link', 'orphan', 'duplicate_title', 'empty', 'stale'] as const;

export const check_wiki = defineOperation({
  title: 'Check the wiki',
  description:
    'What needs care: links and embeds that lead nowhere, pages that nobody links to, pages of the same title, pages without text, pages that nobody changed for long. For damaged storage see maintain_wiki.',
  input: z.strictObject({
    wiki: fields.wiki,
    kinds: z.array(z.enum(findingKinds)).min(1).optional().describe('Only these.'),
    prefix: z
      .string()
      .optional()
      .describe('Only of pages whose path starts so; links from everywhere count.'),
    stale_days: z.int().min(1).max(100_000).default(365),
    limit: fields.limit,
    cursor: fields.cursor,
  }),
  output: z.object({
    commit: oid.nullable(),
    findings: z.array(
      z.object({
        kind: z.enum(findingKinds),
        path: z.string(),
        line: z.int().nullable(),
        detail: z.string(),
      }),
    ),
    counts: z.record(z.string(), z.int()),
    ...fields.listEnd,
  }),
  effect: 'read',
  hints: readHints,
  errors: [],
});
