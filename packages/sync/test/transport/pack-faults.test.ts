import { createHash } from 'node:crypto';
import { FLUSH, pktLine } from '@pagetree/wiki/pkt-line';
import { describe, expect, test } from 'vitest';
import { endless, LIMITS, packLine, result } from './faulty-answers.ts';
import { filledRepository } from './repositories.ts';
import { type Answer, type Fault, failureOf, httpRemote, serveRepository } from './served-repository.ts';

const BEGIN = pktLine('packfile');
const headerOf = (version: number, count: number) =>
  Buffer.from([...Buffer.from('PACK'), 0, 0, 0, version, 0, 0, 0, count]);
const withChecksum = (bytes: Buffer) => Buffer.concat([bytes, createHash('sha1').update(bytes).digest()]);

/** Changes of the answer that has the pack. */
const PACK_FAULTS: [string, (answer: Answer) => Answer, string, string?][] = [
  [
    'half a pack',
    (answer) => ({ ...answer, body: answer.body.subarray(0, answer.body.length / 2) }),
    'broken',
    'cut_off',
  ],
  [
    'no flush at the end',
    (answer) => ({ ...answer, body: answer.body.subarray(0, -4) }),
    'broken',
    'cut_off',
  ],
  ['a flipped bit', (answer) => flipped(answer), 'broken', 'checksum'],
  ['an empty body', () => result(), 'broken', 'cut_off'],
  ['no section of a pack', () => result(FLUSH), 'broken', 'no_pack'],
  ['an empty pack section', () => result(BEGIN, FLUSH), 'broken', 'no_pack'],
  ['a pack without an end', () => result(BEGIN, packLine(1, 'PACK'), FLUSH), 'broken', 'cut_off'],
  [
    'another version',
    () => result(BEGIN, packLine(1, withChecksum(headerOf(4, 1))), FLUSH),
    'broken',
    'no_pack',
  ],
  ['an error on the way', () => result(BEGIN, packLine(3, 'out of memory'), FLUSH), 'broken', 'error'],
  ['an unknown band', () => result(BEGIN, packLine(4, 'x'), FLUSH), 'broken', 'pkt_line'],
  ['no band', () => result(BEGIN, pktLine(new Uint8Array(0)), FLUSH), 'broken', 'pkt_line'],
  [
    'too large a pack',
    () => result(BEGIN, ...Array(40).fill(packLine(1, Buffer.alloc(50_000))), FLUSH),
    'too_large',
    'pack',
  ],
  ['a web page', () => ({ ...result(), headers: { 'content-type': 'text/html' } }), 'no_git', 'content_type'],
  [
    'a redirect',
    () => ({ status: 302, headers: { location: '/login' }, body: Buffer.alloc(0) }),
    'no_git',
    'redirect',
  ],
];

describe('a fault of the answer with the pack', () => {
  const fetchWith = async (fault: Fault) => {
    const { bare, second } = filledRepository();
    const { url } = await serveRepository(bare, (exchange) =>
      exchange.request.method === 'POST' ? fault(exchange) : undefined,
    );
    return httpRemote(url, { limits: LIMITS }).fetch({ wants: [second], haves: [] });
  };

  test.each(PACK_FAULTS)('%s', async (_name, change, code, reason) => {
    const failure = await failureOf(fetchWith(async ({ real }) => change(await real())));
    expect(failure).toMatchObject({ code, data: { reason } });
  });

  test('an endless answer of words', async () => {
    const words = packLine(2, 'counting'.repeat(1_000));
    const fault = endless(words, 'application/x-git-upload-pack-result', BEGIN);
    expect(await failureOf(fetchWith(fault))).toMatchObject({ code: 'too_large', data: { reason: 'pack' } });
  });

  test('a pack without objects is nothing', async () => {
    const empty = withChecksum(headerOf(2, 0));
    expect(await fetchWith(() => result(BEGIN, packLine(1, empty), FLUSH))).toBeNull();
  });
});

function flipped(answer: Answer): Answer {
  const body = Buffer.from(answer.body);
  const at = body.length - 60;
  body.writeUInt8(body.readUInt8(at) ^ 1, at);
  return { ...answer, body };
}
