import { execFileSync } from 'node:child_process';
import { bareRepository, git } from '../native-git.ts';
import { bundleOfPack, ObjectHeap, packOf, type RawEntry, repeatingDelta, sealed } from './bundles.ts';

/** A source of chance that gives the same again for the same seed. */
export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 to `most - 1`. */
  below(most: number): number {
    this.#state = (Math.imul(this.#state ^ (this.#state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0;
    const mixed = Math.imul(this.#state ^ (this.#state >>> 12), 0x297a2d39) >>> 0;
    return ((mixed ^ (mixed >>> 15)) >>> 0) % most;
  }

  pick<T>(of: readonly T[]): T {
    return of[this.below(of.length)] as T;
  }
}

/** Bundles of native git, with deltas of both kinds, tags, merges, links and submodules. */
export function realBundles(): Buffer[] {
  const repository = bareRepository();
  const stream = Array.from({ length: 30 }, (_, at) => {
    const text = Array.from({ length: at + 30 }, (__, line) => `line ${line} ${line % 7}\n`).join('');
    const head = `commit refs/heads/main\nmark :${at + 1}\nauthor Ä <a@example.org> ${1_700_000_000 + at} +0200\ncommitter S <s@example.org> ${1_700_000_000 + at} -0330\ndata 2\nm\n`;
    const merge = at === 20 ? 'from :20\nmerge :5\n' : '';
    return `${head}${merge}M 100644 inline a/Log.md\ndata ${text.length}\n${text}\nM 120000 inline link\ndata 6\na/Log.\nM 160000 ${'c'.repeat(40)} sub\nM 100644 inline "日本 ${at % 5}.md"\ndata 1\nx\n`;
  });
  git(repository, ['fast-import', '--quiet'], stream.join(''));
  git(repository, ['tag', '-a', 'v1', '-m', 'a tag', 'main~3']);
  git(repository, ['repack', '-adqf', '--depth=20']);
  return [['HEAD', 'main'], ['--all'], ['main~20']].map((what) => {
    const args = ['bundle', 'create', '--quiet', '-', ...(what[0] === 'main~20' ? ['HEAD', 'main'] : what)];
    return execFileSync('git', args, { cwd: repository, maxBuffer: 2 ** 28 });
  });
}

/** One input of the fuzzer, and of what kind it is. */
export function nextInput(chance: Chance, real: readonly Buffer[]): { kind: string; bytes: Buffer } {
  const kind = chance.pick(['bytes', 'sealed bytes', 'tree', 'objects', 'entries', 'bombs'] as const);
  if (kind === 'bytes') return { kind, bytes: changed(chance, chance.pick(real)) };
  if (kind === 'sealed bytes') return { kind, bytes: resealed(chance, chance.pick(real)) };
  if (kind === 'tree') return { kind, bytes: hostileTree(chance) };
  if (kind === 'objects') return { kind, bytes: hostileObjects(chance) };
  return { kind, bytes: kind === 'entries' ? hostileEntries(chance) : bomb(chance) };
}

function changed(chance: Chance, bytes: Uint8Array): Buffer {
  let out = Buffer.from(bytes);
  for (let edits = chance.below(4); edits >= 0; edits -= 1) {
    const at = chance.below(out.length);
    const edit = chance.below(4);
    if (edit === 0) out[at] = chance.below(256);
    else if (edit === 1) out = Buffer.concat([out.subarray(0, at), out.subarray(at + 1 + chance.below(8))]);
    else if (edit === 2)
      out = Buffer.concat([out.subarray(0, at), Buffer.from([chance.below(256)]), out.subarray(at)]);
    else if (chance.below(4) === 0) out = out.subarray(0, at);
    if (out.length === 0) return Buffer.from('# v2 git bundle\n');
  }
  return out;
}

/** The same with a checksum that is right again, so that what follows it is looked at. */
function resealed(chance: Chance, bundle: Buffer): Buffer {
  const at = bundle.indexOf('\n\n') + 2;
  return Buffer.concat([bundle.subarray(0, at), sealed(changed(chance, bundle.subarray(at, -20)))]);
}

const NAME_PARTS = [
  '.',
  '..',
  '.git',
  '.GIT',
  'git',
  '~1',
  '~2',
  ' ',
  ':',
  '\\',
  '/',
  'a',
  'x.md',
  'con',
  'modules',
];
const NAMES = [
  ...NAME_PARTS,
  '.gitmodules',
  '.gitattributes',
  'gi7eba',
  '\xe2\x80\x8c',
  '\xef\xbb\xbf',
  '\xff',
  '日',
  '',
  '\n',
];
const MODES = [
  '100644',
  '100644',
  '100644',
  '100755',
  '40000',
  '40000',
  '120000',
  '160000',
  '0100644',
  '100664',
  '20000',
];
const FILES = [
  'text',
  '[submodule "a"]\n\tpath = a\n\turl = -x\n',
  '[submodule ".."]\nurl = a\n',
  `${'x'.repeat(3_000)}\n`,
];

