import * as z from 'zod';
import * as fields from '../fields.ts';
import { oid } from '../ids.ts';
import { limits } from '../limits.ts';
import { addHints, defineOperation, readHints } from '../operation.ts';

/** The operations behind a server of git's protocols: the refs of a wiki, and packs of objects in both directions. */

export const list_refs = defineOperation({
  title: 'List refs',
  description: 'The branch at the newest commit, with the other branches and the tags, as git lists them.',
  input: () => z.strictObject({ wiki: fields.wiki }),
  output: () =>
    z.object({
      /** The full name of the branch that HEAD names, such as `refs/heads/main`. It need not exist yet. */
      head: z.string(),
      /** By name. `peeled` is the object that an annotated tag names in the end. */
      refs: z.array(z.object({ name: z.string(), oid, peeled: oid.nullable() })),
    }),
  effect: 'read',
  hints: readHints,
  errors: ['too_large'],
  forPrograms: true,
});

export const send_objects = defineOperation({
  title: 'Send objects',
  description:
    'The objects that a clone or a fetch needs, as entries of a pack, in as many parts as it takes.',
  input: () =>
    z.strictObject({
      wiki: fields.wiki,
      wants: z.array(oid).min(1).max(limits.fetchedMost),
      /** Commits that the client has, as it says. Those that the wiki does not know count for nothing. */
      haves: z.array(oid).max(limits.fetchedMost).default([]),
      /** False if the client can name more of them. Then there are objects only if these suffice. */
      is_final: z.boolean().default(true),
      /** The commits whose parents the client lacks. */
      shallow: z.array(oid).max(limits.fetchedMost).default([]),
      /** The number of commits from each of `wants`, or from the shallow commits, if `from_shallow`. */
      depth: z.int().min(1).optional(),
      from_shallow: z.boolean().optional(),
      /** Leaves out commits older than this, in seconds since 1970. */
      since: z.int().optional(),
      /** As git writes it: `blob:none`, `blob:limit=BYTES` or `tree:0`. */
      filter: z.string().max(100).optional(),
      /** True if a delta may rest on an object that the client has and the answer does not hold. */
      may_be_thin: z.boolean().default(false),
      cursor: fields.cursor,
    }),
  output: () =>
    z.object({
      /** Those of `haves` that the wiki has. */
      common: z.array(oid),
      /** Commits whose parents the client will lack, and those of `shallow` whose parents it gets. */
      shallow: z.array(oid),
      unshallow: z.array(oid),
      /** The number of entries of all parts together; null if there are none yet: the client has to name more commits. */
      objects: z.int().nullable(),
      /** Entries of a pack, without its header and its checksum. Deltas name their base by its oid. */
      content: fields.bytes.nullable(),
      next_cursor: z.string().nullable(),
    }),
  effect: 'read',
  hints: readHints,
  errors: ['too_large'],
  forPrograms: true,
});

export const receive_push = defineOperation({
  title: 'Receive a push',
  description:
    "Fast-forward the branch to commits that a git client pushes, under their own ids. `version_conflict` if the head is not the client's `from`, or if `to` does not descend from it.",
  input: () =>
    z.strictObject({
      wiki: fields.wiki,
      /** The head that the client saw; null for an empty wiki. */
      from: oid.nullable().default(null),
      to: oid,
      /** The pack, which may be thin. Absent if the wiki has all objects. */
      content: fields.bytes.optional(),
    }),
  output: () => z.object({ commit: oid, changed: z.boolean() }),
  effect: 'write',
  hints: addHints,
  errors: ['version_conflict', 'too_large', 'write_state_unknown'],
  forPrograms: true,
});

export const merge_commits = defineOperation({
  title: 'Merge commits',
  description:
    "Merge a commit of another repository, with its history, into the branch: nothing to do, a fast-forward, or a merge commit. Where both sides changed the same lines the wiki's text stays, and the answer names the conflict. Repeated, it gives the same answer.",
  input: () =>
    z.strictObject({
      wiki: fields.wiki,
      /** A commit of the other repository. */
      commit: oid,
      /** The pack of its new objects, which may be thin. Absent if the wiki has all objects. */
      content: fields.bytes.optional(),
      /** The origin of the commit, for the message, such as `branch main of github.com/x/y`. */
      source: z.string().max(limits.sourceCharacters).regex(/^.+$/, 'must be one line'),
    }),
  output: () =>
    z.object({
      /** `contained`: the commit is the head or an ancestor of it, and not by a merge of this operation. */
      outcome: z.enum(['contained', 'fast_forward', 'merged']),
      /** The commit that brought it in; the head for `contained`. */
      commit: oid,
      /** By path, as git quotes it if it is not plain text. The versions are null where a side has no file. */
      conflicts: z.array(z.object({ path: z.string(), ours: oid.nullable(), theirs: oid.nullable() })),
      more_conflicts: z.int(),
    }),
  effect: 'write',
  hints: addHints,
  errors: ['too_large', 'write_state_unknown'],
  forPrograms: true,
});
