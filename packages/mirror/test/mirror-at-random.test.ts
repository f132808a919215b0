import fs from 'node:fs';
import { join } from 'node:path';
import type { Wiki } from '@pagetree/wiki/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sampled } from '../../../labs/sample.ts';
import { git } from '../../wiki/test/native-git.ts';
import { type Disk, nodeDisk } from '../src/folder/disk.ts';
import { BothSides } from './both-sides.ts';
import { Crash, crashAt, crashInCommit, interruptedDisk } from './interrupted-disk.ts';

const paths = [
  'A.md',
  'a.md',
  'B.md',
  'f/C.md',
  'f/c.md',
  'f/D.md',
  'g/E.md',
  'x.bin',
  'f',
  'f.md',
  'g/h/I.md',
];
const path = fc.constantFrom(...paths);
/** The way in which an editor saves. */
const way = fc.constantFrom<'in place' | 'by rename'>('in place', 'by rename');
const at = fc.nat(30);

const edit = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constantFrom<'write'[]>('write'), path, at, way }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom<'delete'[]>('delete'), path }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom<'move'[]>('move'), path, to: path }) },
);
type Edit = typeof edit extends fc.Arbitrary<infer Value> ? Value : never;

/** True if the mirror starts with that pass, which looks at all files then. */
const starts = fc.boolean();

