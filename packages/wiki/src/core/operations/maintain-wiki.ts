import { toWikiError, WikiError } from '../../contract/errors.ts';
import type { Input, Output } from '../../contract/operations.ts';
import type { OpenWiki } from '../ports.ts';
import type { DirectorySession } from '../session.ts';

export async function maintainWiki(
  session: DirectorySession,
  { mode, wiki, all }: Input<'maintain_wiki'>,
): Promise<Output<'maintain_wiki'>> {
  const { directory, defaultWiki, call } = session;
  if (all) {
    if (mode !== 'tidy' || wiki !== undefined) throw allIsForTidying();
    return tidyAll(session);
  }
  const name = wiki ?? defaultWiki;
  const opened = await directory.open(name);
  if (mode === 'check') return check(opened);
  return mode === 'repair' ? repair(opened) : tidy(opened, name, call);
}

/** One after the other, beginning with another one each day: so in several nights each has its turn of a short time. */
async function tidyAll({ directory, call, now }: DirectorySession): Promise<Output<'maintain_wiki'>> {
  const names = await directory.names();
  const first = Math.floor(now() / DAY_MS) % Math.max(1, names.length);
  const failures: unknown[] = [];
  let total: Output<'maintain_wiki'> = { ...NOTHING, mode: 'tidy' };
  for (const name of [...names.slice(first), ...names.slice(0, first)]) {
    if (call.signal?.aborted) total = { ...total, unfinished: [...total.unfinished, name] };
    else {
      try {
        total = sumOf(total, await tidy(await directory.open(name), name, call));
      } catch (error) {
        // One that is damaged must not keep the others from being tidied, and is told below.
        failures.push(namingWiki(error, name));
      }
    }
  }
  if (failures.length > 0) throw failures[0];
  return total;
}

function namingWiki(error: unknown, name: string): unknown {
  const { code, text, data, cause } = toWikiError(error);
  return new WikiError(code, { ...text, happened: `In the wiki "${name}": ${text.happened}` }, data, {
    cause,
  });
}

const DAY_MS = 24 * 60 * 60 * 1000;

function sumOf(one: Output<'maintain_wiki'>, other: Output<'maintain_wiki'>): Output<'maintain_wiki'> {
  const deleted = { ...one.deleted };
  for (const [what, count] of Object.entries(other.deleted)) deleted[what] = (deleted[what] ?? 0) + count;
  return {
    ...one,
    packs_before: (one.packs_before ?? 0) + (other.packs_before ?? 0),
    packs: (one.packs ?? 0) + (other.packs ?? 0),
    deleted,
    index_saved: one.index_saved || other.index_saved,
    unfinished: [...one.unfinished, ...other.unfinished],
  };
}

async function tidy(
  { repository, index }: OpenWiki,
  name: string,
  call: DirectorySession['call'],
): Promise<Output<'maintain_wiki'>> {
  const isTimeOver = () => call.signal?.aborted ?? false;
  const report = await repository.maintenance.tidy(call);
  const { commit } = await repository.head();
  const isSaved = !isTimeOver() && commit !== null && (await index.save(commit, call.signal));
  return {
    ...NOTHING,
    mode: 'tidy',
    packs_before: report.packsBefore,
    packs: report.packs,
    deleted: {
      packs_of_failed_writes: report.garbagePacksRemoved,
      old_requests: report.requestsForgotten,
      temporary_files: report.temporaryFilesDeleted,
    },
    index_saved: isSaved,
    // Saving is the last step: the time may end with it.
    unfinished: isTimeOver() && !isSaved ? [name] : [],
  };
}

async function check({ repository }: OpenWiki): Promise<Output<'maintain_wiki'>> {
  const { commits, problems } = await repository.maintenance.check();
  const told = problems.slice(0, MOST_ROWS);
  return {
    ...NOTHING,
    mode: 'check',
    commits_checked: commits,
    problems: told.map((problem) => ({ ...problem })),
    more: problems.length - told.length,
  };
}

async function repair({ repository }: OpenWiki): Promise<Output<'maintain_wiki'>> {
  const { commit, lost, lostCommits, packsReplaced, orderRestored } = await repository.maintenance.repair();
  const told = lost.slice(0, MOST_ROWS);
  return {
    ...NOTHING,
    mode: 'repair',
    repair_commit: commit,
    lost: told.map((page) => ({ ...page })),
    lost_commits: lostCommits.slice(-MOST_ROWS),
    packs_replaced: packsReplaced,
    order_restored: orderRestored,
    more: lost.length - told.length,
  };
}

/** Of problems, lost pages or commits; a wiki in which more are damaged is restored from a clone. */
const MOST_ROWS = 100;

const NOTHING = {
  packs_before: null,
  packs: null,
  deleted: {},
  index_saved: false,
  unfinished: [],
  commits_checked: null,
  problems: [],
  repair_commit: null,
  lost: [],
  lost_commits: [],
  packs_replaced: 0,
  order_restored: false,
  more: 0,
} satisfies Omit<Output<'maintain_wiki'>, 'mode'>;

function allIsForTidying(): WikiError {
  return new WikiError('invalid_input', {
    happened: '`all` is for mode tidy, and without a wiki.',
    now: 'Nothing was done.',
    next: 'Leave `all` out, and name the wiki that is to be checked or repaired.',
  });
}
