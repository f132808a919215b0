import { limits } from '../../../contract/limits.ts';
import type { Input, Output } from '../../../contract/operations.ts';
import { yielding } from '../../../scheduling/yielding.ts';
import { digestOfBytes } from '../../content-hash.ts';
import { pagePathOf } from '../../paths/page-path.ts';
import type { Repository, Snapshot } from '../../ports.ts';
import { describeRetargeted, findRetargeted } from '../../relinking/retargeted.ts';
import { type DirectorySession, nobodySees } from '../../session.ts';
import { type ImportedFile, planImport, readArchivedWiki } from '../../transfer/import-files.ts';
import { historyNeedsNewWiki, notImportable } from '../../transfer/import-problems.ts';
import { emptySnapshot } from '../../writing/empty-snapshot.ts';
import { requireContent } from '../../writing/given-content.ts';
import { type Apply, type Landed, land, previewOn } from '../../writing/write.ts';

export async function importWiki(
  session: DirectorySession,
  input: Input<'import_wiki'>,
): Promise<Output<'import_wiki'>> {
  const content = requireContent('import_wiki', input, session.call);
  if (input.wiki === undefined) await session.directory.requireDefault();
  const wiki = input.wiki ?? session.defaultWiki;
  if (startsWith(content, 'PK')) return importFiles(session, input, wiki, content);
  if (startsWith(content, '# v')) return importHistory(session, input, wiki, content);
  throw notImportable();
}

async function importFiles(
  session: DirectorySession,
  input: Input<'import_wiki'>,
  wiki: string,
  content: Uint8Array,
): Promise<Output<'import_wiki'>> {
  const prefix = folderPrefix(input.prefix);
  const most = session.host.unpackedBytes ?? limits.importBytes;
  const { files, ignored } = await readArchivedWiki(content, prefix, session.call, most);
  const apply: Apply = async (base) => ({
    message: input.message ?? `Import ${files.length} files`,
    files: await planImport(base, files, input.replace),
  });
  const landed = await landFiles(session, input, wiki, content, apply);
  const changes = await changedFiles(landed, files);
  const pages = files.filter((file) => pagePathOf(file.path) !== null).length;
  return {
    wiki,
    kind: 'files',
    commit: landed.commit,
    changed: landed.changed,
    commits: landed.changed && !input.dry_run ? 1 : 0,
    pages,
    attachments: files.length - pages,
    changes,
    ignored: ignored.slice(0, ignoredNamed),
    ignored_total: ignored.length,
    ...(await retargetedBy(session, wiki, landed, files)),
  };
}

/** In a new wiki no link can have led elsewhere before. */
async function retargetedBy(
  { directory }: DirectorySession,
  wiki: string,
  landed: Landed,
  files: readonly ImportedFile[],
) {
  if (!landed.changed || landed.before.commit === null) return {};
  const { index } = await directory.open(wiki);
  const paths = files.map(({ path }) => path);
  return describeRetargeted(await findRetargeted(index, landed, paths, 'given'));
}

const ignoredNamed = 20;

/** The number of files that the import changed. */
async function changedFiles({ before, after }: Landed, files: readonly ImportedFile[]): Promise<number> {
  let changed = 0;
  const yieldIfDue = yielding();
  for (const { path } of files) {
    await yieldIfDue();
    const [old, present] = [await before.entry(path), await after.entry(path)];
    if (old?.oid !== present?.oid) changed += 1;
  }
  return changed;
}

/** Imports into an existing wiki, or into a new one that nobody sees before it is complete. */
async function landFiles(
  session: DirectorySession,
  input: Input<'import_wiki'>,
  wiki: string,
  content: Uint8Array,
  apply: Apply,
): Promise<Landed> {
  const { local_path: _localPath, ...rest } = input;
  const what = { ...rest, content: await digestOfBytes(content) };
  const landOn = (repository: Repository, { committed }: typeof nobodySees = session) =>
    land({ ...session, committed, repository }, 'import_wiki', what, apply);
  const isThere = (await session.directory.names()).includes(wiki);
  if (input.dry_run) {
    return previewOn(isThere ? (await session.directory.open(wiki)).repository : emptyRepository, apply);
  }
  if (!isThere) {
    const made: Landed[] = [];
    const isMade = await session.directory.create(wiki, async (repository) => {
      made.push(await landOn(repository, nobodySees));
    });
    if (isMade && made[0] !== undefined) return made[0];
  }
  return landOn((await session.directory.open(wiki)).repository);
}

const emptyRepository: { head(): Promise<Snapshot> } = { head: async () => emptySnapshot };

/** A repeated import finds its wiki at the very commit that it brings, or at a later one. */
async function importHistory(
  { directory, call }: DirectorySession,
  input: Input<'import_wiki'>,
  wiki: string,
  bundle: Uint8Array,
): Promise<Output<'import_wiki'>> {
  const imported = await directory.importBundle(wiki, bundle, { dryRun: input.dry_run, call });
  const isThere = input.dry_run ? (await directory.names()).includes(wiki) : !imported.isMade;
  if (isThere && !(await holds((await directory.open(wiki)).repository, imported.tip))) {
    throw historyNeedsNewWiki(wiki);
  }
  const { tip: commit, commits, files } = imported;
  const pages = files.filter((path) => pagePathOf(path) !== null).length;
  return {
    wiki,
    kind: 'history',
    commit,
    changed: true,
    commits,
    pages,
    attachments: files.length - pages,
    changes: files.length,
    ignored: [],
    ignored_total: 0,
  };
}

async function holds(repository: Repository, tip: string): Promise<boolean> {
  const { commit } = await repository.head();
  if (commit === null) return false;
  for await (const { oid } of repository.log(commit)) if (oid === tip) return true;
  return false;
}

function folderPrefix(prefix: string | undefined): string {
  return prefix === undefined || prefix === '' || prefix.endsWith('/') ? (prefix ?? '') : `${prefix}/`;
}

function startsWith(bytes: Uint8Array, text: string): boolean {
  return Buffer.from(bytes.subarray(0, text.length)).toString('latin1') === text;
}
