import { type ErrorCode, WikiError } from '../../contract/errors.ts';
import { type BatchChange, batchOperations } from '../../contract/operations/batches.ts';
import type { Input, Output } from '../../contract/operations.ts';
import { parseChange } from '../../contract/parse-input.ts';
import { Draft } from '../draft.ts';
import { draftLinks, type LinkSource } from '../link-source.ts';
import { parsePagePath } from '../page-path.ts';
import { findPage } from '../pages.ts';
import type { FileWrite, Snapshot } from '../ports.ts';
import { countThatFits, serializedLength } from '../reply-budget.ts';
import type { Session } from '../session.ts';
import { type Apply, describePage, type Landed, land, type PagePlan, preview } from '../write.ts';
import { planAppend } from './append-to-page.ts';
import { planDelete } from './delete-page.ts';
import { planEdit } from './edit-page.ts';
import { planMove } from './move-page.ts';
import { planWrite } from './write-page.ts';

export async function commitChanges(
  session: Session,
  input: Input<'commit_changes'>,
): Promise<Output<'commit_changes'>> {
  const { message, changes } = input;
  const apply: Apply = async (base) => ({ message, files: await applyAll(session, base, changes) });
  const landed = input.dry_run
    ? await preview(session, apply)
    : await land(session, 'commit_changes', input, apply);
  const { commit, changed } = landed;
  return { commit, changed, pages: await describeAll(landed, changes), total: changes.length };
}

/** Each change sees what those before it left. One that fails is passed over, to find all that would. */
async function applyAll(
  session: Session,
  base: Snapshot,
  changes: readonly BatchChange[],
): Promise<FileWrite[]> {
  const draft = new Draft(base);
  const links = draftLinks(session.index, draft);
  const failures: Failure[] = [];
  for (const [at, change] of changes.entries()) {
    try {
      const plan = planChange(session, links, await withPresentVersion(draft, change));
      draft.write((await plan.apply(draft)).files);
    } catch (error) {
      if (!(error instanceof WikiError) || error.code === 'internal') throw error;
      failures.push({ at, change, error });
    }
  }
  const [first] = failures;
  if (first !== undefined) throw batchFailed(first.error.code, failures, changes.length);
  return draft.writes();
}

function planChange(session: Session, links: LinkSource, { op, ...input }: BatchChange): PagePlan {
  switch (op) {
    case 'write':
      return planWrite(session, parseChange(batchOperations.write, input));
    case 'append':
      return planAppend(session, parseChange(batchOperations.append, input));
    case 'edit':
      return planEdit(session, parseChange(batchOperations.edit, input));
    case 'move':
      return planMove(session, parseChange(batchOperations.move, input), () => links);
    case 'delete':
      return planDelete(session, parseChange(batchOperations.delete, input));
  }
}

/** A version is that of before the batch, also where an earlier change of the batch has changed the page. */
async function withPresentVersion(draft: Draft, change: BatchChange): Promise<BatchChange> {
  if (change.version === undefined) return change;
  const path = parsePagePath(change.path);
  const before = await findPage(draft.base, path);
  const present = await findPage(draft, path);
  return before?.oid === change.version && present !== null ? { ...change, version: present.oid } : change;
}

/** Versions of every page that fits, then diffs as long as there is room. */
async function describeAll(
  landed: Landed,
  changes: readonly BatchChange[],
): Promise<Output<'commit_changes'>['pages']> {
  const pages: Output<'commit_changes'>['pages'] = [];
  for (const change of changes) {
    const from = parsePagePath(change.path);
    const path = change.new_path === undefined ? from : parsePagePath(change.new_path);
    const { version, previous_version, diff } = await describePage(landed, path, from);
    pages.push({ path, version, previous_version, diff });
  }
  const bare = pages.map((page) => ({ ...page, diff: '' }));
  const shown = bare.slice(0, countThatFits(bare));
  let left = room - serializedLength(shown);
  return shown.map((page, at) => {
    const diff = pages[at]?.diff ?? '';
    left -= serializedLength(diff);
    return left < 0 ? page : { ...page, diff };
  });
}

/** In characters, for all pages of an answer. */
const room = 36_000;

interface Failure {
  at: number;
  change: BatchChange;
  error: WikiError;
}

/** Has the code of the first failure, and tells of each. */
function batchFailed(code: ErrorCode, failures: readonly Failure[], total: number): WikiError {
  const told = failures.slice(0, failuresTold).map(({ at, change, error }) => ({
    change: at + 1,
    op: change.op,
    path: change.path,
    code: error.code,
    message: error.message.slice(0, 1_000),
  }));
  const reasons = told.map(
    ({ change, op, path, message }) =>
      `Change ${change} (${op} ${JSON.stringify(path.slice(0, 200))}): ${message}`,
  );
  const more = failures.length - told.length;
  return new WikiError(
    code,
    {
      happened: `${failures.length} of ${total} changes cannot be made.\n${reasons.join('\n')}${more > 0 ? `\nAnd ${more} more.` : ''}\n`,
      now: 'Nothing was changed, by none of them.',
      next: 'Correct these changes and send all of them again.',
    },
    { failed: told, failed_total: failures.length },
  );
}

const failuresTold = 8;
