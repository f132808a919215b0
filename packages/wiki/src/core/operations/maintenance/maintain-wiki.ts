import { WikiError } from '../../../contract/errors.ts';
import type { Input, Output } from '../../../contract/operations.ts';
import type { StepLimits, Stepwise } from '../../../scheduling/stepwise.ts';
import type { OpenWiki } from '../../directory-port.ts';
import type { DirectorySession } from '../../session.ts';
import { NOTHING, tidy } from './tidy.ts';
import { tidyAll } from './tidy-all.ts';

export async function maintainWiki(
  session: DirectorySession,
  { mode, wiki, all, once_a_night = false }: Input<'maintain_wiki'>,
): Promise<Output<'maintain_wiki'>> {
  const { directory, defaultWiki } = session;
  if (all) {
    if (mode !== 'tidy' || wiki !== undefined) throw allIsForTidying();
    return tidyAll(session, { ...NOTHING, mode: 'tidy' }, once_a_night);
  }
  const name = wiki ?? defaultWiki;
  if (mode === 'tidy') return (await tidy(session, name)).report;
  const opened = await directory.open(name);
  if (mode === 'check') return check(opened, limitsOf(session));
  return repair(opened, limitsOf(session));
}

/** A client that waits for at most a minute must get its answer in time, on every backend. */
const CALL_MS = 45_000;

function limitsOf({ call, now }: DirectorySession): StepLimits {
  const end = now() + CALL_MS;
  return {
    goOn: () => !call.signal?.aborted && now() < end,
    progress: (read, total) => call.progress?.(read, total, 'objects are read'),
  };
}

async function check({ repository }: OpenWiki, limits: StepLimits): Promise<Output<'maintain_wiki'>> {
  const result = await repository.maintenance.check(limits);
  if (!result.isFinished) return unfinished('check', repository.name, result);
  const { commits, problems } = result.report;
  const reported = problems.slice(0, MAX_ROWS);
  return {
    ...NOTHING,
    mode: 'check',
    commits_checked: commits,
    problems: reported.map((problem) => ({ ...problem })),
    more: problems.length - reported.length,
  };
}

async function repair({ repository }: OpenWiki, limits: StepLimits): Promise<Output<'maintain_wiki'>> {
  const result = await repository.maintenance.repair(limits);
  if (!result.isFinished) return unfinished('repair', repository.name, result);
  const { commit, lost, lostCommits, packsReplaced, orderRestored } = result.report;
  const reported = lost.slice(0, MAX_ROWS);
  return {
    ...NOTHING,
    mode: 'repair',
    repair_commit: commit,
    lost: reported.map((page) => ({ ...page })),
    lost_commits: lostCommits.slice(-MAX_ROWS),
    packs_replaced: packsReplaced,
    order_restored: orderRestored,
    more: lost.length - reported.length,
  };
}

function unfinished(
  mode: 'check' | 'repair',
  name: string,
  { isElsewhere, began, read, total }: Stepwise<never> & { isFinished: false },
): Output<'maintain_wiki'> {
  const objects = total === 0 ? `${read} objects` : `${read} of about ${total} objects`;
  const state = `Not finished: ${objects} are read. This ${mode} began on ${new Date(began).toISOString()}.`;
  const next = isElsewhere
    ? 'Another call is at work on this wiki. Wait for half a minute, then call again with the same mode.'
    : 'Call again with the same mode: it goes on from here.';
  return { ...NOTHING, mode, finished: false, to_go_on: `${state} ${next}`, unfinished: [name] };
}

/**
 * The maximum number of problems, lost pages or commits in one answer. Restore a more damaged wiki from a
 * clone.
 */
const MAX_ROWS = 100;

function allIsForTidying(): WikiError {
  return new WikiError('invalid_input', {
    happened: '`all` is for mode tidy, and without a wiki.',
    now: 'Nothing was done.',
    next: 'Leave `all` out, and name the wiki that is to be checked or repaired.',
  });
}
