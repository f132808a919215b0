import { createHash } from 'node:crypto';
import type { Input, Output } from '../../contract/operations.ts';
import type { ArchivedFile } from '../archive.ts';
import { requireContent } from '../given-content.ts';
import { planImport, readArchivedWiki } from '../import-files.ts';
import { historyNeedsNewWiki, notImportable } from '../import-problems.ts';
import { pagePathOf } from '../page-path.ts';
import type { Repository, Snapshot } from '../ports.ts';
import { type DirectorySession, nobodySees } from '../session.ts';
import { emptySnapshot } from '../snapshots.ts';
import { type Apply, type Landed, land, previewOn } from '../write.ts';

export async function importWiki(
  session: DirectorySession,
  input: Input<'import_wiki'>,
): Promise<Output<'import_wiki'>> {
  const content = requireContent('import_wiki', input);
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
  const { files, ignored } = await readArchivedWiki(content, folderPrefix(input.prefix), session.call);
  const apply: Apply = async (base) => ({
    message: input.message ?? `Import ${files.length} files`,
    files: await planImport(base, files, input.replace),
  });
  const landed = await landFiles(session, input, wiki, apply);
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
  };
}

const ignoredNamed = 20;

/** How many of the files the import made other than they were. */
async function changedFiles({ before, after }: Landed, files: readonly ArchivedFile[]): Promise<number> {
  let changed = 0;
  for (const { path } of files) {
    const [old, present] = [await before.entry(path), await after.entry(path)];
    if (old?.oid !== present?.oid) changed += 1;
  }
  return changed;
}

/** Into a wiki that is there, else into a new one that nobody sees before it is complete. */
async function landFiles(
  session: DirectorySession,
  input: Input<'import_wiki'>,
  wiki: string,
  apply: Apply,
): Promise<Landed> {
  const { local_path: _localPath, content, ...rest } = input;
  const what = {
    ...rest,
    content: createHash('sha256')
      .update(content ?? '')
      .digest('hex'),
  };
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

/** A repeated import finds its wiki at the very commit that it brings, or one that came after it. */
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
