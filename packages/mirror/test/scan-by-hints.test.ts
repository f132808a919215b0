import fs from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sampled } from '../../../labs/sample.ts';
import { temporaryDirectory } from '../../wiki/test/native-git.ts';
import { nodeDisk } from '../src/folder/disk.ts';
import { FolderScan } from '../src/folder/scan-folder.ts';
import { Hints } from './hints.ts';

const folder = fc.constantFrom('', 'a', 'a/b', 'a/b/c', 'd', 'cafe\u0301', '.hidden', 'x.md');
const name = fc.constantFrom(
  'x.md',
  'X.md',
  'y.bin',
  'b',
  'cafe\u0301',
  'caf\u00e9',
  'x.tmp',
  '.x.md.icloud',
);
const path = fc.tuple(folder, name).map(([above, inner]) => join(above, inner));

const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('write' as const), path }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('remove' as const), path: fc.oneof(path, folder) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('move' as const),
      path: fc.oneof(path, folder),
      to: fc.oneof(path, folder),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('link' as const), path, to: folder }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('make folder' as const), path }) },
  { weight: 4, arbitrary: fc.constant({ kind: 'look' as const }) },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** Files, folders and links come and go; what cannot be done does not happen. */
function play(root: string, step: Exclude<Step, { kind: 'look' }>, at: number): void {
  const place = join(root, step.path);
  if (place === root) return;
  try {
    const target = step.kind === 'move' ? join(root, step.to) : place;
    if (target === root) return;
    if (step.kind !== 'remove') fs.mkdirSync(dirname(target), { recursive: true });
    if (step.kind === 'remove') fs.rmSync(place, { recursive: true });
    else if (step.kind === 'make folder') fs.mkdirSync(place);
    else if (step.kind === 'write') fs.writeFileSync(place, 'x'.repeat(at));
    else if (step.kind === 'move') fs.renameSync(place, target);
    else fs.symlinkSync(join(root, step.to), place);
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
  }
}

test('where the system reports a change is enough to know what a walk would find', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 60 }), async (steps) => {
      const root = temporaryDirectory();
      fs.mkdirSync(join(root, '.pagetree'));
      const scan = new FolderScan(nodeDisk, root);
      await scan.walk();
      const hints = new Hints(root);
      try {
        // Watches begin after a look: where they do is looked at once more.
        const look = async () => {
          hints.update(scan.folders);
          await scan.look((await hints.take()) ?? new Set());
        };
        await look();
        for (const [at, each] of [...steps, { kind: 'look' as const }].entries()) {
          if (each.kind !== 'look') play(root, each, at);
          else {
            await look();
            await look();
            const walked = new FolderScan(nodeDisk, root);
            await walked.walk();
            expect(plain(scan), `step ${at}`).toEqual(plain(walked));
          }
        }
      } finally {
        hints.close();
        fs.rmSync(root, { recursive: true });
      }
    }),
    { numRuns: sampled(3_000, 30) },
  );
});

function plain({ files, folders, blocked }: FolderScan) {
  return { files: new Map(files), folders: new Map(folders), blocked: new Map(blocked) };
}

test('a change that no hint reports is found by a walk, and a hint that means nothing does no harm', async () => {
  const root = temporaryDirectory();
  const scan = new FolderScan(nodeDisk, root);
  await scan.walk();
  fs.mkdirSync(join(root, 'a'));
  fs.writeFileSync(join(root, 'a/Tea.md'), 'tea\n');
  await scan.look(new Set());
  expect([...scan.files.keys()]).toEqual([]);
  await scan.walk();
  expect([...scan.files.keys()]).toEqual(['a/Tea.md']);
  await scan.look(new Set(['b/c/d.md', 'No.md', '../out.md', 'x/../../y', 'a/Tea.md/below']));
  expect([...scan.files.keys()]).toEqual(['a/Tea.md']);
});

test('a folder that became a link is not looked into, though the hint names a file in it', async () => {
  const root = temporaryDirectory();
  fs.mkdirSync(join(root, 'a'));
  fs.writeFileSync(join(root, 'a/Tea.md'), 'tea\n');
  const scan = new FolderScan(nodeDisk, root);
  await scan.walk();
  const outside = temporaryDirectory();
  fs.renameSync(join(root, 'a'), join(outside, 'a'));
  fs.symlinkSync(join(outside, 'a'), join(root, 'a'));
  await scan.look(new Set(['a/Tea.md']));
  expect([...scan.files.keys()]).toEqual([]);
  expect([...scan.blocked.keys()]).toEqual(['a']);
});

test('of two folders that differ only in their Unicode form, a hint for one does not hide the other', async () => {
  const root = temporaryDirectory();
  for (const folder of ['caf\u00e9', 'cafe\u0301']) {
    fs.mkdirSync(join(root, folder));
    fs.writeFileSync(join(root, folder, 'Tea.md'), 'tea\n');
  }
  const scan = new FolderScan(nodeDisk, root);
  await scan.walk();
  expect([...scan.blocked.keys()]).toEqual(['caf\u00e9/Tea.md']);
  for (const folder of ['caf\u00e9', 'cafe\u0301']) await scan.look(new Set([`${folder}/Tea.md`]));
  expect([...scan.blocked.keys()]).toEqual(['caf\u00e9/Tea.md']);
});
