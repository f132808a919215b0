import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { git, gitBytes } from '../../../native-git.ts';
import { quoted } from '../../local-backends.ts';
import { liesIn } from './lies-in.ts';

/** The commits of a whole wiki, and where its model has them. */
export interface Rebuilt {
  /** For each commit of the wiki the one of the model that holds the same files of the scope; null before the first. */
  models: Map<string, string | null>;
  /** Commits of the wiki that changed what may be seen in the scope. */
  own: Set<string>;
  /** Commits of the wiki that changed files outside of the scope as well. */
  reachingOut: ReadonlySet<string>;
  /** Those that also brought files into the scope, which may have come from elsewhere. */
  maybeMovedIn: ReadonlySet<string>;
  /** Commits of the model with several parents. */
  merges: ReadonlySet<string>;
  /**
   * Commits of the model that changed nothing but what nobody may see, quarantined files and symbolic links, each with
   * the newest commit before it that did.
   */
  hidden: ReadonlyMap<string, string | null>;
}

/**
 * Rebuilds the branch of a wiki in an empty repository with the files in the folders alone, by native git. A commit
 * that changes none of them is left out. It uses nothing of what limits a call to a scope.
 */
export function rebuild(whole: string, model: string, folders: readonly string[]): Rebuilt {
  const commits = commitsOf(whole);
  const filesOf = new Map(commits.map(({ oid }) => [oid, filesAt(whole, oid)]));
  const inScope = (path: string) => liesIn(folders, path);
  const marks = new Map<string, number | null>();
  const ancestors = new Map<number, ReadonlySet<number>>();
  const reachingOut = new Set<string>();
  const merges = new Set<number>();
  const hidden = new Map<number, number | null>();
  const own = new Set<string>();
  const maybeMovedIn = new Set<string>();
  const stream = new Stream(whole);
  for (const commit of commits) {
    const [first] = commit.parents;
    const files = filesOf.get(commit.oid) ?? [];
    const before = first === undefined ? [] : (filesOf.get(first) ?? []);
    const [here, hereBefore] = [files, before].map((list) => list.filter(({ path }) => inScope(path)));
    const [out, outBefore] = [files, before].map((list) => list.filter(({ path }) => !inScope(path)));
    if (!isSame(out, outBefore)) {
      reachingOut.add(commit.oid);
      const known = new Set(hereBefore?.map(({ path }) => path));
      if (here?.some(({ path }) => !known.has(path))) maybeMovedIn.add(commit.oid);
    }
    const parents = [...new Set(commit.parents.flatMap((parent) => marks.get(parent) ?? []))];
    const reached = new Set(parents.slice(0, 1).flatMap((mark) => [mark, ...(ancestors.get(mark) ?? [])]));
    const bringsNothing = parents.every((mark) => reached.has(mark));
    if (isSame(here, hereBefore) && bringsNothing) {
      marks.set(commit.oid, parents[0] ?? null);
      continue;
    }
    const message = shownMessage(commit, reachingOut.has(commit.oid));
    const mark = stream.commit({ ...commit, message, parents, files: here ?? [] });
    marks.set(commit.oid, mark);
    ancestors.set(mark, new Set(parents.flatMap((parent) => [parent, ...(ancestors.get(parent) ?? [])])));
    if (parents.length > 1) merges.add(mark);
    if (isSame(here?.filter(isShown), hereBefore?.filter(isShown)))
      hidden.set(mark, shownBefore(hidden, parents));
    else own.add(commit.oid);
  }
  const oids = stream.importInto(model);
  const oidOf = (mark: number | null | undefined) => (mark == null ? null : (oids.get(mark) ?? null));
  const oidsOf = (set: ReadonlySet<number>) => new Set([...set].flatMap((mark) => oidOf(mark) ?? []));
  return {
    models: new Map([...marks].map(([commit, mark]) => [commit, oidOf(mark)])),
    own,
    reachingOut,
    maybeMovedIn,
    merges: oidsOf(merges),
    hidden: new Map([...hidden].map(([mark, before]) => [`${oidOf(mark)}`, oidOf(before)])),
  };
}

function shownBefore(hidden: ReadonlyMap<number, number | null>, [parent]: readonly number[]): number | null {
  const before = parent === undefined ? null : hidden.get(parent);
  return before === undefined ? (parent ?? null) : before;
}

interface WholeCommit {
  oid: string;
  parents: string[];
  author: string;
  committer: string;
  message: string;
  agent: string;
}

interface File {
  mode: string;
  oid: string;
  path: string;
}

