import { execFile } from 'node:child_process';
import { join } from 'node:path';
import {
  entryLength,
  lengthBytes,
  ObjectHeap,
  packOf,
  type RawEntry,
  repeatingDelta,
  sealed,
} from '../../../../wiki/test/git-input/bundles.ts';
import { git } from '../../git.ts';
import { type Attack, callTool, type Outcome } from '../attack.ts';
import { everyAttack } from '../large-wikis/attacks-config.ts';

const NO_OID = '0'.repeat(40);
const REFUSED = ['refused by git'];
/** The calls that follow a push: see `readAll`. */
const CALLS_AFTER = 4;
const OLD = 'text that the wiki has\n';

/** A push byte by byte: the client's line about the branch, and its pack. */
interface Push {
  pack: Buffer;
  ref?: string;
  from: string;
  to: string;
}

interface Wiki {
  head: string;
  /** The id of the page Old, whose text is `OLD`. */
  old: string;
}

/** Git's id of a page with this content. */
const idOf = (content: Uint8Array | string) => new ObjectHeap().add('blob', content);

const onBase = (base: string, content: Uint8Array): RawEntry => ({ kind: 'ref_delta', base, content });
const copyOf = (length: number) => repeatingDelta(length, 1);

/** A delta that keeps all of its base, and adds a letter. */
function oneMore(length: number): Buffer {
  const copied = [0xb0, length & 0xff, (length >> 8) & 0xff];
  return Buffer.concat([lengthBytes(length), lengthBytes(length + 1), Buffer.from([...copied, 1, 0x61])]);
}

/** A commit on main that adds a page with this content. `page` makes the page's entry in the pack. */
function ofPage({ head, old }: Wiki, content: Uint8Array | string, page: readonly RawEntry[]): Push {
  const heap = new ObjectHeap();
  const files = [
    ['100644', 'Old.md', old],
    ['100644', 'Pushed.md', idOf(content)],
  ] as const;
  const to = heap.commit(heap.tree(files), [head]);
  const entries = heap.objects.map((object): RawEntry => ({ kind: object.type, content: object.content }));
  return { from: head, to, pack: packOf([...entries, ...page]) };
}

/** A chain of deltas, each with one letter more than the one before; the last one is the page. */
function chain(wiki: Wiki, depth: number, bytes: number): Push {
  const first: RawEntry = { kind: 'blob', content: Buffer.alloc(bytes, 'b') };
  const deltas = [first];
  for (let at = 0; at < depth; at += 1) {
    const distance = entryLength(deltas.at(-1) as RawEntry);
    deltas.push({ kind: 'offset_delta', distance, content: oneMore(bytes + at) });
  }
  return ofPage(wiki, `${'b'.repeat(bytes)}${'a'.repeat(depth)}`, deltas);
}

