import { expect, onTestFinished, test } from 'vitest';
import { noise } from '../../../../../labs/noise.ts';
import { git, temporaryDirectory } from '../../../test/native-git.ts';
import { openWiki } from '../../open-wiki.ts';
import { connect, type Send } from '../connect.ts';
import { dispatch } from '../dispatch.ts';
import { errorReply, type Reply, type Request } from '../envelope.ts';
import { WikiError } from '../errors.ts';
import type { Call } from '../wiki.ts';
import { PART_BYTES } from './content-reference.ts';

const ADA: Call = { caller: { author: { name: 'Ada', email: 'ada@example.org' }, agent: null } };
const PARTS = 3;
const BYTES = noise((PARTS - 1) * PART_BYTES + 1_000);
const PUT = { path: 'large.bin' };

interface PartInput {
  upload: string;
  offset?: number;
  content?: string;
  drop?: boolean;
}

/** A wiki of this process behind requests, and a record of those that arrived. */
async function openSide() {
  const directory = temporaryDirectory();
  git(directory, ['init', '--quiet', '--bare', '--initial-branch=main', 'test.git']);
  const host = { backend: 'local', versions: {}, problems: [] };
  const opened = await openWiki({ directory, wiki: 'test', placement: 'local', host });
  onTestFinished(() => opened.close());
  const arrived: Request[] = [];
  const answer = async (request: Request): Promise<Reply> => {
    arrived.push(request);
    return dispatch(opened.wiki, JSON.parse(JSON.stringify(request)));
  };
  /** The calls that arrived since the last look: of a part its number, of a removal `drop`. */
  const arrivals = () =>
    arrived.splice(0).map(({ operation, input }) => {
      const { offset, drop } = input as PartInput;
      return operation !== 'upload_part' ? operation : drop ? 'drop' : (offset ?? 0) / PART_BYTES;
    });
  return { answer, arrivals };
}

const isPart = ({ operation, input }: Request, number: number) =>
  operation === 'upload_part' && (input as PartInput).offset === number * PART_BYTES;

test('parts come first, then the call that names them, and then they go', async () => {
  const { answer, arrivals } = await openSide();
  const wiki = connect(answer);
  const steps: unknown[] = [];
  const progress = (...step: unknown[]) => steps.push(step);
  expect(await wiki.put_attachment(PUT, { ...ADA, bytes: BYTES, progress })).toMatchObject({
    changed: true,
    size: BYTES.length,
  });
  expect(arrivals()).toEqual([0, 1, 2, 'put_attachment', 'drop']);
  expect(steps).toEqual([0, 1, 2].map((part) => [part * PART_BYTES, BYTES.length, 'sending']));
  await wiki.put_attachment({ path: 'small.bin' }, { ...ADA, bytes: BYTES.subarray(0, 4_500_000) });
  expect(arrivals()).toEqual(['put_attachment']);
});

test('an interrupted upload goes on where it ended, in the same process', async () => {
  const { answer, arrivals } = await openSide();
  let fails = true;
  const send: Send = async (request) => {
    if (fails && isPart(request, 2)) throw unanswered('backend_unavailable');
    return answer(request);
  };
  const wiki = connect(send);
  const put = () => wiki.put_attachment(PUT, { ...ADA, bytes: BYTES });
  await expect(put()).rejects.toMatchObject({ code: 'backend_unavailable' });
  expect(arrivals()).toEqual([0, 1]);
  fails = false;
  expect(await put()).toMatchObject({ changed: true });
  expect(arrivals()).toEqual([0, 2, 'put_attachment', 'drop']);
});

test('a part whose answer was lost changed nothing in the wiki, and may come again', async () => {
  const { answer, arrivals } = await openSide();
  let isLost = true;
  const send: Send = async (request) => {
    const reply = await answer(request);
    if (!isLost || !isPart(request, 1)) return reply;
    isLost = false;
    throw unanswered('write_state_unknown');
  };
  const wiki = connect(send);
  const put = () => wiki.put_attachment(PUT, { ...ADA, bytes: BYTES });
  await expect(put()).rejects.toMatchObject({
    code: 'backend_unavailable',
    text: {
      happened: 'No answer came. That was while the bytes of the call were sent in parts.',
      now: 'Nothing was changed.',
      next: 'Call again: what has arrived need not be sent again.',
    },
    cause: { code: 'write_state_unknown' },
  });
  expect(await put()).toMatchObject({ changed: true });
  expect(arrivals()).toEqual([0, 1, 0, 2, 'put_attachment', 'drop']);
});

