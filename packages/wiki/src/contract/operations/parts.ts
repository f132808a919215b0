import * as z from 'zod';
import * as fields from '../fields.ts';
import { defineOperation, replaceHints, writeErrors } from '../operation.ts';

/** Operations on a part of a page. */

export const edit_section = defineOperation({
  title: 'Edit a section',
  description:
    'Change the text under one heading of a page: add at its end or start, replace it, or insert text before or after the whole section. The heading must exist exactly once.',
  input: () =>
    z.strictObject({
      ...fields.writeFields,
      path: fields.path,
      heading: z.string().min(1).describe('A heading, or a path like "One/Sub".'),
      operation: z.enum(['append', 'prepend', 'replace', 'insert_before', 'insert_after']),
      content: z.string().describe('Put on lines of its own.'),
      include_subsections: z
        .boolean()
        .optional()
        .describe(
          'replace: whether the subsections go too; must be said where there are any. append: after them (true) or before (false, the default).',
        ),
      version: fields.version.optional(),
    }),
  output: () => z.object(fields.writtenFields),
  effect: 'write',
  hints: replaceHints,
  errors: [...writeErrors, 'no_match', 'ambiguous_match', 'would_truncate'],
});

export const update_frontmatter = defineOperation({
  title: 'Update frontmatter',
  description: 'Set or remove keys of the YAML at the top of a page. Everything else stays, to the byte.',
  input: () =>
    z.strictObject({
      ...fields.writeFields,
      path: fields.path,
      set: z.record(z.string().min(1), z.unknown()).optional().describe('Keys with their new values.'),
      unset: z.array(z.string().min(1)).optional().describe('Keys to remove.'),
      version: fields.version.optional(),
    }),
  output: () => z.object(fields.writtenFields),
  effect: 'write',
  hints: replaceHints,
  errors: writeErrors,
});
