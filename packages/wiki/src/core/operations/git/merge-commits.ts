import type { Input, Output } from '../../../contract/operations.ts';
import type { Session } from '../../session.ts';

/** The merged commits keep their authors. The caller is the author of the merge commit. */
export async function mergeCommits(
  session: Session,
  { commit, source, content }: Input<'merge_commits'>,
): Promise<Output<'merge_commits'>> {
  const { repository, call } = session;
  const bytes = call.bytes ?? Buffer.from(content ?? '', 'base64');
  const pack = bytes.length === 0 ? null : bytes;
  const { signal, caller } = call;
  const merged = await repository.mergeCommits({ commit, source, pack, signal, ...caller });
  if (merged.kind !== 'contained') session.committed(merged.commit);
  const { kind, conflicts, more } = merged;
  // Reads of these pages mention the conflict if this process's index knows it, and never wait for the index.
  if (conflicts.length > 0) session.index.catchUp(merged.commit).catch(() => undefined);
  return { outcome: kind, commit: merged.commit, conflicts, more_conflicts: more };
}
