import { expect, onTestFinished, test } from 'vitest';
import { sampled } from '../../../../labs/sample.ts';
import { connect } from '../../src/contract/connect.ts';
import { callOperation, dispatch } from '../../src/contract/dispatch.ts';
import type { Request } from '../../src/contract/envelope.ts';
import { operationNames } from '../../src/contract/operations.ts';
import { CONTRACT_FINGERPRINT, CONTRACT_VERSION } from '../../src/contract/versions/contract-version.ts';
import type { Wiki } from '../../src/contract/wiki.ts';
import { openWiki } from '../../src/open-wiki.ts';
import { temporaryDirectory } from '../native-git.ts';
import { call, calls, filledIn } from './skew-calls.ts';
import { storedContracts } from './stored-contracts.ts';
import { functionOf, type StoredSide, sideOf, travelled } from './stored-side.ts';

const everySide = storedContracts().map(sideOf);
const sides = sampled(
  everySide,
  everySide.filter((_, at) => at % 5 === 0 || at === everySide.length - 1),
);

async function newWiki(): Promise<Wiki> {
  const host = { backend: 'local', versions: {}, problems: [] };
  const opened = await openWiki({ directory: temporaryDirectory(), wiki: null, placement: 'local', host });
  onTestFinished(() => opened.close());
  // Only with this leave a call of sync_wiki is answered.
  const remote = { url: 'https://example.org/x.git', mode: 'pull', branch: null, every_ms: 60_000 } as const;
  await opened.wiki.set_remote({ remote: { ...remote, token_from: null, agents_may_sync: true } }, call);
  return opened.wiki;
}

test('the calls of these tests are of every operation', () => {
  const called = new Set<string>(calls.map(([operation]) => operation));
  expect(operationNames.filter((name) => !called.has(name))).toEqual(['revert_commit', 'import_wiki']);
});

test.each(sides)(
  'a function of contract $version serves a client of this one, which sends it only the given arguments',
  async (side) => {
    const seen: Request[] = [];
    const connected = connect(functionOf(side, await newWiki(), seen));
    for (const [operation, given] of calls.filter(([name]) => side.knows(name))) {
      const input = await filledIn(connected, given);
      await callOperation(connected, operation, input, call);
      const sent = seen.at(-1)?.input as Record<string, unknown>;
      expect(sent, operation).toEqual(withoutGivenDefaults(side, operation, input));
    }
  },
);

/** A field that was given its default may be left out too: it means the same. */
function withoutGivenDefaults(side: StoredSide, operation: string, input: Record<string, unknown>) {
  const defaults = side.defaultsOf(operation);
  return Object.fromEntries(Object.entries(input).filter(([name, value]) => defaults[name] !== value));
}

test.each(sides)(
  'a function of this contract serves a client of contract $version, which sends every default',
  async (side) => {
    const wiki = await newWiki();
    for (const [operation, given] of calls.filter(([name]) => side.knows(name))) {
      const input = side.parseInput(operation, await filledIn(wiki, given));
      const request = { pagetree: 1, operation, input, caller: call.caller, ...side.states };
      const answer = side.reply.parse(
        travelled(await dispatch(wiki, travelled(side.request.parse(request)))),
      ) as { ok: boolean; output: unknown };
      expect(answer, operation).toMatchObject({ ok: true });
      side.parseOutput(operation, answer.output);
    }
  },
);

test('a write repeated across an update of either side counts as the same request', async () => {
  const wiki = await newWiki();
  const clients = [
    ...sides.map((side) => connect(functionOf(side, wiki))),
    connect((request) => dispatch(wiki, travelled(request))),
    wiki,
  ];
  const writes: typeof calls = [
    ['write_page', { path: 'A', content: 'a', request_id: 'w' }],
    ['edit_page', { path: 'A', edits: [{ old_string: 'a', new_string: 'b' }], request_id: 'e' }],
    ['append_to_page', { path: 'A', content: 'c', request_id: 'a' }],
    ['move_page', { path: 'A', new_path: 'B', request_id: 'm' }],
    [
      'commit_changes',
      {
        message: 'm',
        changes: [{ op: 'edit', path: 'B', edits: [{ old_string: 'c', new_string: 'd' }] }],
        request_id: 'c',
      },
    ],
  ];
  for (const [operation, input] of writes) {
    const answers = [];
    for (const client of clients) answers.push(await callOperation(client, operation, input, call));
    for (const { parseInput } of sides)
      answers.push(await callOperation(wiki, operation, parseInput(operation, input), call));
    for (const answer of answers) expect(answer, operation).toEqual(answers[0]);
  }
});

test.each(sides)(
  'both sides state their contract, and a function that is rolled back to contract $version still works',
  async (side) => {
    const wiki = await newWiki();
    const stated: unknown[] = [];
    let isRolledBack = false;
    const connected = connect(async (request) => {
      const { contract, fingerprint } = request;
      stated.push({ contract, fingerprint });
      if (isRolledBack) return functionOf(side, wiki)(request);
      const answer = await dispatch(wiki, travelled(request));
      expect(answer).toMatchObject(all);
      return answer;
    });
    const all = { contract: CONTRACT_VERSION, fingerprint: CONTRACT_FINGERPRINT };
    await connected.wiki_status({}, call);
    await connected.wiki_status({}, call);
    isRolledBack = true;
    await connected.write_page({ path: 'A', content: 'a', allow_shrink: false }, call);
    await connected.wiki_status({}, call);
    // The client sends only the facts that the other side states too. If the function refuses a request with more, the
    // client sends it again without them.
    const known = {
      contract: side.states.contract && CONTRACT_VERSION,
      fingerprint: side.states.fingerprint && CONTRACT_FINGERPRINT,
    };
    const rolledBack = 'fingerprint' in side.states ? [known, known] : [all, known, known];
    expect(stated).toEqual([{ contract: undefined, fingerprint: undefined }, all, ...rolledBack]);
  },
);