const pushes: Record<string, [make: (wiki: Wiki) => Push, answers: readonly string[]]> = {
  'a thin pack on a page of the wiki': [
    (wiki) => ofPage(wiki, `${OLD}a`, [onBase(wiki.old, oneMore(OLD.length))]),
    ['ok'],
  ],
  'a thin pack on what nobody has': [
    (wiki) => ofPage(wiki, 'x', [onBase('a'.repeat(40), oneMore(3))]),
    REFUSED,
  ],
  'a thin pack on another kind of object': [
    (wiki) => ofPage(wiki, 'x', [onBase(wiki.head, oneMore(200))]),
    REFUSED,
  ],
  'a delta on itself, by its id': [
    (wiki) => ofPage(wiki, 'text', [onBase(idOf('text'), copyOf(4))]),
    REFUSED,
  ],
  'a delta on itself, by no distance': [
    (wiki) => ofPage(wiki, 'text', [{ kind: 'offset_delta', distance: 0, content: copyOf(4) }]),
    REFUSED,
  ],
  'two deltas on each other': [
    (wiki) => ofPage(wiki, 'text', [onBase(idOf('texta'), copyOf(4)), onBase(idOf('text'), oneMore(4))]),
    REFUSED,
  ],
  'a circle of 1,000 deltas': [
    (wiki) => {
      const deltas = Array.from({ length: 1_000 }, (_, at) => onBase(idOf(`${(at + 1) % 1_000}`), copyOf(1)));
      return ofPage(wiki, '0', deltas);
    },
    REFUSED,
  ],
  '60 deltas on one another': [(wiki) => chain(wiki, 60, 4), ['ok']],
  '4,000 deltas on one another, of 60 kB each': [(wiki) => chain(wiki, 4_000, 60_000), ['ok', 'too_large']],
  'a page of 150 MB that is a delta of 10 kB': [
    (wiki) => {
      const base: RawEntry = { kind: 'blob', content: Buffer.alloc(60_000, 'x') };
      const content = repeatingDelta(60_000, 2_500);
      const delta: RawEntry = { kind: 'offset_delta', distance: entryLength(base), content };
      return ofPage(wiki, Buffer.alloc(150_000_000, 'x'), [base, delta]);
    },
    ['ok', 'too_large'],
  ],
  'ten million empty folders': [
    (wiki) => besideOld(wiki, (heap) => folders(heap, heap.tree([]), 7, 10)),
    ['not_found', 'too_large'],
  ],
  'folders 8,000 deep': [
    (wiki) => besideOld(wiki, (heap) => folders(heap, heap.tree([['100644', 'a.md', wiki.old]]), 8_000, 1)),
    ['not_found'],
  ],
  'a merge of 5,000 commits': [mergeOfMany, ['not_found']],
  '2,000 merges of two branches with each other': [mergesOfEachOther, ['not_found']],
  'a message of 36 MB': [
    (wiki) => ofCommit(wiki, { message: 'lorem ipsum\n'.repeat(3_000_000) }),
    ['not_found'],
  ],
  // The two that take longest, each much like another here.
  ...(everyAttack && {
    'ten million submodules': [
      (wiki: Wiki) =>
        besideOld(wiki, (heap) => folders(heap, heap.tree([['160000', 's', 'c'.repeat(40)]]), 7, 10)),
      ['not_found', 'too_large'],
    ],
    'an author of 36 MB': [
      (wiki: Wiki) => ofCommit(wiki, { who: `${'A'.repeat(36_000_000)} <a@b.c> 1700000000 +0000` }),
      ['not_found', ...REFUSED],
    ],
  }),
  'headers of 36 MB': [
    (wiki) => ofCommit(wiki, { who: `A <a@b.c> 1700000000 +0000${'\nx yz'.repeat(7_200_000)}` }),
    ['not_found', ...REFUSED],
  ],
  'a page that is not sent': [(wiki) => ofPage(wiki, 'x', []), REFUSED],
  'fewer objects than it says': [(wiki) => withCount(fine(wiki), 5), REFUSED],
  '4 billion objects': [(wiki) => withCount(fine(wiki), 2 ** 32 - 1), REFUSED],
  'a checksum that is wrong': [withOtherChecksum, REFUSED],
  'a pack that is cut off': [(wiki) => ending(wiki, -30, Buffer.of()), REFUSED],
  'no pack': [(wiki) => ({ ...fine(wiki), pack: Buffer.of() }), REFUSED],
  'a branch that is a path': [
    (wiki) => ({ ...fine(wiki), from: NO_OID, ref: 'refs/heads/../../evil' }),
    REFUSED,
  ],
  'a branch that is a lock': [(wiki) => ({ ...fine(wiki), from: NO_OID, ref: 'refs/heads/x.lock' }), REFUSED],
  'an end of main': [(wiki) => ({ from: wiki.head, to: NO_OID, pack: Buffer.of() }), REFUSED],
  'a replacement of the newest commit': [
    (wiki) => ({ ...fine(wiki), from: NO_OID, ref: `refs/replace/${wiki.head}` }),
    REFUSED,
  ],
  'a ref of the wiki itself': [
    (wiki) => ({ ...fine(wiki), from: NO_OID, ref: 'refs/pagetree/external/x' }),
    ['not_found', ...REFUSED],
  ],
};

/** A commit on main with a folder beside the page Old. */
function besideOld({ head, old }: Wiki, make: (heap: ObjectHeap) => string): Push {
  const heap = new ObjectHeap();
  const tree = heap.tree([
    ['100644', 'Old.md', old],
    ['40000', 'z', make(heap)],
  ]);
  return pushOf(heap, head, heap.commit(tree, [head]));
}

/** Folders in folders, each of them named so many times. */
function folders(heap: ObjectHeap, leaf: string, levels: number, times: number): string {
  let tree = leaf;
  for (let level = 0; level < levels; level += 1)
    tree = heap.tree(Array.from({ length: times }, (_, at) => ['40000', String.fromCharCode(97 + at), tree]));
  return tree;
}

function mergeOfMany({ head, old }: Wiki): Push {
  const heap = new ObjectHeap();
  const tree = heap.tree([['100644', 'Old.md', old]]);
  const parents = Array.from({ length: 5_000 }, (_, at) => heap.commit(tree, [head], { message: `${at}\n` }));
  return pushOf(heap, head, heap.commit(tree, [head, ...parents]));
}

