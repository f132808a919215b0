import { expect, test } from 'vitest';
import { type Reply, reply } from '../envelope.ts';
import { WikiError } from '../errors.ts';
import { refusedByContract, unreadableOutput, withSideToUpdate } from './contract-difference.ts';
import { CONTRACT_FINGERPRINT, CONTRACT_VERSION } from './contract-version.ts';

const SAME = { contract: CONTRACT_VERSION, fingerprint: CONTRACT_FINGERPRINT };
const OLDER = { contract: CONTRACT_VERSION - 1, fingerprint: CONTRACT_FINGERPRINT };
const NEWER = { contract: CONTRACT_VERSION + 1, fingerprint: CONTRACT_FINGERPRINT };
const ANOTHER = { contract: CONTRACT_VERSION, fingerprint: 'another' };

const BACKEND =
  'Update the backend: on AWS, deploy the stack again with `pnpm deploy:aws` from the version that this server has.';
const SERVER = 'Update this server to the version from which the backend was deployed.';
const BOTH = 'Update this server and the backend to the same version.';

const REFUSALS = [
  'The arguments of read_page do not fit: path is missing.',
  'There is no operation "read_page".',
  'The event is not a request to a wiki.',
];

test.each<[string, object, number, string, string, string]>([
  ['older', OLDER, CONTRACT_VERSION - 1, 'older than', 'does not know all that the call asks for', BACKEND],
  ['silent', {}, 1, 'older than', 'does not know all that the call asks for', BACKEND],
  [
    'newer',
    NEWER,
    CONTRACT_VERSION + 1,
    'newer than',
    'does not take the call as this server sends it',
    SERVER,
  ],
  [
    'another',
    ANOTHER,
    CONTRACT_VERSION,
    'of another build than',
    'does not take the call as this server sends it',
    BOTH,
  ],
])(
  'a client names the side to update if one that is %s refuses',
  (_, stated, contract, which, what, cure) => {
    for (const happened of REFUSALS) {
      expect(refusedByContract('read_page', failed(happened, stated))).toMatchObject({
        code: 'backend_unavailable',
        text: {
          happened: `The backend of this wiki is ${which} this server (contract ${contract}, here ${CONTRACT_VERSION}) and ${what}. It says: ${happened}`,
          now: 'Nothing was read or changed.',
          next: `Call again without what it does not take, or tell the person who runs this server: ${cure}`,
          atTerminal: cure,
        },
        data: { backend_contract: contract, server_contract: CONTRACT_VERSION },
      });
    }
  },
);

test.each([
  ['by a side of the same contract', failed(REFUSALS[0] ?? '', SAME)],
  ['for another reason', failed('The page is not there.', OLDER)],
  ['with another code', failed(REFUSALS[0] ?? '', OLDER, 'not_found')],
  ['for another operation', failed('The arguments of list_pages do not fit: a.', OLDER)],
])('what is refused %s is no matter of the contract', (_, answer) => {
  expect(refusedByContract('read_page', answer)).toBeNull();
});

test.each<[string, object, string]>([
  ['older', OLDER, SERVER],
  ['newer', NEWER, BACKEND],
  ['of another build', ANOTHER, BOTH],
  ['of a build that is no text', { ...SAME, fingerprint: 1 }, BOTH],
  ['of no build', { contract: CONTRACT_VERSION }, BOTH],
])('a function names the side to update to a client that is %s', (_, stated, cure) => {
  const cause = new Error('cause');
  const error = new WikiError('invalid_input', textOf(REFUSALS[0] ?? ''), { at: 1 }, { cause });
  const named = withSideToUpdate(error, { operation: 'read_page', ...stated });
  expect(named).toMatchObject({ code: 'invalid_input', data: { at: 1 }, cause });
  expect(named.text).toEqual({
    ...error.text,
    next: `Tell the person who runs this server: ${cure}`,
    atTerminal: cure,
  });
});

test.each<[string, unknown, string]>([
  ['nothing', null, REFUSALS[0] ?? ''],
  ['no contract', { operation: 'read_page' }, REFUSALS[0] ?? ''],
  ['no operation', { contract: OLDER.contract }, 'The event is not a request to a wiki.'],
  ['the same contract', { operation: 'read_page', ...SAME }, REFUSALS[0] ?? ''],
  ['another reason', { operation: 'read_page', ...OLDER }, 'The page is not there.'],
])('an error for a request with %s stays as it is', (_, event, happened) => {
  const error = new WikiError('invalid_input', textOf(happened));
  expect(withSideToUpdate(error, event)).toBe(error);
});

test.each<[string, object, string, string]>([
  ['older', OLDER, 'older than', BACKEND],
  ['newer', NEWER, 'newer than', SERVER],
  ['of the same contract', SAME, 'of another build than', BOTH],
  ['another build', ANOTHER, 'of another build than', BOTH],
])('an answer that cannot be read names the side to update: %s', (_, stated, which, cure) => {
  const contract = (stated as typeof SAME).contract;
  const happened = (operation: string) =>
    `The backend of this wiki is ${which} this server (contract ${contract}, here ${CONTRACT_VERSION}), and its answer to ${operation} cannot be read here.`;
  const data = { backend_contract: contract, server_contract: CONTRACT_VERSION };
  expect(unreadableOutput('read_page', {}, stated)).toMatchObject({
    code: 'backend_unavailable',
    text: { happened: happened('read_page'), now: 'Nothing was changed.', atTerminal: cure },
    data,
  });
  expect(unreadableOutput('write_page', {}, stated)).toMatchObject({
    code: 'write_state_unknown',
    text: {
      happened: happened('write_page'),
      now: 'It did what was asked for; read the page to see it.',
      atTerminal: cure,
    },
    data,
  });
});

function textOf(happened: string) {
  return { happened, now: 'Nothing was read or changed.', next: 'Mend it.' };
}

function failed(happened: string, stated: object, code = 'invalid_input'): Reply & { ok: false } {
  const answer = reply.parse({ ok: false, ...stated, error: { code, text: textOf(happened), data: {} } });
  if (answer.ok) throw new Error('A reply with an error is none with an output.');
  return answer;
}
