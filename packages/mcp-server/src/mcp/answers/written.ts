import type { Output } from '@pagetree/wiki/contract';
import { block, commitName, lines, names, quoted } from './lines.ts';

type Written = Output<'write_page'>;
type Moved = Output<'move_page'>;
type Batch = Output<'commit_changes'>;

/** Without the diff of a page just created: the caller wrote each line of it. */
export function writtenText(written: Written): string {
  const { path, version, previous_version, diff } = written;
  return lines(
    `${state(written)} ${quoted(path)}${versionOf(version)}`,
    sideEffects(written),
    diff !== '' && previous_version !== null && block(diff),
  );
}

export function movedText(moved: Moved): string {
  return lines(`moved from ${quoted(moved.previous_path)}`, movedAlong(moved), writtenText(moved));
}

export function deletedText(deleted: Output<'delete_page'> | Output<'delete_attachment'>): string {
  const { broken_links, broken_total } = deleted;
  return lines(
    `${state(deleted)} deleted ${quoted(deleted.path)}`,
    broken_total > 0 && `links to it that lead nowhere now (${broken_total}):`,
    'updated_pages' in deleted && movedAlong(deleted),
    broken_links.map(({ path, line }) => `- ${quoted(path)} line ${line}`),
    sideEffects(deleted),
  );
}

export function putText(file: Output<'put_attachment'>): string {
  return lines(
    `${state(file)} ${quoted(file.path)}${versionOf(file.version)}, ${file.size} bytes`,
    sideEffects(file),
  );
}

export function batchText(batch: Batch): string {
  const { pages, total } = batch;
  return lines(
    state(batch),
    total > pages.length && `${pages.length} of ${total} pages are shown`,
    movedAlong(batch),
    sideEffects(batch),
    pages.map(batchPage),
  );
}

function batchPage(page: Batch['pages'][number]): string {
  const { path, previous_path, version, previous_version, diff } = page;
  const from = previous_path === undefined ? '' : ` from ${quoted(previous_path)}`;
  return lines(
    `- ${quoted(path)}${from}${version === null ? ' deleted' : versionOf(version)}`,
    diff !== '' && version !== null && previous_version !== null && block(diff),
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
    ...(updated_total > 0 ? [`links rewritten in ${names(updated_pages, updated_total)}`] : []),
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
