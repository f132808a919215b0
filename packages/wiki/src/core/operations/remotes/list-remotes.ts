import { toWikiError } from '../../../contract/errors.ts';
import type { SyncReport } from '../../../contract/operations/remotes.ts';
import type { Input, Output } from '../../../contract/operations.ts';
import { inBatches } from '../../../scheduling/in-batches.ts';
import { serializedLength } from '../../reply-budget.ts';
import type { DirectorySession } from '../../session.ts';
import { reportOf, settingsOf } from './stored-remote.ts';

type Listed = Output<'list_remotes'>['remotes'][number];

/** Reads a few small files of each wiki, and opens none: the sync on AWS asks each minute. */
export async function listRemotes(
  { directory }: DirectorySession,
  { cursor = '' }: Input<'list_remotes'>,
): Promise<Output<'list_remotes'>> {
  const names = (await directory.names()).filter((name) => name > cursor);
  const remotes: Listed[] = [];
  let characters = 0;
  for (let at = 0; at < names.length; at += AT_ONCE) {
    const some = names.slice(at, at + AT_ONCE);
    const found = (await inBatches(some, (name) => remoteOf(directory, name))).filter(
      (each) => each !== null,
    );
    remotes.push(...found);
    characters += serializedLength(found);
    const last = some.at(-1);
    if (characters > MAX_CHARACTERS && last !== undefined && last !== names.at(-1))
      return { remotes, next_cursor: last };
  }
  return { remotes, next_cursor: null };
}

/** Null for a wiki without a remote. One that cannot be read must not hide the others. */
async function remoteOf(directory: DirectorySession['directory'], wiki: string): Promise<Listed | null> {
  try {
    const { remote: kept, hasCommitAfter } = directory.unopened(wiki);
    const remote = await settingsOf(kept);
    if (remote === null) return null;
    const report = withoutProjection(await reportOf(kept, remote));
    const tip = report?.tip ?? null;
    return { wiki, remote, report, has_news: tip === null || (await hasCommitAfter(tip)), problem: null };
  } catch (error) {
    const { text } = toWikiError(error);
    const problem = `${text.happened} ${text.now} ${text.next}`;
    return { wiki, remote: null, report: null, has_news: false, problem };
  }
}

/** Large, and of no use to those who ask whether a sync is due. */
function withoutProjection(report: SyncReport | null): SyncReport | null {
  if (report === null) return null;
  const { projection: _, ...rest } = report;
  return rest;
}

/** The most that this many add is below what AWS Lambda returns. */
const AT_ONCE = 64;
const MAX_CHARACTERS = 1_000_000;
