import { FLUSH, pktLine } from '@pagetree/wiki/pkt-line';
import { describe, expect, test } from 'vitest';
import { packLine, result } from './faulty-answers.ts';
import { filledRepository, localRepository } from './repositories.ts';
import { failureOf, httpRemote, serveRepository } from './served-repository.ts';

const report = (...lines: string[]) =>
  packLine(1, Buffer.concat([...lines.map((line) => pktLine(line)), FLUSH]));
const REF = 'refs/heads/main';
const OK = report('unpack ok', `ok ${REF}`);

/** Answers to a push. */
const REPORTS: [string, Uint8Array[], string, object?][] = [
  [
    'a reason of its own',
    [report('unpack ok', `ng ${REF} pre-receive hook declined`), FLUSH],
    'refused',
    { words: 'pre-receive hook declined' },
  ],
  [
    'words beside it',
    [
      packLine(2, 'GH006: Protected\n'),
      report('unpack ok', `ng ${REF} protected branch hook declined`),
      FLUSH,
    ],
    'refused',
    { words: 'protected branch hook declined GH006: Protected' },
  ],
  ['fetch first', [report('unpack ok', `ng ${REF} fetch first`), FLUSH], 'moved'],
  ['stale info', [report('unpack ok', `ng ${REF} stale info`), FLUSH], 'moved'],
  [
    'no lock',
    [packLine(2, 'error: cannot lock ref'), report('unpack ok', `ng ${REF} failed to update ref`), FLUSH],
    'moved',
  ],
  [
    'no room',
    [
      packLine(2, 'error: No space left on device'),
      report('unpack ok', `ng ${REF} failed to update ref`),
      FLUSH,
    ],
    'refused',
  ],
  [
    'a pack that is not taken',
    [report('unpack index-pack abnormal exit', `ng ${REF} unpacker error`), FLUSH],
    'refused',
    { reason: 'unpack' },
  ],
  ['no word of the branch', [report('unpack ok'), FLUSH], 'broken'],
  ['no word of the pack', [report(`ok ${REF}`), FLUSH], 'broken'],
  ['half a report', [OK.subarray(0, 30)], 'broken', { reason: 'cut_off' }],
  ['a report without an end', [packLine(1, pktLine('unpack ok')), FLUSH], 'broken', { reason: 'cut_off' }],
  ['an error', [packLine(3, 'killed')], 'broken', { reason: 'error', words: 'killed' }],
  ['a report of garbage', [packLine(1, 'zzzz'), FLUSH], 'broken', { reason: 'pkt_line' }],
  ['an endless report', [...Array(3).fill(packLine(1, pktLine('x'.repeat(5_000)))), FLUSH], 'too_large'],
];

describe('an answer to a push', () => {
  const pushWith = async (...parts: Uint8Array[]) => {
    const { bare, second } = filledRepository();
    const { url } = await serveRepository(bare, ({ request }) => {
      if (request.method !== 'POST') return undefined;
      request.resume();
      return { ...result(...parts), headers: { 'content-type': 'application/x-git-receive-pack-result' } };
    });
    const pack = localRepository(bare).pack(second, second);
    return httpRemote(url).push({ ref: REF, from: second, to: 'd'.repeat(40), pack });
  };

  test.each(REPORTS)('%s', async (_name, parts, code, data = {}) => {
    expect(await failureOf(pushWith(...parts))).toMatchObject({ code, data });
  });

  test('a report that is complete counts, even if what follows is cut off', async () => {
    for (const rest of [[FLUSH], [], [packLine(3, 'post-receive was killed')]])
      await expect(pushWith(OK, ...rest)).resolves.toBeUndefined();
  });
});

test('a push that has lost already sends no pack', async () => {
  const { bare, first, second, change } = filledRepository();
  const { url, requests } = await serveRepository(bare);
  change('Theirs.md', 'theirs\n');
  const pack = localRepository(bare).pack(first, first);
  const push = { ref: REF, from: second, to: first, pack };
  expect(await failureOf(httpRemote(url).push(push))).toMatchObject({ code: 'moved' });
  expect(requests.map(({ method }) => method)).toEqual(['GET']);
});