test('the parts outlast an attempt of the call whose answer was lost', async () => {
  const { answer, arrivals } = await openSide();
  const send: Send = async (request) => {
    if (request.operation === 'put_attachment') await answer(request);
    return answer(request);
  };
  const input = { ...PUT, request_id: 'request-1' };
  const put = await connect(send).put_attachment(input, { ...ADA, bytes: BYTES });
  expect(put).toMatchObject({ changed: true });
  expect(arrivals()).toEqual([0, 1, 2, 'put_attachment', 'put_attachment', 'drop']);
});

test('calls that are made at once with equal bytes do not remove the parts of one another', async () => {
  const { answer } = await openSide();
  const { promise: isDropped, resolve: dropped } = Promise.withResolvers<void>();
  const send: Send = async (request) => {
    const { path, drop } = request.input as PartInput & { path?: string };
    if (path === 'late.bin') await isDropped;
    const reply = await answer(request);
    if (drop) dropped();
    return reply;
  };
  const wiki = connect(send);
  const bytes = BYTES.subarray(0, PART_BYTES + 600_000);
  const put = (path: string) => wiki.put_attachment({ path }, { ...ADA, bytes });
  const made = await Promise.all(['early.bin', 'late.bin'].map(put));
  expect(made.map(({ changed }) => changed)).toEqual([true, true]);
});

test('a failure to remove the parts is no failure of the call', async () => {
  const { answer } = await openSide();
  const send: Send = async (request) => {
    if ((request.input as PartInput).drop) throw unanswered('backend_unavailable');
    return answer(request);
  };
  const put = await connect(send).put_attachment(PUT, { ...ADA, bytes: BYTES });
  expect(put).toMatchObject({ changed: true });
});

test('a side that is too old for parts gets the bytes within the call, and its answer counts', async () => {
  const sent: Request[] = [];
  const wiki = connect(async (request) => {
    sent.push(request);
    if (request.operation === 'upload_part') return olderReply('There is no operation "upload_part".');
    throw new WikiError('too_large', { happened: 'Too much.', now: 'Nothing was changed.', next: 'Less.' });
  });
  const put = wiki.put_attachment(PUT, { ...ADA, bytes: BYTES });
  await expect(put).rejects.toMatchObject({ code: 'too_large' });
  expect(sent.map(({ operation, content }) => [operation, content])).toEqual([
    ['upload_part', undefined],
    ['put_attachment', undefined],
  ]);
  expect(sent[1]?.input).toEqual({ ...PUT, content: BYTES.toString('base64') });
});

test('a side of another contract that does not take the fields of a part gets the bytes within the call', async () => {
  const sent: string[] = [];
  const wiki = connect(async ({ operation }) => {
    sent.push(operation);
    if (operation === 'upload_part') return olderReply('The arguments of upload_part do not fit: offset.');
    throw new WikiError('too_large', { happened: 'Too much.', now: 'Nothing was changed.', next: 'Less.' });
  });
  const put = wiki.put_attachment(PUT, { ...ADA, bytes: BYTES });
  await expect(put).rejects.toMatchObject({ code: 'too_large' });
  expect(sent).toEqual(['upload_part', 'put_attachment']);
});

test('a refusal of a part is the answer to the call', async () => {
  const text = { happened: 'No.', now: 'Nothing was changed.', next: 'Ask.' };
  const sent: string[] = [];
  const wiki = connect(async ({ operation }) => {
    sent.push(operation);
    return errorReply(new WikiError('forbidden', text));
  });
  await expect(wiki.put_attachment(PUT, { ...ADA, bytes: BYTES })).rejects.toMatchObject({
    code: 'forbidden',
    text,
  });
  expect(sent).toEqual(['upload_part']);
});

