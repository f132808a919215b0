import { limits } from '../../../contract/limits.ts';
import type { Input, Output } from '../../../contract/operations.ts';
import { mostAttachmentBytes } from '../../pages/attachments.ts';
import type { Session } from '../../session.ts';
import { statusOfSync } from '../remotes/stored-remote.ts';

export async function wikiStatus(
  { repository, index, call, host, now }: Session,
  _input: Input<'wiki_status'>,
): Promise<Output<'wiki_status'>> {
  const [head, description, wikis, { sync, problems }] = await Promise.all([
    repository.head(),
    repository.describe(),
    host.wikis(),
    // A part of a wiki has no remote.
    call.scope === undefined
      ? statusOfSync(repository.remote, { backend: host.backend, now: now() })
      : { sync: null, problems: [] },
  ]);
  return {
    wiki: repository.name,
    wikis,
    branch: repository.branch,
    head: head.commit,
    pages: head.commit === null ? 0 : await index.count(head.commit),
    backend: host.backend,
    read_only: description.readOnly,
    scope: call.scope ?? null,
    limits: namedAsFields({ ...limits, attachmentBytes: mostAttachmentBytes(host) }),
    versions: host.versions,
    clone: description.clone,
    problems: [...host.problems, ...description.problems, ...problems],
    sync,
  };
}

/** Renames keys to snake_case, as the contract has them. */
function namedAsFields(values: Readonly<Record<string, number>>): Record<string, number> {
  const entries = Object.entries(values);
  return Object.fromEntries(
    entries.map(([name, value]) => [name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), value]),
  );
}
