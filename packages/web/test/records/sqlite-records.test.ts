import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { SqliteRecords } from '../../src/cli/sqlite-records.ts';
import { testRecords } from './records-suite.ts';

function temporaryFile(): string {
  const directory = mkdtempSync(join(tmpdir(), 'pagetree-records-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return join(directory, 'state', 'records.sqlite');
}

testRecords(async () => {
  let ms = Date.now();
  const [file, now] = [temporaryFile(), () => ms];
  const one = await SqliteRecords.open(file, now);
  const other = await SqliteRecords.open(file, now);
  onTestFinished(() => [one, other].forEach((records) => void records.close()));
  const pass = (more: number) => {
    ms += more;
  };
  return { records: [one, other], pass, now };
});

test('nobody else on the machine can read the file, and what has expired leaves it', async () => {
  const file = temporaryFile();
  let ms = 1_000_000;
  const records = await SqliteRecords.open(file, () => ms);
  await records.put('code', 'a', { value: 1, owner: null, untilMs: ms + 1 });
  for (const each of [file, `${file}-wal`]) expect(statSync(each).mode & 0o077).toBe(0);
  ms += 100_000;
  await records.put('code', 'b', { value: 1, owner: null, untilMs: null });
  records.close();
  const database = new DatabaseSync(file);
  onTestFinished(() => database.close());
  expect(database.prepare('SELECT id FROM record').all()).toEqual([{ id: 'b' }]);
});

test('a file that is no database is said, and stays', async () => {
  const file = temporaryFile();
  await (await SqliteRecords.open(file, Date.now)).close();
  writeFileSync(
    file,
    'something else, which is long enough to be taken for a header of a database'.repeat(9),
  );
  await expect(SqliteRecords.open(file, Date.now)).rejects.toThrow(/not a database/);
  expect(statSync(file).size).toBeGreaterThan(100);
});

test('processes that change one record at once lose no change', async () => {
  const file = temporaryFile();
  const records = await SqliteRecords.open(file, Date.now);
  onTestFinished(() => records.close());
  await records.put('count', 'a', { value: 0, owner: null, untilMs: null });
  const program = fileURLToPath(new URL('count-up.ts', import.meta.url));
  const counting = [1, 2, 3].map(() => promisify(execFile)(execPath, [program, file, '200']));
  await Promise.all(counting);
  expect(await records.get('count', 'a')).toMatchObject({ value: 600 });
});
