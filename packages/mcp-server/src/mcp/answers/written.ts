import type { Output } from '@pagetree/wiki/contract';
import { pathNames } from './folders.ts';
import { block, commitName, lines, quoted } from './lines.ts';

type Written = Output<'write_page'>;
type Moved = Output<'move_page'>;
type Batch = Output<'commit_changes'>;
type Deleted = Output<'delete_page'> | Output<'delete_attachment'>;

/** Without the diff of a page just created: the caller wrote each line of it. */
export function writtenText(written: Written): string {
  const { previous_version, diff } = written;
  return lines(factsOf(written), diff !== '' && previous_version !== null && block(diff));
}

/** Also without the diff of lines that the caller gave, with the place where they go. */
export function changedText(written: Written, asked: Given): string {
  const isKnown = written.commit !== null && givesAllLines(asked);
  return isKnown ? lines(factsOf(written)) : writtenText(written);
}

/** The arguments of a call or of one change of a batch. */
type Given = Record<string, unknown>;

/** False if the change takes away lines, or replaces texts, that the caller need not have seen. */
function givesAllLines({ edits, operation, position }: Given): boolean {
  const isExact = edits === undefined || (Array.isArray(edits) && edits.every((edit) => !edit?.replace_all));
  return isExact && operation !== 'replace' && position !== 'replace';
}

function factsOf(written: Written): string[] {
  const { path, version } = written;
  return [`${state(written)} ${quoted(path)}${versionOf(version)}`, ...sideEffects(written)];
}

export function movedText(moved: Moved): string {
  return lines(`moved from ${quoted(moved.previous_path)}`, movedAlong(moved), writtenText(moved));
}

export function deletedText(deleted: Deleted): string {
  const { broken_links, broken_total } = deleted;
  return lines(
    `${state(deleted)} deleted ${quoted(deleted.path)}`,
    broken_total > 0 && `links to it that lead nowhere now (${broken_total}):`,
    'updated_pages' in deleted && movedAlong(deleted),
    broken_links.map(({ path, line }) => `- ${quoted(path)} line ${line}`),
    sideEffects(withoutBroken(deleted)),
  );
}

/** Without the links to the page itself, which are said to be broken. */
function withoutBroken({
  broken_links,
  retargeted = [],
  retargeted_total = 0,
  links_elsewhere,
}: Deleted): Elsewhere {
  const others = retargeted.filter(
    ({ page, new_target }) => new_target !== null || !broken_links.some(({ path }) => path === page),
  );
  const total = retargeted_total && retargeted_total - (retargeted.length - others.length);
  return { retargeted: others, retargeted_total: total, links_elsewhere };
}

export function putText(file: Output<'put_attachment'>): string {
  return lines(
    `${state(file)} ${quoted(file.path)}${versionOf(file.version)}, ${file.size} bytes`,
    sideEffects(file),
  );
}

export function batchText(batch: Batch, { changes }: Given): string {
  const { pages, total } = batch;
  return lines(
    state(batch),
    total > pages.length && `${pages.length} of ${total} pages are shown`,
    movedAlong(batch),
    sideEffects(batch),
    pages.map((page) => batchPage(page, batch.commit !== null && isGiven(page.path, changes))),
  );
}

/** True if the batch appended to the page or edited it, by lines that the caller gave, and did nothing else to it. */
function isGiven(path: string, changes: unknown): boolean {
  const own: Given[] = Array.isArray(changes) ? changes.filter((change) => change?.path === path) : [];
  const isPart = ({ op }: Given) => op === 'append' || op === 'edit' || op === 'section';
  return own.length > 0 && own.every((change) => isPart(change) && givesAllLines(change));
}

function batchPage(page: Batch['pages'][number], isKnown: boolean): string {
  const { path, previous_path, version, previous_version, diff } = page;
  const from = previous_path === undefined ? '' : ` from ${quoted(previous_path)}`;
  return lines(
    `- ${quoted(path)}${from}${version === null ? ' deleted' : versionOf(version)}`,
    !isKnown && diff !== '' && version !== null && previous_version !== null && block(diff),
  );
}

export function revertText(revert: Output<'revert_commit'>): string {
  const { reverted, pages, pages_total } = revert;
  return lines(
    `${state(revert)} undoes ${commitName(reverted)}`,
    pages_total > pages.length && `${pages.length} of ${pages_total} pages are shown`,
    pages.map(({ path, action }) => `- ${action} ${quoted(path)}`),
    sideEffects(revert),
  );
}

function state({ commit, changed }: { commit: string | null; changed: boolean }): string {
  if (!changed) return `unchanged${commit === null ? '' : `, commit ${commitName(commit)}`}`;
  return commit === null ? 'only planned, not written:' : `commit ${commitName(commit)}`;
}

function versionOf(version: string | null): string {
  return version === null ? '' : ` version ${version}`;
}

interface Along {
  updated_pages?: readonly string[] | undefined;
  updated_total?: number | undefined;
  moved_files?: Moved['moved_files'];
  moved_files_total?: number | undefined;
}

function movedAlong({
  updated_pages = [],
  updated_total = 0,
  moved_files = [],
  moved_files_total,
}: Along): string[] {
  const files = moved_files.map(({ path, previous_path }) => `- ${quoted(previous_path)} to ${quoted(path)}`);
  return [
    ...(updated_total > 0 ? [`links rewritten in ${pathNames(updated_pages, updated_total)}`] : []),
    ...(files.length > 0 ? [`files moved along (${moved_files_total ?? files.length}):`, ...files] : []),
  ];
}

type Elsewhere = Pick<Written, 'retargeted' | 'retargeted_total' | 'links_elsewhere'>;

/** The links on other pages that lead elsewhere now. */
function sideEffects({ retargeted = [], retargeted_total, links_elsewhere }: Elsewhere): string[] {
  const rows = retargeted.map(
    ({ page, link, old_target, new_target }) =>
      `- ${quoted(page)} ${quoted(link)}: ${target(old_target)} became ${target(new_target)}`,
  );
  return [
    ...(retargeted_total === null
      ? ['It is not known whether links on other pages lead elsewhere now.']
      : []),
    ...(rows.length > 0
      ? [`links on other pages that lead elsewhere now (${retargeted_total}):`, ...rows]
      : []),
    ...(links_elsewhere === undefined ? [] : [links_elsewhere]),
  ];
}

function target(path: string | null): string {
  return path === null ? 'nothing' : quoted(path);
}
