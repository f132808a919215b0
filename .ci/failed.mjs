import { relative } from 'node:path';
import { readSteps } from './results.mjs';

/*
 * node failed.mjs DIRECTORY MAX: prints the test files that failed, `NAME FILE` in each line, for a second try. Prints
 * none if they are more than MAX, or if a run did not come to its end: then it is not chance.
 */
const [directory, max] = process.argv.slice(2);
const runs = readSteps(directory).filter(({ kind }) => kind === 'tests');
const failed = runs.flatMap(({ name, run }) =>
  [...run.files]
    .filter(([, { failures, isNoChance }]) => failures.length > 0 && !isNoChance)
    .map(([file]) => ({ name, file })),
);
if (failed.length <= Number(max) && runs.every(({ run }) => run.finished)) {
  for (const { name, file } of failed) process.stdout.write(`${name} ${relative(process.cwd(), file)}\n`);
}
