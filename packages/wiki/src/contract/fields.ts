import * as z from 'zod';
import { oid, requestId, wikiName } from './ids.ts';
import { limits } from './limits.ts';

/** Fields that several operations share, so that each says the same everywhere. */

export const wiki = wikiName.optional().describe('Omit for the default wiki.');
export const path = z.string().min(1).describe('Page path without .md, like "Guides/Getting Started".');

export const version = oid.describe('The `version` you read; the write fails if the page changed since.');
export const commit = z
  .string()
  .regex(/^[0-9a-f]{4,40}$/, 'must be a commit id, in full or its first 4 or more digits');
export const limit = z.int().min(1).max(limits.listMost).default(limits.listDefault);
export const cursor = z.string().max(2_000).optional().describe('next_cursor of the previous answer.');
export const date = z
  .string()
  .refine((text) => !Number.isNaN(Date.parse(text)), 'must be an ISO 8601 date or date and time')
  .describe('ISO 8601; a day is its start, UTC.');
export const tag = z.string().describe('In frontmatter or text; with or without #.');

/** What every write takes beside its own fields. */
export const writeFields = {
  wiki,
  message: z.string().max(limits.messageCharacters).optional().describe('Why, for the history.'),
  request_id: requestId.optional().describe('Only to retry a write: the same id is applied once.'),
};

/** What every write answers with. */
export const writtenFields = {
  path: z.string(),
  version: oid.nullable(),
  previous_version: oid.nullable(),
  commit: oid.nullable(),
  changed: z.boolean(),
  diff: z.string(),
};

export const frontmatter = z.record(z.string(), z.unknown());
export const heading = z.object({ level: z.int(), text: z.string(), line: z.int() });
export const listEnd = { total: z.int(), next_cursor: z.string().nullable() };
export const location = z.object({ path: z.string(), line: z.int() });

/** Where the server runs on the caller's machine; what is there is carried in `bytes`. */
export const localPath = z.string().min(1).max(4_096);
/** Base64. Programs send and receive it; tools do not show it to models. */
export const bytes = z.base64().meta({ internal: true });
