import type { Input, Output } from '../../contract/operations.ts';
import type { Session } from '../session.ts';

export async function maintainWiki(
  session: Session,
  { mode }: Input<'maintain_wiki'>,
): Promise<Output<'maintain_wiki'>> {
  if (mode === 'check') return check(session);
  return mode === 'repair' ? repair(session) : tidy(session);
}

async function tidy({ repository, index, call }: Session): Promise<Output<'maintain_wiki'>> {
  const report = await repository.maintenance.tidy(call);
  const { commit } = await repository.head();
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
    index_saved: commit !== null && (await index.save(commit)),
  };
}

async function check({ repository }: Session): Promise<Output<'maintain_wiki'>> {
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

async function repair({ repository }: Session): Promise<Output<'maintain_wiki'>> {
  const { commit, lost } = await repository.maintenance.repair();
  const told = lost.slice(0, MOST_ROWS);
  return {
    ...NOTHING,
    mode: 'repair',
    repair_commit: commit,
    lost: told.map((page) => ({ ...page })),
    more: lost.length - told.length,
  };
}

/** Of problems or lost pages; a wiki in which more are damaged is restored from a clone. */
const MOST_ROWS = 100;

const NOTHING = {
  packs_before: null,
  packs: null,
  deleted: {},
  index_saved: false,
  commits_checked: null,
  problems: [],
  repair_commit: null,
  lost: [],
  more: 0,
} satisfies Omit<Output<'maintain_wiki'>, 'mode'>;
