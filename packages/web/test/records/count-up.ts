import { argv } from 'node:process';
import { SqliteRecords } from '../../src/cli/sqlite-records.ts';

// Counts up one record, as one of several processes: the file, and how many times.
const [, , file = '', times = ''] = argv;
const records = await SqliteRecords.open(file, Date.now);
for (let at = 0; at < Number(times); at += 1) {
  await records.change('count', 'a', ({ value, ...more }) => ({ ...more, value: Number(value) + 1 }));
}
records.close();
