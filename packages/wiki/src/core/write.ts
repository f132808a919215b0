import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { limits } from '../contract/limits.ts';
import type { OperationName } from '../contract/operations.ts';
import { Draft } from './draft.ts';
import { findPage } from './pages.ts';
import type { Change, Snapshot } from './ports.ts';
import { requireChangeable } from './scope/refusals.ts';
import type { Session } from './session.ts';
import { emptySnapshot } from './snapshots.ts';
import { decodeText } from './text/text-encoding.ts';
import { unifiedDiff } from './text/unified-diff.ts';

/** Fields of a write's input that say how to ask, not what for. */
interface WriteInput {
  wiki?: string | undefined;
  request_id?: string | undefined;
}

/** A change as it is applied to whatever tree it finds. */
export type Apply = Change['apply'];

/** A change of one page, apart from how it lands: alone, as a dry run, or as one of several. */
export interface PagePlan {
  /** Of the page once the change has landed. */
  path: string;
  apply: Apply;
}

/** What a write left behind: the commit that holds it and the trees before and after. */
export interface Landed {
  changed: boolean;
  commit: string | null;
  before: Snapshot;
  after: Snapshot;
}

/**
 * Lands one change exactly once. The answer is to be computed from `before` and `after` alone, so that a
 * repeated request answers as the first one did.
 */
export async function land(
  session: Landing,
  operation: OperationName,
  input: WriteInput,
  apply: Apply,
): Promise<Landed> {
  return landAndAnswer(session, operation, input, apply, async (landed) => landed);
}

/** Lands a change and answers what `answer` makes of it, mostly while the disk is waited for. */
async function landAndAnswer<Answer>(
  session: Landing,
  operation: OperationName,
  input: WriteInput,
  apply: Apply,
  answer: (landed: Landed) => Promise<Answer>,
): Promise<Answer> {
  const { repository, call } = session;
  let early: Promise<Answer> | null = null;
  const written = await repository.write({
    requestId: input.request_id ?? session.newRequestId(),
    idIsNew: input.request_id === undefined,
    digest: digestOf(operation, input),
    author: call.caller.author,
    agent: call.caller.agent,
    signal: call.signal,
    apply,
    committed: (commit, parent) => {
      // What the disk is asked for comes first.
      early = setImmediate().then(async () => answer(await landedAs(repository, commit, parent)));
      // Whoever waits for it is told.
      early.catch(() => undefined);
    },
  });
  if (written.kind === 'unchanged') {
    const head = written.head === null ? await repository.head() : await repository.at(written.head);
    return answer({ changed: false, commit: head.commit, before: head, after: head });
  }
  session.committed(written.commit);
  if (early) return early;
  return answer(await landedAs(repository, written.commit, written.parent));
}

type Landing = Pick<Session, 'repository' | 'call' | 'newRequestId' | 'committed'>;

async function landedAs(
  repository: Landing['repository'],
  commit: string,
  parent: string | null,
): Promise<Landed> {
  const after = await repository.at(commit);
  const before = parent === null ? emptySnapshot : await repository.at(parent);
  return { changed: true, commit, before, after };
}

/** What the change would leave behind if it were applied now, for a dry run: nothing is written. */
export function preview({ repository, call: { scope } }: Session, apply: Apply): Promise<Landed> {
  return previewOn(repository, async (base) => {
    const applied = await apply(base);
    if (scope !== undefined) {
      requireChangeable(
        scope,
        applied.files.map(({ path }) => path),
      );
    }
    return applied;
  });
}

export async function previewOn(
  repository: Pick<Session['repository'], 'head'>,
  apply: Apply,
): Promise<Landed> {
  const before = await repository.head();
  const { files } = await apply(before);
  const after = new Draft(before);
  after.write(files);
  return { changed: files.length > 0, commit: before.commit, before, after };
}

/** Lands a change of one page, and answers with what every write of a page tells. */
export function landPage(
  session: Landing,
  operation: OperationName,
  input: WriteInput,
  { path, apply }: PagePlan,
) {
  return landAndAnswer(session, operation, input, apply, async (landed) => ({
    path,
    ...(await describePage(landed, path)),
  }));
}

/** The fields that every write answers with, for a page that had the path `from` before, if it was moved. */
export async function describePage(landed: Landed, path: string, from = path) {
  const [old, present] = await Promise.all([findPage(landed.before, from), findPage(landed.after, path)]);
  return {
    version: present?.oid ?? null,
    previous_version: old?.oid ?? null,
    commit: landed.commit,
    changed: landed.changed,
    diff: await diffBetween(landed, old?.oid ?? null, present?.oid ?? null),
  };
}

/** Bounded unified diff of two blobs, of which either may be absent. */
export async function diffBetween(
  snapshots: { before: Snapshot; after: Snapshot },
  old: string | null,
  present: string | null,
): Promise<string> {
  if (old === present) return '';
  const [before, after] = await Promise.all([
    old === null ? '' : snapshots.before.blob(old).then((bytes) => decodeText(bytes).text),
    present === null ? '' : snapshots.after.blob(present).then((bytes) => decodeText(bytes).text),
  ]);
  return unifiedDiff(before, after, { maxCharacters: limits.diffCharacters }).diff;
}

/** The wiki and the id do not belong to what is asked for; keys in order, so that equal requests have equal digests. */
function digestOf(operation: OperationName, input: WriteInput): string {
  const { wiki: _wiki, request_id: _requestId, ...what } = input;
  return createHash('sha256')
    .update(canonicalJson([operation, what]))
    .digest('hex');
}

function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, nested: unknown) => {
    if (typeof nested !== 'object' || nested === null || Array.isArray(nested)) return nested;
    return Object.fromEntries(Object.entries(nested).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
