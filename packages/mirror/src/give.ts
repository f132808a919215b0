import { liesIn, limits, type Scope, toWikiError } from '@pagetree/wiki/contract';
import { pathKey, refusalAsFile } from '@pagetree/wiki/file-names';
import { MANY_GONE, TOO_LARGE } from './folder/folder-contents.ts';
import type { Difference, Findings, Sides } from './sides.ts';
import type { FileChange } from './wiki/wiki-side.ts';

/** The files that the wiki refused, by key: not sent again before they change, or the time has come. */
export type Refused = Map<string, Refusal>;

interface Refusal {
  /** The versions of the folder and of the wiki. */
  version: string | null;
  replaced: string | null;
  reason: string;
  untilMs: number;
}

/** A change that is ready to be sent. */
interface Ready extends FileChange {
  difference: Difference;
}

/** Sends what the person changed: all that is ready in one commit, as far as a commit can hold it. */
export async function giveAll(
  sides: Sides,
  differences: readonly Difference[],
  refused: Refused,
  scope: Scope | undefined,
  findings: Findings,
): Promise<void> {
  const allowed = differences.filter((difference) => {
    const reason = reasonAgainst(difference, scope) ?? reasonOfBefore(difference, refused, sides.now());
    if (reason !== null) findings.leftOut.set(difference.key, reason);
    return reason === null;
  });
  for (const batch of batchesOf(sides, inOrder(allowed), findings)) {
    if (!(await send(sides, batch, refused, findings))) return;
  }
}

/** Names that some system takes for one come together, the deleted one first: a rename by case is one commit. */
function inOrder(differences: readonly Difference[]): Difference[] {
  return differences
    .map((difference) => ({
      difference,
      order: `${pathKey(difference.key)}\0${difference.folder === null ? 0 : 1}`,
    }))
    .sort((one, other) => (one.order < other.order ? -1 : 1))
    .map(({ difference }) => difference);
}