test('what is no reply to a part changed nothing', async () => {
  const wiki = connect(async () => 'no reply');
  await expect(wiki.put_attachment(PUT, { ...ADA, bytes: BYTES })).rejects.toMatchObject({
    code: 'backend_unavailable',
    text: { now: 'Nothing was changed.' },
  });
});

test('each part goes to the wiki of the call, for its caller and in its scope', async () => {
  const sent: Request[] = [];
  const wiki = connect(async (request) => {
    sent.push(request);
    if (request.operation === 'upload_part') return { ok: true, output: { parts: [] } };
    throw new WikiError('not_found', { happened: 'No.', now: 'Nothing was changed.', next: 'Ask.' });
  });
  const scope = { read: ['a/'], write: ['a/b/'] };
  const put = (name: string | undefined, call: Call) =>
    wiki.put_attachment({ ...PUT, ...(name && { wiki: name }) }, { ...call, bytes: BYTES }).catch(() => null);
  await put('first', { ...ADA, scope });
  await put('second', ADA);
  await put(undefined, ADA);
  const parts = sent.filter(({ operation }) => operation === 'upload_part');
  const shown = parts.map(({ operation: _, input, pagetree: __, ...around }) => {
    const { offset, total, content: ___, upload, ...other } = input as PartInput & { total?: number };
    return { ...other, ...around };
  });
  const { caller } = ADA;
  const of = (expected: object) => [expected, expected, expected];
  expect(shown).toStrictEqual([
    ...of({ wiki: 'first', caller, scope }),
    ...of({ wiki: 'second', caller }),
    ...of({ caller }),
  ]);
  expect(new Set(parts.map(({ input }) => (input as PartInput).upload)).size).toBe(3);
});

test('a part that is held in part is sent again', async () => {
  const sent: unknown[] = [];
  const wiki = connect(async (request) => {
    const { offset } = request.input as PartInput;
    sent.push(offset);
    const parts = [
      { offset: PART_BYTES, bytes: PART_BYTES - 1 },
      { offset: 2 * PART_BYTES, bytes: 1_000 },
    ];
    return { ok: true, output: { parts } };
  });
  await wiki.put_attachment(PUT, { ...ADA, bytes: BYTES }).catch(() => null);
  expect(sent.slice(0, 3)).toEqual([0, PART_BYTES, undefined]);
});

test('bytes of whole parts end with the last of them', async () => {
  const { answer, arrivals } = await openSide();
  const bytes = BYTES.subarray(0, 2 * PART_BYTES);
  await connect(answer).put_attachment(PUT, { ...ADA, bytes });
  expect(arrivals()).toEqual([0, 1, 'put_attachment', 'drop']);
});

test('a call that names bytes which were never uploaded is refused, and does nothing', async () => {
  const { answer } = await openSide();
  const content = { upload: 'a'.repeat(32), bytes: 3, sha256: 'b'.repeat(64) };
  const { caller } = ADA;
  const reply = await answer({ pagetree: 1, operation: 'put_attachment', input: PUT, caller, content });
  expect(reply).toMatchObject({ ok: false, error: { code: 'not_found' } });
});

test('the names of uploads are those of one process', async () => {
  const { answer } = await openSide();
  const names = new Set<string>();
  const send: Send = async (request) => {
    if (request.operation === 'upload_part') names.add((request.input as PartInput).upload);
    return answer(request);
  };
  const first = connect(send);
  for (const [at, wiki] of [first, first, connect(send)].entries()) {
    await wiki.put_attachment({ path: `${at}.bin` }, { ...ADA, bytes: BYTES });
  }
  expect(names.size).toBe(2);
});

function unanswered(code: 'backend_unavailable' | 'write_state_unknown'): WikiError {
  return new WikiError(code, { happened: 'No answer came.', now: 'Nobody knows.', next: 'Try again.' });
}

function olderReply(happened: string): unknown {
  const text = { happened, now: 'The operations are others.', next: 'Call one of these.' };
  return { ok: false, contract: 22, fingerprint: 'x', error: { code: 'invalid_input', text, data: {} } };
}
