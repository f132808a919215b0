import { limits } from '../../../contract/limits.ts';
import type { Input, Output } from '../../../contract/operations.ts';
import { findPage, requirePage } from '../../pages/find-page.ts';
import { parsePagePath } from '../../paths/page-path.ts';
import type { Session } from '../../session.ts';
import { decodeText } from '../../text/text-encoding.ts';
import { unifiedDiff } from '../../text/unified-diff.ts';

export async function diffPage(
  { repository, index }: Session,
  input: Input<'diff_page'>,
): Promise<Output<'diff_page'>> {
  const path = parsePagePath(input.path);
  const [from, to] = await Promise.all([
    repository.resolveCommit(input.from).then((commit) => repository.at(commit)),
    input.to === undefined
      ? repository.head()
      : repository.resolveCommit(input.to).then((commit) => repository.at(commit)),
  ]);
  const old = await findPage(from, path);
  const present = old === null ? await requirePage(to, path, index) : await findPage(to, path);

  const [before, after] = await Promise.all([
    old === null ? '' : from.blob(old.oid).then((bytes) => decodeText(bytes).text),
    present === null ? '' : to.blob(present.oid).then((bytes) => decodeText(bytes).text),
  ]);
  const options = { context: input.context_lines, maxCharacters: limits.replyCharacters / 2 };
  const { diff, added, removed, truncated } = unifiedDiff(before, after, options);
  return { path, from: from.commit ?? input.from, to: to.commit, diff, added, removed, truncated };
}
