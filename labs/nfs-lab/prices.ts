import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { mountStatisticsBetween, parseMountStatistics, totalRpcs } from './mount-statistics.ts';

/**
 * Runs as a client of nfs-lab and prints, as JSON, how many RPCs each operation costs there, once after a warm-up
 * and once more.
 */
const operations: Readonly<Record<string, (name: string) => void>> = {
  'mkdir + write a loose object': (name) => {
    mkdirSync(name);
    writeFileSync(`${name}/object`, 'content');
  },
  'temporary file + fsync + rename': (name) => {
    writeDurably(`${name}.tmp`);
    renameSync(`${name}.tmp`, name);
  },
  'temporary file + fsync + link + unlink': (name) => {
    writeDurably(`${name}.tmp`);
    linkSync(`${name}.tmp`, name);
    unlinkSync(`${name}.tmp`);
  },
  'lock: exclusive create + close + unlink': (name) => {
    closeSync(openSync(`${name}.lock`, 'wx'));
    unlinkSync(`${name}.lock`);
  },
  symlink: (name) => symlinkSync('target', name),
  'read a small file': () => readFileSync('/mnt/efs/small', 'utf8'),
};

writeFileSync('/mnt/efs/small', 'content');
const prices = Object.entries(operations).map(([operation, run], index) => {
  run(`/mnt/efs/warm-up-${index}`);
  return [
    operation,
    [cost(() => run(`/mnt/efs/a-${index}`)), cost(() => run(`/mnt/efs/b-${index}`))],
  ] as const;
});
process.stdout.write(JSON.stringify(Object.fromEntries(prices)));

function cost(run: () => void): number {
  const earlier = read();
  run();
  return totalRpcs(mountStatisticsBetween(earlier, read()));
}

function read() {
  return parseMountStatistics(readFileSync('/proc/self/mountstats', 'utf8'), '/mnt/efs');
}

function writeDurably(path: string): void {
  const file = openSync(path, 'w');
  writeSync(file, 'content');
  fsyncSync(file);
  closeSync(file);
}
