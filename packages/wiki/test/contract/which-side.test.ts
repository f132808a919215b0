import { expect, test } from 'vitest';
import { connect } from '../../src/contract/connect.ts';
import { callOperation, dispatch } from '../../src/contract/dispatch.ts';
import { contractOfThisSide } from '../../src/contract/envelope.ts';
import type { OperationName } from '../../src/contract/operations.ts';
import { CONTRACT_VERSION } from '../../src/contract/versions/contract-version.ts';
import type { Wiki } from '../../src/contract/wiki.ts';
import { call } from './skew-calls.ts';
import { refusal } from './stored-side.ts';

/** A call that the other side cannot serve is answered with the side to update. */

const older = [{}, { contract: 2 }, { contract: CONTRACT_VERSION - 1, fingerprint: '0' }];
const newer = { contract: CONTRACT_VERSION + 1, fingerprint: 'f' };
const otherBuild = { contract: CONTRACT_VERSION, fingerprint: 'f' };

const refusals = [
  'The arguments of read_page do not fit: read_page takes no "lens".',
  'There is no operation "read_page".',
  'The event is not a request to a wiki.',
];

/** Calls an operation of a function that gives this answer. */
const callWith = (answer: unknown, operation: OperationName, input: unknown) =>
  callOperation(
    connect(async () => answer),
    operation,
    input,
    call,
  );
const read = (answer: unknown) => callWith(answer, 'read_page', { path: 'A' });

test.each(refusals)(
  'a function that refuses a call of this contract is older, newer, or of another build: %s',
  async (happened) => {
    for (const states of older)
      await expect(read(refusal(happened, states))).rejects.toMatchObject({
        code: 'backend_unavailable',
        text: {
          happened: expect.stringMatching(
            /^The backend of this wiki is older than this server \(contract \d+, here \d+\) and does not know all that the call asks for\. It says: /,
          ),
          now: 'Nothing was read or changed.',
          next: expect.stringMatching(
            /^Call again without what it does not take, or tell the person .* `pnpm deploy:aws`/,
          ),
          atTerminal: expect.stringMatching(/^Update the backend/),
        },
      });
    await expect(read(refusal(happened, newer))).rejects.toMatchObject({
      code: 'backend_unavailable',
      text: {
        happened: expect.stringMatching(/^The backend of this wiki is newer than this server/),
        atTerminal: expect.stringMatching(/^Update this server to/),
      },
    });
    await expect(read(refusal(happened, otherBuild))).rejects.toMatchObject({
      code: 'backend_unavailable',
      text: {
        happened: expect.stringMatching(/^The backend of this wiki is of another build than this server/),
        atTerminal: expect.stringMatching(/^Update this server and the backend/),
      },
    });
  },
);

test('a function of the same contract refuses the arguments themselves', async () => {
  await expect(read(refusal(refusals[0] ?? '', contractOfThisSide))).rejects.toMatchObject({
    code: 'invalid_input',
    text: { happened: refusals[0], next: 'Call it again with these corrected.' },
  });
  await expect(read(refusal('A page needs a name.', newer))).rejects.toMatchObject({ code: 'invalid_input' });
});

test.each([
  ['an older client', { contract: CONTRACT_VERSION - 1 }, /^.*: Update this server to/],
  ['a newer client', newer, /^.*: Update the backend/],
  ['a client of another build', otherBuild, /^.*: Update this server and the backend/],
  ['a client of the same contract', contractOfThisSide, /^(read_page takes|Call one of|Send )/],
  ['a client that states no contract', {}, /^(read_page takes|Call one of|Send )/],
])('the function says to %s which side to update', async (_, states, next) => {
  const request = {
    pagetree: 1,
    operation: 'read_page',
    input: { path: 'A' },
    caller: call.caller,
    ...states,
  };
  for (const event of [
    { ...request, input: { path: 'A', lens: 1 } },
    { ...request, operation: 'new_operation' },
    { ...request, lens: 1 },
  ]) {
    const answer = await dispatch({} as Wiki, event);
    // Its first words stay: by these the client knows that nothing was done.
    expect(answer).toMatchObject({
      ok: false,
      error: {
        code: 'invalid_input',
        text: {
          happened: expect.stringMatching(
            /^(The arguments of read_page do not fit|There is no op|The event is not)/,
          ),
          next: expect.stringMatching(next),
        },
      },
    });
  }
});

test('an event that is no object is refused', async () => {
  for (const event of [null, undefined, 'text', 1])
    expect(await dispatch({} as Wiki, event)).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
});

test('an unreadable answer gives an error that says which side to update', async () => {
  const answer = (states: object) => ({ ok: true, ...states, output: {} });
  await expect(read(answer(newer))).rejects.toMatchObject({
    text: {
      happened: expect.stringContaining('newer than'),
      atTerminal: expect.stringMatching(/^Update this server to/),
    },
  });
  for (const states of older)
    await expect(read(answer(states))).rejects.toMatchObject({
      text: {
        happened: expect.stringContaining('older than'),
        atTerminal: expect.stringMatching(/^Update the backend/),
      },
    });
  await expect(read(answer(otherBuild))).rejects.toMatchObject({
    text: { atTerminal: expect.stringMatching(/^Update this server and the backend/) },
  });
  const unread = connect(async () => answer({}));
  const write = callOperation(unread, 'write_page', { path: 'A', content: 'a' }, call);
  await expect(write).rejects.toMatchObject({ code: 'write_state_unknown' });
});

test('a call that only reads is never reported as a write of unknown state', async () => {
  const check = (answer: unknown) => callWith(answer, 'maintain_wiki', { mode: 'check' });
  for (const answer of [null, 'text', { ok: true, contract: 9, output: {} }])
    await expect(check(answer)).rejects.toMatchObject({
      code: 'backend_unavailable',
      text: { now: expect.stringMatching(/^Nothing was (read or )?changed\.$/) },
    });
});

test('an unknown error code of a newer side becomes a general error with the same words', async () => {
  const text = { happened: 'A.', now: 'B.', next: 'C.' };
  const connected = connect(async () => ({
    ok: false,
    contract: 9,
    error: { code: 'quota', text, data: {} },
  }));
  await expect(connected.wiki_status({}, call)).rejects.toMatchObject({ code: 'internal', text });
});
