import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { limits } from '../../contract/limits.ts';
import type { OperationName } from '../../contract/operations.ts';
import { isInConflict, keepingPage } from '../merging/settle-conflict.ts';
import { findPage } from '../pages/find-page.ts';
import { requireFineNames } from '../paths/new-names.ts';
import type { Change, Snapshot } from '../ports.ts';
import type { Retargeted } from '../relinking/relink.ts';
import { describeRetargeted, findRetargeted } from '../relinking/retargeted.ts';
import { requireChangeable } from '../scope/refusals.ts';
import type { Session } from '../session.ts';
import { decodeText } from '../text/text-encoding.ts';
import type { Splice } from '../text/text-runs.ts';
import { unifiedDiff } from '../text/unified-diff.ts';
import { Draft } from './draft.ts';
import { emptySnapshot } from './empty-snapshot.ts';

/** Fields of a write's input that concern the call, not the change. */
interface WriteInput {
  wiki?: string | undefined;
  request_id?: string | undefined;
}

/** A change that can be applied to any tree. */
export type Apply = Change['apply'];

/** A change of one page, with the parts that each step replaced in the existing text. */
interface PageChange extends Awaited<ReturnType<Apply>> {
  splices?: readonly (readonly Splice[])[];
}

/** A change of one page, independent of how it lands: alone, as a dry run, or as one of several. */
export interface PagePlan {
  /** The path of the page after the change. */
  path: string;
  apply(base: Snapshot): Promise<PageChange>;
  /** `given`: the caller gives the whole content of the page. `kept`: part of the existing text stays. */
  content: 'given' | 'kept';
}

/** The result of a write: its commit, and the trees before and after. */
export interface Landed {
  changed: boolean;
  commit: string | null;
  before: Snapshot;
  after: Snapshot;
}

/**
 * Lands one change exactly once. Compute the answer from `before` and `after` alone, so that a repeated
 * request gets the same answer as the first.
 */
export async function land(
  session: Landing,
  operation: OperationName,
  input: WriteInput,
  apply: Apply,
): Promise<Landed> {
  return landAndAnswer(session, operation, input, apply, async (landed) => landed);
}

/** Lands a change and returns the result of `answer`, which mostly runs while the disk syncs. */
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
    person: call.person,
    idIsNew: input.request_id === undefined,
    digest: digestOf(operation, input),
    author: call.caller.author,
    agent: call.caller.agent,
    signal: call.signal,
    apply: (base) => applyWithFineNames(apply, base),
    committed: (commit, parent) => {
      // The requests to the disk come first.
      early = setImmediate().then(async () => answer(await landedAs(repository, commit, parent)));
      // The code that awaits it gets the error.
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

async function applyWithFineNames(apply: Apply, base: Snapshot): ReturnType<Apply> {
  const applied = await apply(base);
  await requireFineNames(base, applied.files);
  return applied;
}

/** The result of a change if it were applied now, for a dry run: nothing is written. */
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
  const { files } = await applyWithFineNames(apply, before);
  const after = new Draft(before);
  after.write(files);
  return { changed: files.length > 0, commit: before.commit, before, after };
}

/** Lands a change of one page, and returns the answer that all writes of a page share. */
export async function landPage(
  session: Session,
  operation: OperationName,
  input: WriteInput,
  { path, apply, content }: PagePlan,
) {
  const answer = (landed: Landed) => describeWrite(session, landed, path, content);
  const written = await landAndAnswer(session, operation, input, apply, answer);
  const settles = !written.changed && (await isInConflict(session, path));
  if (!settles) return written;
  return landAndAnswer(session, operation, input, keepingPage(path, apply), answer);
}

/** The answer to a write of a page, landed or as a dry run. */
export async function describeWrite(
  session: Session,
  landed: Landed,
  path: string,
  content: PagePlan['content'],
) {
  const [described, retargeted] = await Promise.all([
    describePage(landed, path),
    retargetedBy(session, landed, path, content),
  ]);
  return { path, ...described, ...describeRetargeted(retargeted) };
}

/** The part of an attachment write's answer that concerns links. */
export async function retargetedByFile({ index }: Session, landed: Landed, path: string) {
  return describeRetargeted(landed.changed ? await findRetargeted(index, landed, [path], 'given') : []);
}

async function retargetedBy(
  { index }: Session,
  landed: Landed,
  path: string,
  content: PagePlan['content'],
): Promise<Retargeted[] | null> {
  if (!landed.changed) return [];
  const [old, present] = await Promise.all([findPage(landed.before, path), findPage(landed.after, path)]);
  const paths = new Set([old, present].flatMap((entry) => entry?.path ?? []));
  return findRetargeted(index, landed, [...paths], content);
}

/** The fields of every write's answer, for a page that had the path `from` before if it was moved. */
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

/** The bounded unified diff of two blobs, of which either may be absent. */
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

/**
 * The digest of a request, without its wiki and its id. Keys are sorted, so that equal requests have equal
 * digests.
 */
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
