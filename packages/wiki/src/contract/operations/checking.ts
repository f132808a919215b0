import * as z from 'zod';
import { conflictVersions } from '../conflict-versions.ts';
import * as fields from '../fields.ts';
import { oid } from '../ids.ts';
import { defineOperation, readHints } from '../operation.ts';

export const findingKinds = [
  'conflict',
  'broken_link',
  'broken_anchor',
  'ambiguous_link',
  'superseded_link',
  'orphan',
  'duplicate_title',
  'near_copy',
  'empty',
  'unread_part',
  'unportable_name',
  'quarantined_file',
  'stale',
] as const;

export const check_wiki = defineOperation({
  title: 'Check the wiki',
  description:
    'What needs care: pages of which a sync left another version; links and embeds that lead nowhere (with suggestions), to no heading or block, to one of several pages, or to a page whose frontmatter has superseded_by; pages that nobody links to, of the same title, nearly the same text (of 30 words or more), without text, with unportable names, or that nobody changed for long; frontmatter or links that are not read; hidden files. For damaged storage see maintain_wiki.',
  input: () =>
    z.strictObject({
      wiki: fields.wiki,
      kinds: z.array(z.enum(findingKinds)).min(1).optional().describe('Only these.'),
      prefix: z
        .string()
        .optional()
        .describe('Only of pages whose path starts so; links from everywhere count.'),
      line: z.int().min(1).optional().meta({ internal: true }),
      stale_days: z.int().min(1).max(100_000).default(365),
      limit: fields.limit,
      cursor: fields.cursor,
    }),
  output: () =>
    z.object({
      commit: oid.nullable(),
      findings: z.array(
        z.object({
          kind: z.enum(findingKinds),
          path: z.string(),
          line: z.int().nullable(),
          detail: z.string(),
          suggestions: z.array(z.string()).optional(),
          conflict: z.object(conflictVersions).optional(),
          /** The target of a link as it is written, for fix_link. */
          target: z.string().optional(),
          /** The page that would be made for a broken link; omitted if none can be. */
          missing: z.string().optional(),
          /** The page or file to which an ambiguous link leads. */
          leads_to: z.string().optional(),
          /** The pages that a near-copy is like, most alike first. */
          copies: z.array(z.string()).optional(),
        }),
      ),
      counts: z.record(z.string(), z.int()),
      ...fields.listEnd,
    }),
  effect: 'read',
  hints: readHints,
  errors: [],
});
