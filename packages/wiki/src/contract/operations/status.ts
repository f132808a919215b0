import * as z from 'zod';
import * as fields from '../fields.ts';
import { oid } from '../ids.ts';
import { defineOperation, readHints } from '../operation.ts';
import { shownSync } from './remotes.ts';

export const wiki_status = defineOperation({
  title: 'Status of the wiki',
  description:
    'Which wiki this is, its head, size, limits and backend, how to clone it, and what is set up wrongly.',
  input: () => z.strictObject({ wiki: fields.wiki }),
  output: () =>
    z.object({
      wiki: z.string(),
      wikis: z.array(z.string()),
      branch: z.string(),
      head: oid.nullable(),
      pages: z.int(),
      backend: z.string(),
      read_only: z.boolean(),
      /** The default serves functions of an older version, which do not know scopes. */
      scope: z
        .object({ read: z.array(z.string()), write: z.array(z.string()) })
        .nullable()
        .default(null),
      limits: z.record(z.string(), z.number()),
      versions: z.record(z.string(), z.string()),
      clone: z.string().nullable(),
      problems: z.array(z.string()),
      /** Null where there is no remote, or where it may not be seen. */
      sync: shownSync().nullable().default(null),
    }),
  effect: 'read',
  hints: readHints,
  errors: [],
});
