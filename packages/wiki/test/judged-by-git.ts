import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GitObject } from '../src/formats/oid.ts';
import { encodePack } from '../src/formats/packs/pack.ts';
import { bareRepository } from './native-git.ts';

export interface Judgement {
  refused: ReadonlySet<string>;
  /** Objects that git takes for corrupt because of another one: it names them as of another type, or they name it so. */
  unjudged: ReadonlySet<string>;
}

/** Finds the objects that `git fsck --strict` refuses, each by itself. */
export function judgedByGit(objects: readonly GitObject[]): Judgement {
  const repository = bareRepository();
  const { packBytes, indexBytes } = encodePack(objects);
  for (const [ending, bytes] of [
    ['pack', packBytes],
    ['idx', indexBytes],
  ] as const) {
    writeFileSync(join(repository, 'objects', 'pack', `pack-${'1'.repeat(40)}.${ending}`), bytes);
  }
  const { stdout, stderr } = spawnSync('git', ['fsck', '--strict', '--no-dangling'], {
    cwd: repository,
    maxBuffer: 2 ** 30,
    env: { ...process.env, LC_ALL: 'C' },
  });
  const lines = `${stdout}\n${stderr}`.split('\n').filter((line) => line.startsWith('error'));
  // One object may name another as of a type that it is not. Git then reports either of them, by what it read first.
  const unjudged = lines.flatMap((line) => {
    const [first, second] = line.match(OID) ?? [];
    return /object \S+ is a \w+, not a/.test(line) ? (first ?? []) : (second ?? []);
  });
  const own = lines.filter(
    (line) =>
      !/Could not read|unable to read tree|unable to load|not a|broken links|(Blob|Missing): /.test(line),
  );
  return {
    refused: new Set(own.flatMap((line) => line.match(OID)?.[0] ?? [])),
    unjudged: new Set(unjudged),
  };
}

const OID = /[0-9a-f]{40}/g;