/** Reads the files, as many at a time as one commit may have. A file that changed meanwhile waits for the next pass. */
function* batchesOf(
  sides: Sides,
  differences: readonly Difference[],
  findings: Findings,
): Generator<Ready[]> {
  let batch: Ready[] = [];
  let bytes = 0;
  for (const difference of differences) {
    const { key, folder, wiki } = difference;
    const size = folder?.stat.size ?? 0;
    if (batch.length === limits.filesMost || (batch.length > 0 && bytes + size > MAX_BYTES)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    const content = folder === null ? null : sides.contents.read(folder);
    if (folder !== null && content === null) findings.again = true;
    else {
      bytes += size;
      batch.push({ difference, path: wiki?.path ?? key, version: wiki?.version ?? null, content });
    }
  }
  if (batch.length > 0) yield batch;
}

/** The most bytes of one commit: a call over the network holds no more. */
const MAX_BYTES = 4_000_000;
/** A name that is refused beside another one may be fine later. */
const REFUSED_MS = 10_000;

/** The reason why a change stays in the folder alone, whatever else the wiki has, or null. */
export function reasonAgainst({ key, folder, wiki }: Difference, scope: Scope | undefined): string | null {
  if (scope !== undefined && !liesIn(scope.write, key))
    return 'it may not be changed from here (--scope, --write-scope)';
  const most = key.endsWith('.md') ? limits.pageBytes : limits.attachmentBytes;
  if (folder !== null && (folder.version === TOO_LARGE || folder.stat.size > most)) {
    return `it has over ${most / 1_000_000} MB, the most that a ${key.endsWith('.md') ? 'page' : 'file'} may have`;
  }
  return folder !== null && wiki === null ? refusalAsFile(key) : null;
}

/** The reason for which the wiki refused a change not long ago, or null. */
function reasonOfBefore({ key, folder }: Difference, refused: Refused, nowMs: number): string | null {
  const before = refused.get(key);
  return before?.version === (folder?.version ?? null) && nowMs < before.untilMs ? before.reason : null;
}

/** Makes one commit, or finds out which of its files the wiki refuses. Returns false if the rest has to wait. */
async function send(
  sides: Sides,
  batch: readonly Ready[],
  refused: Refused,
  findings: Findings,
): Promise<boolean> {
  const { state, wiki } = sides;
  state.pending = new Map(batch.map(({ difference: { key, folder } }) => [key, folder?.version ?? null]));
  // Before it is sent: after a crash, these versions in the wiki are known as the person's own.
  await sides.save();
  try {
    await wiki.commitFiles(messageFor(batch), batch);
  } catch (error) {
    const { code, text, data } = toWikiError(error);
    if (code === 'version_conflict') {
      refuseLasting(sides, batch, data.files, refused, findings);
      findings.again = true;
      return false;
    }
    if (!REFUSALS.includes(code)) throw error;
    const [first] = batch;
    if (batch.length === 1 && first !== undefined) {
      refused.set(first.difference.key, refusalOf(first, text.happened, sides.now() + REFUSED_MS));
      findings.leftOut.set(first.difference.key, text.happened);
      return true;
    }
    const half = Math.ceil(batch.length / 2);
    return (
      (await send(sides, batch.slice(0, half), refused, findings)) &&
      (await send(sides, batch.slice(half), refused, findings))
    );
  }
  for (const ready of batch) agree(sides, ready, refused);
  const gone = batch.filter(({ content }) => content === null).length;
  if (gone - (batch.length - gone) >= MANY_GONE) {
    sides.say(
      `${gone} files are gone from the folder, and were deleted in the wiki, whose history has them.`,
    );
  }
  // The list of the wiki follows in the next pass, from the commit that it stands for.
  findings.again = true;
  state.pending.clear();
  await sides.save();
  return true;
}

/** A conflict mostly passes with the next look at the wiki. A file that has the same one again waits, and the others go on. */
function refuseLasting(
  { now }: Sides,
  batch: readonly Ready[],
  files: unknown,
  refused: Refused,
  findings: Findings,
): void {
  const paths = new Set(Array.isArray(files) ? files.map((file: { path?: unknown }) => file.path) : []);
  for (const ready of batch) {
    if (!paths.has(ready.path)) continue;
    const { key, folder } = ready.difference;
    const before = refused.get(key);
    const isLasting = before?.version === (folder?.version ?? null) && before.replaced === ready.version;
    refused.set(key, refusalOf(ready, CONFLICT, isLasting ? now() + REFUSED_MS : 0));
    if (isLasting) findings.leftOut.set(key, CONFLICT);
  }
}

const CONFLICT = 'the wiki has another version of it than the one that it lists';

function refusalOf({ difference: { folder }, version }: Ready, reason: string, untilMs: number): Refusal {
  return { version: folder?.version ?? null, replaced: version, reason, untilMs };
}

function agree({ state }: Sides, { difference: { key, folder } }: Ready, refused: Refused): void {
  refused.delete(key);
  if (folder === null) state.files.delete(key);
  else state.files.set(key, { version: folder.version, stat: folder.stat });
}

/** Codes of what would be refused the next time too. */
const REFUSALS: readonly string[] = ['invalid_path', 'invalid_input', 'too_large', 'forbidden'];

function messageFor(batch: readonly Ready[]): string {
  const name = ({ path }: FileChange) => path.replace(/\.md$/, '');
  const gone = batch.filter(({ content }) => content === null);
  const rest = batch.filter(({ content }) => content !== null);
  const [first, second] = batch;
  if (first === undefined) return 'Save';
  if (batch.length === 1) return `${first.content === null ? 'Delete' : 'Save'} ${name(first)}`;
  if (batch.length === 2 && second !== undefined && gone[0] !== undefined && rest[0] !== undefined) {
    return `Rename ${name(gone[0])} to ${name(rest[0])}`;
  }
  const shown = batch.slice(0, 5).map(name).join(', ');
  const verb = rest.length === 0 ? 'Delete' : 'Save';
  return `${verb} ${batch.length} files: ${shown}${batch.length > 5 ? ` and ${batch.length - 5} more` : ''}`.slice(
    0,
    limits.messageCharacters,
  );
}