/** Oldest first. */
function commitsOf(repository: string): WholeCommit[] {
  const fields = ['%H', '%P', '%an <%ae> %ad', '%cn <%ce> %cd', '%B', '%(trailers:key=Agent)'];
  const format = `--format=${fields.join('%x00')}%x01`;
  const log = git(repository, ['log', '--topo-order', '--reverse', '--date=raw', format, 'main', '--']);
  return log.split('\x01').flatMap((record) => {
    const [oid = '', parents = '', author = '', committer = '', message = '', agent = ''] = record
      .replace(/^\n/, '')
      .split('\0');
    if (oid === '') return [];
    return [{ oid, parents: parents.split(' ').filter(Boolean), author, committer, message, agent }];
  });
}

function filesAt(repository: string, commit: string): File[] {
  return git(repository, ['ls-tree', '-r', '-z', commit])
    .split('\0')
    .filter(Boolean)
    .map((line) => {
      const [facts = '', path = ''] = line.split('\t');
      const [mode = '', , oid = ''] = facts.split(' ');
      return { mode, oid, path };
    });
}

function isShown({ mode, path }: File): boolean {
  return mode.startsWith('100') && !path.endsWith('.gitmodules');
}

function isSame(one: readonly File[] = [], other: readonly File[] = []): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/**
 * The message that a scoped call may see. The model differs here from the wiki on purpose: a message may name files
 * elsewhere, so that of a commit which changed any, of a merge, and of one that brings in a push is kept back.
 */
function shownMessage({ message, parents, agent }: WholeCommit, reachesOut: boolean): string {
  const keptBack = reachesOut
    ? '(Kept back: the commit changed more than what may be seen from here.)'
    : '(Kept back: the commit brings in what git pushed.)';
  const mayBeSeen = !reachesOut && parents.length < 2 && !message.includes('Bring in what git pushed:');
  if (mayBeSeen) return message;
  return agent === '' ? `${keptBack}\n` : `${keptBack}\n\n${agent}`;
}

/** What `git fast-import` reads. */
class Stream {
  readonly #whole: string;
  readonly #blobs = new Map<string, number>();
  readonly #commits: string[] = [];
  #marks = 0;
  #last: number | null = null;

  constructor(whole: string) {
    this.#whole = whole;
  }

  commit({
    author,
    committer,
    message,
    parents,
    files,
  }: Omit<WholeCommit, 'parents'> & { parents: readonly number[]; files: readonly File[] }): number {
    const [first, ...others] = parents;
    const lines = files.map(({ mode, oid, path }) => `M ${mode} ${this.#blob(mode, oid)} ${quoted(path)}\n`);
    this.#marks += 1;
    this.#last = this.#marks;
    this.#commits.push(
      // Otherwise a commit without parents would follow the last one.
      first === undefined ? 'reset refs/heads/main\n\n' : '',
      `commit refs/heads/main\nmark :${this.#marks}\nauthor ${author}\ncommitter ${committer}\n`,
      `data ${Buffer.byteLength(message)}\n${message}\n`,
      first === undefined ? '' : `from :${first}\n`,
      ...others.map((parent) => `merge :${parent}\n`),
      'deleteall\n',
      ...lines,
      '\n',
    );
    return this.#marks;
  }

  /** Returns the commits by their marks. */
  importInto(repository: string): Map<number, string> {
    if (this.#last === null) return new Map();
    const exported = join(repository, 'model-marks');
    const end = `reset refs/heads/main\nfrom :${this.#last}\n\n`;
    const input = Buffer.concat([this.#contents(), Buffer.from(this.#commits.join('') + end)]);
    git(repository, ['fast-import', '--quiet', `--export-marks=${exported}`], input);
    const lines = readFileSync(exported, 'utf8').split('\n').filter(Boolean);
    return new Map(
      lines.map((line) => {
        const [mark = '', oid = ''] = line.split(' ');
        return [Number(mark.slice(1)), oid];
      }),
    );
  }

  #blob(mode: string, oid: string): string {
    const isSubmodule = mode === '160000';
    if (isSubmodule) return oid;
    const known = this.#blobs.get(oid) ?? ++this.#marks;
    this.#blobs.set(oid, known);
    return `:${known}`;
  }

  #contents(): Buffer {
    const oids = [...this.#blobs];
    const input = oids.map(([oid]) => `${oid}\n`).join('');
    const batch = gitBytes(this.#whole, ['cat-file', '--batch'], { input });
    const parts: Buffer[] = [];
    let at = 0;
    for (const [, mark] of oids) {
      const lineEnd = batch.indexOf('\n', at);
      const size = Number(batch.subarray(at, lineEnd).toString().split(' ')[2]);
      const content = batch.subarray(lineEnd + 1, lineEnd + 1 + size);
      parts.push(Buffer.from(`blob\nmark :${mark}\ndata ${size}\n`), content, Buffer.from('\n'));
      at = lineEnd + 1 + size + 1;
    }
    return Buffer.concat(parts);
  }
}
