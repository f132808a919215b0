import * as z from 'zod';
import * as fields from '../fields.ts';
import { oid } from '../ids.ts';
import { limits } from '../limits.ts';
import { addHints, defineOperation, readHints, replaceHints } from '../operation.ts';

/** The operations behind `pagetree remote`: the repository elsewhere with which a wiki is kept in sync. */

/** The path of a folder of a repository, such as `docs` or `a/b/c`, as `parseRemoteFolder` returns it. */
const folder = z
  .string()
  .max(limits.pathCharacters)
  .refine(isFolder, 'must be the path of a folder from the root of the repository, as "docs"');

function isFolder(text: string): boolean {
  if (!text.isWellFormed() || /[\p{Cc}\\]/u.test(text)) return false;
  return text.split('/').every((part) => !['', '.', '..'].includes(part) && !/^\.git$/i.test(part));
}

/** The folder that a person means, with or without a slash at its end; null if there can be none of this name. */
export function parseRemoteFolder(text: string): string | null {
  const path = text.normalize('NFC').replace(/\/$/, '');
  return folder.safeParse(path).success ? path : null;
}

export const remoteSettings = () =>
  z.strictObject({
    /** Without a user name or a password: secrets are never stored here. */
    url: z.string().min(1).max(2_000),
    /** `two-way` merges both, `pull` only takes, `push` only gives. */
    mode: z.enum(['two-way', 'pull', 'push']),
    /** The full name of the branch there, such as `refs/heads/main`; null for the default one. */
    branch: z.string().startsWith('refs/heads/').max(1_000).nullable(),
    /** The longest time between two looks at the remote, in milliseconds. */
    every_ms: z.int().min(1_000),
    /** The place of the token, such as the path of a file. Never the token itself. */
    token_from: z.string().max(2_000).nullable(),
    /** True if agents may ask for a sync. Absent if not, so that older versions can read the settings. */
    agents_may_sync: z.literal(true).optional(),
    /** The folder there that is the wiki. Absent if the whole repository is. */
    folder: folder.optional(),
  });

/** The commits of both sides that stand for each other, which a sync with a folder keeps for the next one. */
const projection = () =>
  z.strictObject({
    folder,
    /** Newest first. The wiki has none for a folder that is not there. `in_step`: the wiki had no other commits then. */
    pairs: z
      .array(z.strictObject({ wiki: oid.nullable(), remote: oid, in_step: z.boolean() }))
      .max(MAX_PAIRS),
    /** These commits of the remote, and their trees from the root down to the folder, each without its header. */
    objects: z
      .array(z.base64().max(MAX_OBJECT_CHARACTERS))
      .max(MAX_OBJECTS)
      .refine((texts) => texts.reduce((sum, { length }) => sum + length, 0) <= MAX_CHARACTERS),
  });

const MAX_PAIRS = 10;
const MAX_OBJECTS = 2_000;
/** A folder of 10,000 entries. */
const MAX_OBJECT_CHARACTERS = 1_000_000;
/** A function on AWS takes and gives 6 MB. */
const MAX_CHARACTERS = 4_100_000;

export const syncReport = () =>
  z.strictObject({
    /** `in_step`, or the code of the failure. */
    state: z.string().max(100),
    /** The state in plain words, for a person. */
    words: z.string().max(4_000),
    /** Milliseconds since 1970. */
    at: z.int(),
    /** The last time that both were in step; null if they never were. */
    in_step_at: z.int().nullable(),
    /** The time of the next attempt. */
    next_at: z.int().nullable(),
    /** Failed attempts in a row. */
    failures: z.int(),
    /** The branch of the remote, and its commit that is known to be in the wiki. */
    branch: z.string().max(1_000).nullable(),
    tip: oid.nullable(),
    /** Present if a folder is the wiki. `tip` is then the commit of the wiki that stands for that of the remote. */
    projection: projection().optional(),
  });

/** The remote and the last sync, as agents and people may see them. */
export const shownSync = () =>
  z.object({
    /** The address, which holds no secret. */
    remote: z.string(),
    /** The state of the report; `not_synced` before the first sync. */
    state: z.string(),
    words: z.string(),
    at: z.string().nullable(),
    in_step_at: z.string().nullable(),
    next_at: z.string().nullable(),
    agents_may_sync: z.boolean(),
  });

export type RemoteSettings = z.infer<ReturnType<typeof remoteSettings>>;
export type ShownSync = z.infer<ReturnType<typeof shownSync>>;
export type SyncReport = z.infer<ReturnType<typeof syncReport>>;
export type Projection = z.infer<ReturnType<typeof projection>>;

/** For people: the address, and the folder if that is the wiki. */
export function describeRemote({ url, folder }: Pick<RemoteSettings, 'url' | 'folder'>): string {
  return folder === undefined ? url : `${folder}/ of ${url}`;
}

export const sync_wiki = defineOperation({
  title: 'Sync the wiki',
  description:
    'Sync with the git remote now, if the owner lets agents. Says how it went; if it is still under way, wiki_status says so later.',
  input: () => z.strictObject({ wiki: fields.wiki, request_id: fields.writeFields.request_id }),
  output: () =>
    z.object({
      /** `done`: a sync ended during the call. `postponed`: the pause after a failed sync is not over. */
      progress: z.enum(['done', 'under_way', 'postponed']),
      sync: shownSync(),
    }),
  effect: 'write',
  hints: { ...addHints, idempotentHint: true },
  errors: ['write_state_unknown'],
});

export const get_remote = defineOperation({
  title: 'Get the remote',
  description: 'The remote repository of the wiki, and how the last sync with it went.',
  input: () => z.strictObject({ wiki: fields.wiki }),
  output: () => z.object({ remote: remoteSettings().nullable(), report: syncReport().nullable() }),
  effect: 'read',
  hints: readHints,
  errors: [],
  forPrograms: true,
});

export const list_remotes = defineOperation({
  title: 'List the remotes',
  description: 'The remotes of all wikis that have one, for a program that keeps them in sync.',
  input: () => z.strictObject({ wiki: fields.wiki, cursor: fields.cursor }),
  output: () =>
    z.object({
      remotes: z.array(
        z.object({
          wiki: z.string(),
          /** Null if it cannot be read; `problem` says why, in sentences. */
          remote: remoteSettings().nullable(),
          report: syncReport().omit({ projection: true }).nullable(),
          /** False if the wiki has no commit after the one of the report. */
          has_news: z.boolean(),
          problem: z.string().nullable(),
        }),
      ),
      next_cursor: z.string().nullable(),
    }),
  effect: 'read',
  hints: readHints,
  errors: [],
  forPrograms: true,
});

export const set_remote = defineOperation({
  title: 'Set the remote',
  description:
    'Set the remote repository of the wiki, or remove it with null. The report of the last sync goes.',
  input: () => z.strictObject({ wiki: fields.wiki, remote: remoteSettings().nullable().default(null) }),
  output: () => z.object({ changed: z.boolean() }),
  effect: 'write',
  hints: replaceHints,
  errors: ['write_state_unknown'],
  forPrograms: true,
});

export const report_sync = defineOperation({
  title: 'Report a sync',
  description:
    'Record how a sync with the remote went. Ignored if the wiki has another remote, or another folder of it, by now.',
  input: () => z.strictObject({ wiki: fields.wiki, url: z.string().max(2_000), report: syncReport() }),
  output: () => z.object({ recorded: z.boolean() }),
  effect: 'write',
  hints: addHints,
  errors: ['write_state_unknown'],
  forPrograms: true,
});
