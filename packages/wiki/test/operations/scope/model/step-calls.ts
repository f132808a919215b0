import { treePathOf } from '../../../../src/core/paths/page-path.ts';
import { linkSteps } from '../../../../src/core/text/markdown/markdown-links.ts';
import { atOnce } from '../../../../src/scheduling/in-turns.ts';
import { zipOf } from '../../archives.ts';
import type { Question } from './comparison.ts';
import type { BatchChange, Single, Step } from './random-steps.ts';
import { at, type State } from './wiki-state.ts';

/** The call of a step; null if there is nothing to change. */
export function callOf(state: State, change: Exclude<Step, { by: 'git' }>['change']): Question | null {
  if (change.op === 'batch') {
    const changes = change.changes.flatMap((each) => batched(state, each) ?? []);
    return { name: 'commit_changes', input: { message: 'Several, by zebras', changes } };
  }
  const files = filesCall(state, change);
  if (files !== null) return files;
  const page = at(state.pages, 'page' in change ? change.page : 0);
  return page && pageCall(state, page, change);
}

type SingleChange = Exclude<Step, { by: 'git' }>['change'] & { op: BatchChange['op'] | Single['op'] };

/** The call of a step that names files or commits; null if it is one of a page, or if there is no such file. */
function filesCall(state: State, change: SingleChange): Question | null {
  switch (change.op) {
    case 'put file': {
      const input = { path: `${change.place}.png`, content: btoa(`${change.content}`) };
      return { name: 'put_attachment', input };
    }
    case 'delete file': {
      const file = at(state.files, change.page);
      return file && { name: 'delete_attachment', input: { ...file } };
    }
    case 'commit files':
      return commitFilesCall(state, change.files);
    case 'import': {
      const { prefix, replace } = change;
      return { name: 'import_wiki', input: { content: at(ZIPS, change.zip), prefix, replace } };
    }
    case 'revert':
      return { name: 'revert_commit', input: { commit: at(state.commits, change.commit) } };
    case 'undo': {
      const commit = at(state.commits, change.commit);
      return {
        name: 'undo_changes',
        input: change.by === null ? { commit } : { ...change.by, since: commit },
      };
    }
    default:
      return null;
  }
}

function commitFilesCall(state: State, files: (Single & { op: 'commit files' })['files']): Question {
  const contents = files.flatMap(({ content }) => content ?? []);
  const named = files.map(({ place, content }) => ({
    path: treePathOf(place),
    version: state.pages.find(({ path }) => path === place)?.version ?? null,
    size: content === null ? null : Buffer.byteLength(content),
  }));
  const content = Buffer.from(contents.join('')).toString('base64');
  return {
    name: 'commit_files',
    input: { files: named, content: contents.length > 0 ? content : undefined },
  };
}

const ZIPS = await Promise.all(
  [
    { 'Tea.md': '# Imported tea\n\n[[Plan]] and [[Guide#Part]]\n', 'Guide.md': '# Part\n' },
    { 'Deep/Home.md': 'A home that was imported, with ![[leaf.png]]\n', 'Deep/leaf.png': 'a leaf' },
    { 'Plan.md': '---\naliases: [Other]\n---\nAn imported plan.\n', '.hidden/Page.md': 'hidden\n' },
  ].map(zipOf),
);

/** The call of a step that changes a page. */
function pageCall(state: State, page: State['pages'][number], change: SingleChange): Question | null {
  const { path } = page;
  switch (change.op) {
    case 'restore':
      return { name: 'restore_page', input: { path, commit: at(state.commits, change.commit) } };
    case 'frontmatter':
      return { name: 'update_frontmatter', input: { path, set: { aliases: [change.alias] } } };
    case 'edit': {
      const edits = [{ old_string: 'This is line 3 of', new_string: `${change.content}This was line 3 of` }];
      return { name: 'edit_page', input: { path, edits } };
    }
    case 'edit section': {
      const { heading, operation, content } = change;
      return {
        name: 'edit_section',
        input: { path, heading, operation, content, include_subsections: true },
      };
    }
    case 'fix link':
    case 'link mention':
      return fixCall(state, page, change);
    case 'put file':
    case 'delete file':
    case 'commit files':
    case 'import':
    case 'revert':
    case 'undo':
      return null;
    default: {
      const only = batched(state, change);
      if (only === null) return null;
      const { op, ...input } = only;
      if (op === 'merge') return { name: 'commit_changes', input: { message: 'Merge', changes: [only] } };
      return { name: OPERATIONS[op], input };
    }
  }
}

/** Lets a link of the page lead to another page, or makes it plain text; or makes a link of words that name one. */
function fixCall(
  state: State,
  { path, version, text }: State['pages'][number],
  change: Single & { op: 'fix link' | 'link mention' },
): Question | null {
  const isMention = change.op === 'link mention';
  const words = [...text.matchAll(/\b(?:plan|Plan|Tea|zebra|alias)\b/g)].map(({ 0: target, index }) => ({
    target,
    line: text.slice(0, index).split('\n').length,
  }));
  const place = at(isMention ? words : atOnce(linkSteps(text)), change.which);
  const to = change.to === null ? undefined : at(state.pages, change.to)?.path;
  if (place === null) return null;
  const { target, line } = place;
  const mention = isMention || undefined;
  return { name: 'fix_link', input: { path, version, line, target, to, mention } };
}

const OPERATIONS = {
  write: 'write_page',
  append: 'append_to_page',
  move: 'move_page',
  delete: 'delete_page',
} as const;

type Batched = { op: keyof typeof OPERATIONS | 'merge'; path: string } & Record<string, unknown>;

function batched(state: State, change: BatchChange): Batched | null {
  const page = at(state.pages, change.page);
  if (page === null) return null;
  const { path, version } = page;
  switch (change.op) {
    case 'write': {
      const place = change.place ?? path;
      const present = state.pages.find((each) => each.path === place);
      return { op: 'write', path: place, content: change.content, version: present?.version };
    }
    case 'append':
      return { op: 'append', path, content: change.content };
    case 'move':
      return { op: 'move', path, new_path: change.new_path };
    case 'move folder': {
      const folder = path.slice(0, path.lastIndexOf('/') + 1);
      if (folder === '' || change.to === '') return null;
      return { op: 'move', path: folder, new_path: `${change.to}/` };
    }
    case 'merge':
      return { op: 'merge', path, new_path: at(state.pages, change.into)?.path ?? path };
    case 'delete':
      return { op: 'delete', path, version };
  }
}