function ofCommit({ head, old }: Wiki, text: { who?: string; message?: string }): Push {
  const heap = new ObjectHeap();
  return pushOf(heap, head, heap.commit(heap.tree([['100644', 'Old.md', old]]), [head], text));
}

function mergesOfEachOther({ head, old }: Wiki): Push {
  const heap = new ObjectHeap();
  const tree = heap.tree([['100644', 'Old.md', old]]);
  let [one, other] = [head, head];
  for (let at = 0; at < 2_000; at += 1) {
    const [left, right] = ['left', 'right'].map((side) => `${side} ${at}\n`);
    [one, other] = [
      heap.commit(tree, [one, other], { message: left }),
      heap.commit(tree, [other, one], { message: right }),
    ];
  }
  return pushOf(heap, head, heap.commit(tree, [one, other]));
}

function pushOf(heap: ObjectHeap, from: string, to: string): Push {
  return {
    from,
    to,
    pack: packOf(heap.objects.map(({ type, content }): RawEntry => ({ kind: type, content }))),
  };
}

function fine(wiki: Wiki): Push {
  return ofPage(wiki, 'fine', [{ kind: 'blob', content: Buffer.from('fine') }]);
}

/** The same pack, declaring this number of objects. */
function withCount(push: Push, count: number): Push {
  const pack = Buffer.from(push.pack.subarray(0, -20));
  pack.writeUInt32BE(count, 8);
  return { ...push, pack: sealed(pack) };
}

function ending(wiki: Wiki, cut: number, end: Buffer): Push {
  const push = fine(wiki);
  return { ...push, pack: Buffer.concat([push.pack.subarray(0, cut), end]) };
}

function withOtherChecksum(wiki: Wiki): Push {
  const push = fine(wiki);
  const last = push.pack.at(-1) ?? 0;
  return { ...push, pack: Buffer.concat([push.pack.subarray(0, -1), Buffer.of(last ^ 1)]) };
}

/** Sends a push to git as git's own client would, and returns git's message if it refused the push. */
async function receive(repository: string, { pack, ref = 'refs/heads/main', from, to }: Push) {
  const command = `${from} ${to} ${ref}\0report-status`;
  const line = `${(command.length + 4).toString(16).padStart(4, '0')}${command}0000`;
  return new Promise<string | null>((resolve) => {
    const child = execFile(
      'git',
      ['receive-pack', '--stateless-rpc', repository],
      (error, stdout, stderr) => {
        const isTaken = error === null && stdout.includes('unpack ok') && !/ng refs/.test(stdout);
        resolve(isTaken ? null : `${stdout}\n${stderr}`);
      },
    );
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(Buffer.concat([Buffer.from(line), pack]));
  });
}

export const pushAttacks: Attack[] = Object.entries(pushes).map(([name, [make, answers]]) => ({
  name,
  on: 'whole',
  answers,
  calls: CALLS_AFTER,
  async act({ whole, wikis }, round) {
    const wiki = `pushed-${round}`;
    await callTool(whole, 'create_wiki', { wiki });
    await callTool(whole, 'write_page', { wiki, path: 'Old', content: OLD });
    const repository = join(wikis, `${wiki}.git`);
    const [head, old] = [
      await git(repository, 'rev-parse', 'main'),
      await git(repository, 'rev-parse', 'main:Old.md'),
    ];
    const problem = await receive(repository, make({ head, old }));
    const after = await readAll(whole, wiki);
    if (problem === null) return after;
    return after.code === 'not_found' ? { code: 'refused by git', text: problem, content: {} } : after;
  },
}));

/**
 * Verifies that the old pages can still be read and that a write succeeds. Returns the answer to a read of
 * the pushed page.
 */
async function readAll(whole: Parameters<typeof callTool>[0], wiki: string): Promise<Outcome> {
  const old = await callTool(whole, 'read_page', { wiki, path: 'Old' });
  if (old.code !== 'ok' || !old.text.includes(OLD.trim())) throw new Error(`The page is lost: ${old.text}`);
  const pushed = await callTool(whole, 'read_page', { wiki, path: 'Pushed' });
  if (!['ok', 'too_large', 'not_found'].includes(pushed.code)) return pushed;
  const checked = await callTool(whole, 'check_wiki', { wiki });
  const written = await callTool(whole, 'write_page', { wiki, path: 'New', content: 'new\n' });
  if (written.code !== 'ok') return written;
  return checked.code === 'ok' ? pushed : checked;
}
