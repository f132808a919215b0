import * as z from 'zod';
import * as fields from '../fields.ts';
import { defineOperation, readHints } from '../operation.ts';

export const get_links = defineOperation({
  title: 'Links of a page',
  description:
    'Pages and attachments that this page links to or embeds, pages that link here, and links to what does not exist. Works for an attachment, and for a page that does not exist yet.',
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
