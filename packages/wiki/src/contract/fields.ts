import * as z from 'zod';
import { oid, requestId, wikiName } from './ids.ts';
import { limits } from './limits.ts';
import { readPeriod } from './periods.ts';

/**
 * Fields that several operations share. Those that mean the same everywhere have no description here: the server's
 * instructions explain them once.
 */

export const wiki = wikiName.optional();
export const path = z.string().min(1).max(4_096);

export function isCommitId(at: string): boolean {
  return COMMIT_ID.test(at) && !/^\d{4}$/.test(at);
}

export const version = oid;
const COMMIT_ID = /^[0-9a-f]{4,40}$/;
export const commit = z
  .string()
  .regex(COMMIT_ID, 'must be a commit id, in full or its first 4 or more digits');
export const limit = z.int().min(1).max(limits.listMost).default(limits.listDefault);
export const cursor = z.string().max(2_000).optional();
const isPeriod = (text: string) => readPeriod(text, new Date()) !== null;
/** The end of a time includes the whole period. */
export const period = z
  .string()
  .refine(
    isPeriod,
    'must be like 2026-10-05, 2026-10, 2026-10-05T12:30Z, now, yesterday, last Monday, last week, last 7 days or 3 days ago',
  );
/** A commit, or a time, which means the newest commit until its end. Four decimal digits are a year. */
export const at = z
  .string()
  .refine(
    (text) => isCommitId(text) || isPeriod(text),
    'must be a commit id (in full or its first 4 or more digits; a year is a date), or a date like 2026-10-05, yesterday or 3 days ago',
  );
export const property = z.string();
export const tag = z.string();

/** The fields that every write has besides its own. */
export const writeFields = {
  wiki,
  message: z.string().max(limits.messageCharacters).optional(),
  request_id: requestId.optional(),
};

/**
 * Links that lead elsewhere since the write, on pages that it did not write itself. Omitted if there are
 * none. The total is null if the index could not answer in time. `links_elsewhere` says which pages were not
 * examined.
 */
export const retargetedFields = {
  retargeted: z
    .array(
      z.object({
        page: z.string(),
        link: z.string(),
        old_target: z.string().nullable(),
        new_target: z.string().nullable(),
      }),
    )
    .optional(),
  retargeted_total: z.int().nullable().optional(),
  links_elsewhere: z.string().optional(),
};

/** Files that moved along with their pages. Omitted if there are none. */
export const movedFilesFields = {
  moved_files: z.array(z.object({ path: z.string(), previous_path: z.string() })).optional(),
  moved_files_total: z.int().optional(),
};

/** The fields in the answer of every page write. */
export const writtenFields = {
  path: z.string(),
  version: oid.nullable(),
  previous_version: oid.nullable(),
  commit: oid.nullable(),
  changed: z.boolean(),
  diff: z.string(),
  ...retargetedFields,
};

/** A commit in an answer. */
export const committed = {
  commit: oid,
  author: z.string(),
  agent: z.string().nullable(),
  date: z.string(),
  message: z.string(),
};

export const frontmatter = z.record(z.string(), z.unknown());
export const heading = z.object({ level: z.int(), text: z.string(), line: z.int() });
export const listEnd = { total: z.int(), next_cursor: z.string().nullable() };
export const location = z.object({ path: z.string(), line: z.int() });

/** For a server on the caller's machine. `bytes` carries the content of the file. */
export const localPath = z.string().min(1).max(4_096);
/** Base64. Programs send and receive it; tools do not show it to models. */
export const bytes = z.base64().meta({ internal: true });
