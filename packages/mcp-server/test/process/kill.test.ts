import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { sampled } from '../../../../labs/sample.ts';
import { testRandom } from '../../../../labs/seeded-random.ts';
import { builtServer, temporaryDirectory } from '../built-server.ts';
import { git, gitFsck } from '../git.ts';
import { RawServer } from '../raw-server.ts';

const rounds = sampled(40, 5);
const writesInARound = 5;

let bundle: string;

beforeAll(async () => {
  bundle = await builtServer();
});

/**
 * Each round sends five writes, kills the server during them, starts it again, and repeats the unanswered
 * ones under the same request ids. At the end every write must exist exactly once, whether it was committed
 * before the kill or not.
 */
test('a server killed in each round of five writes loses none that it acknowledged and applies none twice', async () => {
  const directory = join(await temporaryDirectory(), 'wikis');
  const start = async (): Promise<RawServer> => {
    const server = new RawServer(process.execPath, [bundle, '--dir', directory]);
    await server.initialize();
    server.callTool(0, 'wiki_status', {});
    expect((await server.answerTo(0)).result?.isError).toBeUndefined();
    return server;
  };

  const random = testRandom();
  let retried = 0;
  let server = await start();
  for (let round = 0; round < rounds; round += 1) {
    for (let write = 1; write <= writesInARound; write += 1)
      server.callTool(write, ...writeCall(round, write));
    // From before the first answer to after the last one, at once or at any moment before the next one. The first round
    // is killed before its last write, and the second one after its first: the test proves something on every machine.
    const answered = round % (writesInARound + 1);
    if (answered > 0) await server.answerTo(answered);
    if (round > 0) await wait(random() * 20);
    server.process.kill('SIGKILL');
    await server.ended;
    const known = new Set(server.answers.filter((answer) => !answer.result?.isError).map(({ id }) => id));

    server = await start();
    for (let write = 1; write <= writesInARound; write += 1) {
      if (known.has(write)) continue;
      retried += 1;
      server.callTool(write, ...writeCall(round, write));
      const { result } = await server.answerTo(write);
      expect(result?.isError, JSON.stringify(result)).toBeUndefined();
    }
    // The next round uses the same ids.
    server.answers.length = 0;
  }
  server.process.stdin.end();
  await server.ended;

  const repository = join(directory, 'main.git');
  await gitFsck(repository);
  const log = (await git(repository, 'show', 'main:Log.md'))
    .split('\n')
    .filter((line) => line.startsWith('- '));
  const expected = Array.from({ length: rounds }, (_, round) =>
    Array.from({ length: writesInARound }, (_, write) => lineOf(round, write + 1)),
  ).flat();
  expect(log.toSorted()).toEqual(expected.toSorted());
  expect(retried).toBeGreaterThan(0);
  expect(retried).toBeLessThan(rounds * writesInARound);
});

function lineOf(round: number, write: number): string {
  return `- round ${round}, write ${write}`;
}

function writeCall(round: number, write: number): [string, Record<string, unknown>] {
  const request_id = `kill-${round}-${write}`;
  return ['append_to_page', { path: 'Log', content: lineOf(round, write), request_id }];
}