function hostileTree(chance: Chance): Buffer {
  const heap = new ObjectHeap();
  let tree = heap.tree([]);
  for (let folders = 1 + chance.below(3); folders > 0; folders -= 1) {
    const entries = Array.from({ length: chance.below(5) }, () => {
      const name = Array.from({ length: 1 + chance.below(3) }, () => chance.pick(NAMES)).join('');
      const mode = chance.pick(MODES);
      const oid = mode === '40000' ? tree : heap.add('blob', chance.pick(FILES));
      return [mode, name.replaceAll('\0', ''), oid] as const;
    });
    const key = ([mode, name]: readonly [string, string, string]) => (mode === '40000' ? `${name}/` : name);
    const isSorted = chance.below(8) > 0;
    tree = heap.tree(isSorted ? entries.sort((a, b) => (key(a) < key(b) ? -1 : 1)) : entries);
  }
  return heap.bundle(heap.commit(tree));
}

const LINES = [
  'tree ',
  'parent ',
  'author ',
  'committer ',
  'object ',
  'type ',
  'tag ',
  'tagger ',
  'gpgsig ',
  'encoding ',
];
const PEOPLE = [
  'A <a@b.c> 1 +0000',
  'A<a> 1 +0000',
  '<a> 1 +0000',
  'A <a 1 +0000',
  'A <a> 01 +0000',
  'A <a> 99999999999999999999 +0000',
  'A <a> 8640000000001 +9999',
];

function hostileObjects(chance: Chance): Buffer {
  const heap = new ObjectHeap();
  const page = heap.add('blob', 'a page\n');
  const tree = heap.tree([['100644', 'Home.md', page]]);
  const parent = heap.commit(tree);
  const lines = [`tree ${tree}`, `parent ${parent}`, `author ${PEOPLE[0]}`, `committer ${PEOPLE[0]}`];
  for (let edits = chance.below(3); edits > 0; edits -= 1) {
    const line = `${chance.pick(LINES)}${chance.pick([tree, parent, page, 'a'.repeat(40), ...PEOPLE])}`;
    lines.splice(chance.below(lines.length + 1), chance.below(2), line);
  }
  const message = chance.pick(['m\n', '', 'a\0b', '\xff']);
  const tip = heap.add('commit', Buffer.from(`${lines.join('\n')}\n\n${message}`, 'latin1'));
  if (chance.below(3) === 0)
    heap.add(
      'tag',
      `object ${chance.pick([tip, page])}\ntype ${chance.pick(['commit', 'blob', 'x'])}\ntag v\ntagger ${chance.pick(PEOPLE)}\n\nm\n`,
    );
  return heap.bundle(chance.pick([tip, tip, tip, page, tree]));
}

function hostileEntries(chance: Chance): Buffer {
  const heap = new ObjectHeap();
  const tip = heap.commit(heap.tree([['100644', 'Home.md', heap.add('blob', 'x'.repeat(100))]]));
  const entries: RawEntry[] = heap.objects.map(({ type, content }) => ({ kind: type, content }));
  for (let more = chance.below(4); more > 0; more -= 1) {
    const delta = repeatingDelta(chance.pick([100, 1, 0, 65_535]), chance.below(5));
    const distance = chance.pick([0, 1, 30, 100, 2 ** 30]);
    entries.splice(chance.below(entries.length), 0, {
      kind: 'offset_delta',
      content: changed(chance, delta),
      distance,
    });
  }
  const entry = chance.pick(entries);
  if (chance.below(2) === 0) entry.says = chance.pick([0, 1, 2 ** 31, 2 ** 45, entry.content.length + 1]);
  const says = chance.below(4) === 0 ? chance.pick([0, 2 ** 32 - 1, entries.length + 1]) : entries.length;
  return bundleOfPack(tip, packOf(entries, says));
}

function bomb(chance: Chance): Buffer {
  const heap = new ObjectHeap();
  let tree = heap.tree([['100644', 'a.md', heap.add('blob', 'x')]]);
  // Either few files or far too many.
  const [levels, times] = chance.pick([
    [3, 4],
    [40, 2],
    [20, 4],
    [30, 1],
    [300, 1],
  ] as const);
  for (let level = 0; level < levels; level += 1) {
    tree = heap.tree(
      Array.from(
        { length: times },
        (_, at) => ['40000', `${at}${'n'.repeat(chance.below(200))}`, tree] as const,
      ),
    );
  }
  const other = heap.tree([]);
  let tip = heap.commit(tree);
  for (let commits = chance.below(20); commits > 0; commits -= 1)
    tip = heap.commit(chance.pick([tree, other]), [tip]);
  return heap.bundle(tip);
}
