import { setImmediate } from 'node:timers/promises';
import { cutError } from '../../../contract/cut-error.ts';
import { type ErrorCode, WikiError } from '../../../contract/errors.ts';
import { type BatchChange, batchOperations } from '../../../contract/operations/batches.ts';
import type { Input, Output } from '../../../contract/operations.ts';
import { parseChange } from '../../../contract/parse-input.ts';
import { applyMerge, applyMove } from '../../moving/moves.ts';
import { oncePerBase, type Settled, settle } from '../../moving/settle.ts';
import { findPage } from '../../pages/find-page.ts';
import { parsePagePath } from '../../paths/page-path.ts';
import type { Snapshot } from '../../ports.ts';
import type { Session } from '../../session.ts';
import { describeBatch } from '../../writing/describe-batch.ts';
import type { Draft } from '../../writing/draft.ts';
import { NetChange } from '../../writing/net-change.ts';
import { type Apply, land, type PagePlan, preview } from '../../writing/write.ts';
import { planAppend } from './append-to-page.ts';
import { planDelete } from './delete-page.ts';
import { planEdit } from './edit-page.ts';
import { planSection } from './edit-section.ts';
import { planWrite } from './write-page.ts';

export async function commitChanges(
  session: Session,
  input: Input<'commit_changes'>,
): Promise<Output<'commit_changes'>> {
  const { message, changes } = input;
  const plan = oncePerBase((base) => applyAll(session, base, changes));
  const apply: Apply = async (base) => ({ message, files: (await plan(base)).files });
  const landed = input.dry_run
    ? await preview(session, apply)
    : await land(session, 'commit_changes', input, apply);
  const { commit, changed } = landed;
  return { commit, changed, ...(await describeBatch(landed, await plan(landed.before), changes)) };
}

/**
 * Applies the changes in order; each sees the result of those before it. Links are examined once, after all
 * changes. Goes on after a failed change, to find all failures.
 */
async function applyAll(session: Session, base: Snapshot, changes: readonly BatchChange[]): Promise<Settled> {
  const net = new NetChange(base);
  const failures: Failure[] = [];
  let work = 0;
  for (const [at, change] of changes.entries()) {
    // Reads of pages that earlier changes wrote never wait, so other wikis would not get a turn.
    await setImmediate();
    const read = net.draft.bytesRead;
    let isFailed = false;
    try {
      await applyChange(session, net, await withPresentVersion(net.draft, change));
    } catch (error) {
      if (!(error instanceof WikiError) || error.code === 'internal') throw error;
      failures.push({ at, change, error });
      isFailed = true;
    }
    work += (net.draft.bytesRead - read) * Math.max(workOf(change), isFailed ? FAILED_WORK : 0);
    if (work > MAX_WORK) throw tooMuchWork(at + 1, changes.length);
  }
  const [first] = failures;
  if (first !== undefined) throw batchFailed(first.error.code, failures, changes.length);
  return settle(session.index, net);
}

/** The work of a change for each byte of its page; an edit of a section counts as 1. */
function workOf({ op, edits }: BatchChange): number {
  if (op === 'section') return 1;
  if (op === 'merge') return 2;
  return op === 'edit' ? (edits?.length ?? 0) / 20 : 1 / 20;
}

/** The search for similar text scans the page again. */
const FAILED_WORK = 1;

/** Takes some seconds, if the pages are of the worst kind. */
const MAX_WORK = 10_000_000;

function tooMuchWork(done: number, total: number): WikiError {
  return new WikiError('too_large', {
    happened: `The changes take too long together: the first ${done} of ${total} are as much as one call may do. Each goes through the whole of its page.`,
    now: 'Nothing was changed, by none of them.',
    next: 'Send fewer changes at once; put several edits of a large page into one write of it.',
  });
}

async function applyChange(session: Session, net: NetChange, { op, ...input }: BatchChange): Promise<void> {
  if (op === 'move') return applyMove(session, net, parseChange(batchOperations.move, input));
  if (op === 'merge') return applyMerge(session, net, parseChange(batchOperations.merge, input));
  const plan = planChange(session, op, input);
  const { files, splices } = await plan.apply(net.draft);
  await net.write(files, splices ?? null);
}

function planChange(
  session: Session,
  op: Exclude<BatchChange['op'], 'move' | 'merge'>,
  input: Omit<BatchChange, 'op'>,
): PagePlan {
  switch (op) {
    case 'write':
      return planWrite(session, parseChange(batchOperations.write, input));
    case 'append':
      return planAppend(session, parseChange(batchOperations.append, input));
    case 'edit':
      return planEdit(session, parseChange(batchOperations.edit, input));
    case 'section':
      return planSection(session, parseChange(batchOperations.section, input));
    case 'delete':
      return planDelete(session, parseChange(batchOperations.delete, input));
  }
}

/**
 * A version refers to the state before the batch, even if an earlier change of the batch has changed the
 * page.
 */
async function withPresentVersion(draft: Draft, change: BatchChange): Promise<BatchChange> {
  if (change.version === undefined || change.path.endsWith('/')) return change;
  const path = parsePagePath(change.path);
  const before = await findPage(draft.base, path);
  const present = await findPage(draft, path);
  return before?.oid === change.version && present !== null ? { ...change, version: present.oid } : change;
}

interface Failure {
  at: number;
  change: BatchChange;
  error: WikiError;
}

/** The error for a failed batch: has the code of the first failure and lists them all. */
function batchFailed(code: ErrorCode, failures: readonly Failure[], total: number): WikiError {
  const reported = failures.slice(0, MAX_FAILURES_NAMED).map(({ at, change, error }) => ({
    change: at + 1,
    op: change.op,
    path: change.path,
    code: error.code,
    message: cutError(error.message, 1_000),
  }));
  const reasons = reported.map(
    ({ change, op, path, message }) =>
      `Change ${change} (${op} ${JSON.stringify(path.slice(0, 200))}): ${message}`,
  );
  const more = failures.length - reported.length;
  return new WikiError(
    code,
    {
      happened: `${failures.length} of ${total} changes cannot be made.\n${reasons.join('\n')}${more > 0 ? `\nAnd ${more} more.` : ''}\n`,
      now: 'Nothing was changed, by none of them.',
      next: 'Correct these changes and send all of them again.',
    },
    { failed: reported, failed_total: failures.length },
  );
}

const MAX_FAILURES_NAMED = 8;
