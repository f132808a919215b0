import { expect, test } from 'vitest';
import { EngineFailed, EngineGone, startEngine } from './engine.ts';

const LIMIT_SECONDS = 30;

/** An engine that does `each` with the text of every command, in a process of its own. */
function engineThat(each: string) {
  const program = `
    const lines = require('node:readline').createInterface({ input: process.stdin });
    const answer = (outcome) => console.log(JSON.stringify({ milliseconds: 1, peakRssMegabytes: 2, ...outcome }));
    lines.on('line', (line) => { const command = JSON.parse(line); ${each} });`;
  return startEngine([process.execPath, '-e', program]);
}

test('commands are answered one after another', async () => {
  const engine = engineThat("answer({ text: 'of ' + command.path });");
  const answers = [];
  for (const path of ['one', 'two']) answers.push(await engine.run({ do: 'read', path }, LIMIT_SECONDS));
  await engine.end();
  expect(answers.map(({ text }) => text)).toEqual(['of one', 'of two']);
});

test('an engine reports the reason of a failure and continues', async () => {
  const engine = engineThat("answer(command.do === 'list' ? { failure: 'No such tree.' } : { text: '' });");
  await expect(engine.run({ do: 'list' }, LIMIT_SECONDS)).rejects.toThrow(new EngineFailed('No such tree.'));
  await expect(engine.run({ do: 'recent' }, LIMIT_SECONDS)).resolves.toHaveProperty('milliseconds', 1);
  await engine.end();
});

test('an engine that exceeds its time limit is killed', async () => {
  const engine = engineThat('');
  await expect(engine.run({ do: 'recent' }, 0.2)).rejects.toThrow(
    new EngineGone('More than 0.2 s for recent.'),
  );
  await engine.end();
});

test('an engine that ends by itself is reported as gone, also by the next command', async () => {
  const engine = engineThat('process.exit(3);');
  await expect(engine.run({ do: 'list' }, LIMIT_SECONDS)).rejects.toThrow(EngineGone);
  await expect(engine.run({ do: 'list' }, LIMIT_SECONDS)).rejects.toThrow(EngineGone);
  await engine.end();
});