const step = fc.oneof(
  { weight: 4, arbitrary: edit.map((value) => ({ who: 'person' as const, edit: value })) },
  { weight: 4, arbitrary: edit.map((value) => ({ who: 'agent' as const, edit: value })) },
  { weight: 4, arbitrary: fc.constant({ who: 'mirror' as const }) },
  { weight: 1, arbitrary: fc.constant({ who: 'settle' as const }) },
  // The call of the file system before which it happens.
  {
    weight: 2,
    arbitrary: fc.record({ who: fc.constantFrom<'crash'[]>('crash'), call: fc.nat(120), starts }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      who: fc.constantFrom<'crash in a commit'[]>('crash in a commit'),
      landed: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ who: fc.constantFrom<'between'[]>('between'), call: fc.nat(120), starts, edit }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/**
 * Somebody writes lines that occur once in the world. A line that nobody took out must be on both sides in the end,
 * whatever happened.
 */
class Story {
  readonly sides: BothSides;
  readonly alive = new Set<string>();
  /** What was ever in a file that the mirror had seen in step. */
  readonly acknowledged = new Set<string>();
  #lines = 0;

  constructor(sides: BothSides) {
    this.sides = sides;
  }

  async play(step: Step): Promise<void> {
    const { sides } = this;
    if (step.who === 'person') this.person(step.edit);
    else if (step.who === 'agent') await this.agent(step.edit);
    else if (step.who === 'mirror') await sides.pass();
    else if (step.who === 'settle') await this.settle();
    else if (step.who === 'crash in a commit')
      await this.crash({ wiki: crashInCommit(sides.wiki, step.landed) });
    else if (step.who === 'crash') {
      if (step.starts) sides.stop();
      await this.crash({ disk: crashAt(step.call) });
    } else {
      if (step.starts) sides.stop();
      await sides.pass({ disk: interruptedDisk(step.call, (isLast) => this.person(step.edit, isLast)) });
      sides.disk = nodeDisk;
    }
  }

  async settle(): Promise<void> {
    await this.sides.settle();
    const folder = this.sides.files();
    for (const [file, text] of await this.sides.inWiki()) {
      if (folder.get(file) === text) for (const line of linesOf(text)) this.acknowledged.add(line);
    }
  }

  /** A pass with a disk or a wiki that fails. Afterwards another process goes on. */
  async crash(parts: { disk?: Disk; wiki?: Wiki }): Promise<void> {
    try {
      await this.sides.pass(parts);
    } catch (error) {
      if (!(error instanceof Crash)) throw error;
    }
    this.sides.stop();
  }

  /** `inPlaceOnly`: right before a file is replaced, no other file can get its name. */
  person(edit: Edit, inPlaceOnly = false): void {
    const { sides } = this;
    const place = sides.place(edit.path);
    const before = readText(place);
    if (edit.kind === 'write') {
      if (!isPossible(sides, edit.path)) return;
      const text = this.edited(before ?? '', edit.at, 'person');
      if (edit.way === 'in place' || inPlaceOnly) sides.write(edit.path, Buffer.from(text, 'latin1'));
      else {
        sides.write(`${edit.path}.tmp`, Buffer.from(text, 'latin1'));
        fs.renameSync(sides.place(`${edit.path}.tmp`), place);
      }
    } else if (before === null || inPlaceOnly) return;
    else if (edit.kind === 'delete') {
      this.gone(before);
      fs.unlinkSync(place);
    } else if (edit.path !== edit.to && isPossible(sides, edit.to)) {
      this.gone(readText(sides.place(edit.to)) ?? '');
      fs.mkdirSync(join(sides.place(edit.to), '..'), { recursive: true });
      fs.renameSync(place, sides.place(edit.to));
    }
  }

  /** What the wiki refuses does not happen. */
  async agent(edit: Edit): Promise<void> {
    const { sides } = this;
    const before = (await sides.agentReads(edit.path))?.toString('latin1') ?? null;
    const [alive, lines] = [new Set(this.alive), this.#lines];
    try {
      if (edit.kind === 'write') {
        await sides.agentWrites(
          edit.path,
          Buffer.from(this.edited(before ?? '', edit.at, 'agent'), 'latin1'),
        );
      } else if (before === null) return;
      else if (edit.kind === 'delete') {
        this.gone(before);
        await sides.agentDeletes(edit.path);
      } else if (edit.path !== edit.to) {
        this.gone((await sides.agentReads(edit.to))?.toString('latin1') ?? '');
        await sides.agentMoves(edit.path, edit.to, Buffer.from(before, 'latin1'));
      }
    } catch (error) {
      if (!/invalid_path|folder/.test(String(error))) throw error;
      this.alive.clear();
      for (const line of alive) this.alive.add(line);
      this.#lines = lines;
    }
  }

  /** A text with one more line, or with one in place of another. Some bytes are not UTF-8, and some lines end as on Windows. */
  edited(text: string, at: number, who: string): string {
    this.#lines += 1;
    const line = `${who} ${this.#lines} \xe9${at % 3 === 0 ? '\r' : ''}\n`;
    const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
    const taken = at % 5 === 0 ? 1 : 0;
    const removed = lines.splice(at % (lines.length + 1), taken, line);
    this.gone(removed.join(''));
    this.alive.add(line.trim());
    return lines.join('');
  }

  gone(text: string): void {
    for (const line of linesOf(text)) this.alive.delete(line);
  }
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
}

function readText(place: string): string | null {
  try {
    return fs.readFileSync(place, 'latin1');
  } catch {
    return null;
  }
}

/** False if a folder or a file is in the way. */
function isPossible(sides: BothSides, path: string): boolean {
  const parts = path.split('/');
  const above = parts.slice(0, -1).map((_, at) => sides.place(parts.slice(0, at + 1).join('/')));
  return isFolder(sides.place(path)) !== true && above.every((place) => isFolder(place) !== false);
}

/** Undefined if there is nothing. */
function isFolder(place: string): boolean | undefined {
  try {
    return fs.lstatSync(place).isDirectory();
  } catch {
    return undefined;
  }
}

test('both sides come in step, and no line that nobody took out is lost, whatever happens', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      const story = new Story(await BothSides.open());
      const { sides } = story;
      for (const each of steps) await story.play(each);
      sides.wait(60_000);
      await story.settle();
      // What differs only in case from another name stays in the folder alone: the person takes it away.
      const inWiki = await sides.inWiki();
      for (const [file, text] of sides.files()) {
        const isTwin = [...inWiki.keys()].some((each) => each !== file && clash(each, file));
        if (inWiki.has(file) || !isTwin) continue;
        story.gone(text);
        fs.unlinkSync(sides.place(file));
      }
      sides.wait(60_000);
      await story.settle();
      const wiki = await sides.inWiki();
      expect(sides.files()).toEqual(wiki);
      const lines = new Set([...wiki.values()].flatMap(linesOf));
      expect([...story.alive].filter((line) => !lines.has(line))).toEqual([]);
      const history = new Set(
        linesOf(
          git(sides.repository, ['log', '--all', '-p', '-m', '--text', '--format=']).replace(/^[ +-]/gm, ''),
        ).map(ascii),
      );
      expect([...story.acknowledged].map(ascii).filter((line) => !history.has(line))).toEqual([]);
      expect(git(sides.repository, ['fsck', '--strict', '--no-dangling'])).toBe('');
      await sides.end();
    }),
    { numRuns: sampled(2_000, 25), endOnFailure: false },
  );
});

/** Git's output is not UTF-8 where the pages are not. */
function ascii(line: string): string {
  return line.replace(/[^ -~]/g, '');
}

/** True if two paths cannot be in one folder on some system. */
function clash(one: string, other: string): boolean {
  const [a, b] = [one.toLowerCase(), other.toLowerCase()];
  return a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`);
}
