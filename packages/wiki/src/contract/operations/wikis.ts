import * as z from 'zod';
import * as fields from '../fields.ts';
import { oid, wikiName } from '../ids.ts';
import { addHints, defineOperation, readHints, writeErrors } from '../operation.ts';

/** Operations on the directory of wikis. */

export const list_wikis = defineOperation({
  title: 'List wikis',
  description: 'The names of all wikis here, and which one is meant where `wiki` is omitted.',
  input: z.strictObject({}),
  output: z.object({ wikis: z.array(z.string()), default: z.string() }),
  effect: 'read',
  hints: readHints,
  errors: [],
});

export const create_wiki = defineOperation({
  title: 'Create a wiki',
  description: 'Make a new wiki, apart from the others, with a Home page and one that tells how it works.',
  input: z.strictObject({
    ...fields.writeFields,
    wiki: wikiName.describe('Its name: a-z, 0-9 and "-".'),
  }),
  output: z.object({ wiki: z.string(), commit: oid.nullable(), clone: z.string().nullable() }),
  effect: 'write',
  hints: addHints,
  errors: [...writeErrors, 'already_exists'],
});
