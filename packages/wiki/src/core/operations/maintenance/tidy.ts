import type { Output } from '../../../contract/operations.ts';
import type { Call } from '../../../contract/wiki.ts';
import type { OpenWiki } from '../../directory-port.ts';
import type { DirectorySession } from '../../session.ts';

export interface Tidied {
  report: Output<'maintain_wiki'>;
  debtPacks: number;
  debtBytes: number;
}

/** Tidies one wiki as far as time allows. */
export async function tidy({ directory, call }: DirectorySession, name: string): Promise<Tidied> {
  const { report, ...debt } = await directory.visit(name, (wiki) => tidyOpen(wiki, name, call));
  // After the visit, which refuses this where nothing may be changed.
  const temporary_files = (report.deleted.temporary_files ?? 0) + (await directory.uploads(name).removeOld());
  return { ...debt, report: { ...report, deleted: { ...report.deleted, temporary_files } } };
}

async function tidyOpen({ repository, index }: OpenWiki, name: string, call: Call): Promise<Tidied> {
  const isTimeOver = () => call.signal?.aborted ?? false;
  const report = await repository.maintenance.tidy(call);
  const { commit } = await repository.head();
  const isSaved = !isTimeOver() && commit !== null && (await index.save(commit, call.signal));
  return {
    debtPacks: report.debtPacks,
    debtBytes: report.debtBytes,
    report: {
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
      // Saving is the last step: the time may run out during it.
      unfinished: isTimeOver() && !isSaved ? [name] : [],
    },
  };
}

/** The report if nothing was done. */
export const NOTHING = {
  packs_before: null,
  packs: null,
  deleted: {},
  index_saved: false,
  unfinished: [],
  finished: true,
  to_go_on: null,
  round: null,
  commits_checked: null,
  problems: [],
  repair_commit: null,
  lost: [],
  lost_commits: [],
  packs_replaced: 0,
  order_restored: false,
  more: 0,
} satisfies Omit<Output<'maintain_wiki'>, 'mode'>;
