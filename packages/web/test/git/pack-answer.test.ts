import { setTimeout as pause } from 'node:timers/promises';
import { type Call, type Output, toWikiError, type Wiki, WikiError, wikiOf } from '@pagetree/wiki/contract';
import { FLUSH, PktLines, pktLine } from '@pagetree/wiki/pkt-line';
import { beforeEach, expect, test } from 'vitest';
import type { GitCaller } from '../../src/git/git-caller.ts';
import { createGitServer } from '../../src/git/git-server.ts';

const OID = 'a'.repeat(40);
const PART_BYTES = 1_000_000;

/** A wiki that sends parts without an end, or until `fails`. */
function endlessWiki(fails: (part: number) => Promise<void> = async () => {}) {
  const state = { parts: 0, signal: undefined as AbortSignal | undefined };
  const wiki: Wiki = wikiOf(async (name, _input, call: Call) => {
    if (name !== 'send_objects') throw new Error(`${name} is not expected.`);
    await fails(state.parts);
    state.parts += 1;
    state.signal = call.signal;
    call.takeBytes?.(Buffer.alloc(PART_BYTES, state.parts));
    const answer: Output<'send_objects'> = {
      ...{ common: [], shallow: [], unshallow: [], objects: 1_000_000, content: null },
      next_cursor: `${state.parts}`,
    };
    return answer;
  });
  return { wiki, state };
}

let server = createGitServer({ version: '1', log: () => {} });

beforeEach(() => {
  server = createGitServer({ version: '1', log: () => {} });
});

async function fetchFrom(wiki: Wiki, more: Partial<GitCaller> & { signal?: AbortSignal; v0?: boolean } = {}) {
  const { signal, v0, ...caller } = more;
  const lines = v0
    ? [pktLine(`want ${OID}`), FLUSH, pktLine('done')]
    : [pktLine('command=fetch'), Buffer.from('0001'), pktLine(`want ${OID}`), pktLine('done'), FLUSH];
  const request = new Request('http://127.0.0.1/main.git/git-upload-pack', {
    method: 'POST',
    body: Buffer.concat(lines),
    headers: {
      'content-type': 'application/x-git-upload-pack-request',
      ...(!v0 && { 'git-protocol': 'version=2' }),
    },
    ...(signal && { signal }),
  });
  return server.fetch(request, {
    wiki,
    call: { caller: { author: { name: 'A', email: 'a@example.org' }, agent: null } },
    pushRefusal: () => null,
    ...caller,
  });
}

function readerOf({ body }: Response) {
  if (body === null) throw new Error('The answer is empty.');
  return body.getReader() as ReadableStreamDefaultReader<Uint8Array>;
}

/** The lines of the bands 2 and 3. */
function wordsIn(bytes: Uint8Array): string[] {
  const lines = new PktLines(bytes);
  const words: string[] = [];
  for (let line = lines.next(); line !== null; line = lines.next())
    if (line.kind === 'data' && [2, 3].includes(line.data[0] ?? 0))
      words.push(`${line.data[0]}: ${Buffer.from(line.data.subarray(1)).toString()}`);
  return words;
}

test('the next part is asked for when the client has taken the one before', async () => {
  const { wiki, state } = endlessWiki();
  const reader = readerOf(await fetchFrom(wiki));
  await pause(50);
  expect(state.parts).toBe(1);
  let taken = 0;
  while (taken < 5 * PART_BYTES) taken += (await reader.read()).value?.length ?? 0;
  expect(state.parts).toBeLessThanOrEqual(6);
  await reader.cancel();
});

test('an answer ends if the client leaves, and then leaves its turn to others', async () => {
  for (let at = 0; at < 40; at += 1) {
    const { wiki, state } = endlessWiki();
    const reader = readerOf(await fetchFrom(wiki));
    await reader.read();
    await reader.cancel();
    expect(state.signal?.aborted).toBe(false);
    const { parts } = state;
    await pause(1);
    expect(state.parts).toBe(parts);
  }
});

test.each([
  ['of all', undefined, 16],
  ['of one person', 'ada', 4],
])('of many clones %s at once those that find no turn are asked to wait', async (_, person, most) => {
  const more = { ...(person !== undefined && { person }) };
  const answers = await Promise.all(
    Array.from({ length: most + 1 }, () => fetchFrom(endlessWiki().wiki, more)),
  );
  const lengths = answers.map(({ headers }) => headers.get('content-type'));
  expect(new Set(lengths)).toEqual(new Set(['application/x-git-upload-pack-result']));
  const begun = await Promise.all(answers.map(async (answer) => (await readerOf(answer).read()).value));
  const refused = begun.filter((bytes) => Buffer.from(bytes ?? []).includes('ERR Too many clones'));
  expect(refused).toHaveLength(1);
  const other = await fetchFrom(endlessWiki().wiki, { person: 'grace' });
  const text = Buffer.from((await readerOf(other).read()).value ?? []).toString();
  expect(text.includes('packfile')).toBe(person !== undefined);
});

const cannotRead = async (part: number) => {
  if (part < 2) return;
  throw new WikiError('backend_unavailable', {
    happened: 'The disk\nis gone.',
    now: 'Nothing was read.',
    next: 'Wait.',
  });
};

test('an error in the middle is a sentence that git shows', async () => {
  const answer = await fetchFrom(endlessWiki(cannotRead).wiki);
  const words = wordsIn(Buffer.from(await answer.arrayBuffer()));
  expect(words).toEqual(['2: Sending 1000000 objects.\n', '3: The disk is gone. Wait.\n']);
});

test('without bands an error in the middle cuts the answer off', async () => {
  const answer = await fetchFrom(endlessWiki(cannotRead).wiki, { v0: true });
  await expect(answer.arrayBuffer()).rejects.toThrow('The disk');
});

test('an error before the pack is a sentence that git shows', async () => {
  const fails = async () => cannotRead(9);
  const v2 = await fetchFrom(endlessWiki(fails).wiki);
  expect([v2.status, await v2.text()]).toEqual([
    200,
    expect.stringMatching(/^....ERR The disk is gone\. Wait\.\n$/),
  ]);
  const v0 = await fetchFrom(endlessWiki(fails).wiki, { v0: true });
  expect(await v0.text()).toMatch(/^....ERR The disk is gone/);
});

test('an answer ends when the caller may not read any more', async () => {
  const { wiki } = endlessWiki();
  const ending = new AbortController();
  const answer = await fetchFrom(wiki, { until: ending.signal });
  const reader = readerOf(answer);
  const chunks: Uint8Array[] = [];
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    chunks.push(read.value);
    if (chunks.length === 30) ending.abort();
  }
  expect(wordsIn(Buffer.concat(chunks)).at(-1)).toMatch(/^3: The token was revoked/);
});

test('a failure that nobody foresaw is reported in general words, and its cause is logged', async () => {
  const logged: string[] = [];
  server = createGitServer({ version: '1', log: (line) => void logged.push(line) });
  const cause = new Error('/secret/path is gone');
  const { wiki } = endlessWiki(async () => {
    throw toWikiError(cause);
  });
  const text = await (await fetchFrom(wiki)).text();
  expect(text).toContain('ERR The wiki failed in a way that it did not foresee.');
  expect(text).not.toContain('secret');
  expect(logged).toEqual(['send_objects for git failed: /secret/path is gone']);
});
