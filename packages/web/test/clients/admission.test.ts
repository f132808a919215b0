import { callOperation, type Wiki } from '@pagetree/wiki/contract';
import { expect, test, vi } from 'vitest';
import { Admission } from '../../src/clients/admission.ts';
import { accessOf } from '../login/team.ts';
import { ADA, openAdmission, READS, WRITES } from './open-admission.ts';

const WHO = { issuer: ADA.issuer, subject: 'ada' };
const OTHERS = [{ people: ['grace@example.org'], wikis: ['main'], may: 'read' }];

type Opened = Awaited<ReturnType<typeof openAdmission>>;

test.each<[what: string, change: (opened: Opened) => unknown]>([
  ['nothing changes', () => {}],
  [
    'the rights of others change',
    ({ rules }) => Object.assign(rules, { access: accessOf([...WRITES, ...OTHERS]) }),
  ],
])('an answer that lasts goes on when %s', (_, change) => lasts(change, false));

test.each<[what: string, change: (opened: Opened) => unknown]>([
  ['its person may write no more', ({ rules }) => Object.assign(rules, { access: accessOf(READS) })],
  ['its person may see nothing more', ({ rules }) => Object.assign(rules, { access: accessOf([]) })],
  ['its token is revoked', ({ tokens, id }) => tokens.revoke(ADA, id)],
  ['its person has another name', ({ people }) => people.remember({ ...ADA, name: 'Ada King' })],
  ['the rules cannot be known', ({ rules }) => Object.assign(rules, { fails: true })],
])('an answer that lasts ends when %s', (_, change) => lasts(change, true));

async function lasts(change: (opened: Opened) => unknown, ends: boolean): Promise<void> {
  const opened = await openAdmission();
  const { admission, admitted, secret, rules } = opened;
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const sent = Promise.withResolvers<void>();
  const until = admission.untilRevoked(secret, admitted.key, sent.promise);
  await vi.advanceTimersByTimeAsync(60_000);
  expect([until.aborted, rules.looks > 20]).toEqual([false, true]);
  await change(opened);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(until.aborted).toBe(ends);
  if (!ends) sent.resolve();
  // The answer has ended, so nobody looks any more.
  await vi.advanceTimersByTimeAsync(0);
  const { looks } = rules;
  await vi.advanceTimersByTimeAsync(60_000);
  expect([rules.looks, vi.getTimerCount(), until.aborted]).toEqual([looks, 0, ends]);
}

test('an answer whose rules something else looks at ends too', async () => {
  const { options, admitted, secret, rules } = await openAdmission();
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const sent = new Promise<void>(() => {});
  const until = new Admission(options).untilRevoked(secret, admitted.key, sent);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(until.aborted).toBe(false);
  rules.access = accessOf([]);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(until.aborted).toBe(true);
});

test('the log has each access of a client and each refusal, and no look of a stream', async () => {
  const { admission, admitted, audited, id, wiki } = await openAdmission();
  const client = { kind: 'token', id };
  const caller = { author: admitted.author, agent: null };
  const { wiki: limited, watched } = admission.wikisOf(admitted);
  const write = (reached: Wiki, path: string, agent: string | null = null) =>
    callOperation(
      reached,
      'write_page',
      { wiki: 'main', path, content: 'x\n' },
      { caller: { ...caller, agent } },
    );
  await write(limited, 'A');
  await write(limited, 'B', 'claude/1');
  await callOperation(watched, 'list_pages', { wiki: 'main' }, { caller });
  const { entries } = await wiki.get_history({ wiki: 'main', limit: 2 } as never, { caller });
  expect(entries.map(({ author, agent }) => [author, agent])).toEqual([
    ['Ada <ada@example.org>', 'claude/1'],
    ['Ada <ada@example.org>', 'script'],
  ]);
  admission.refused(admitted);
  admission.refusedPush(admitted, 'main');
  const access = { event: 'access', person: WHO, client: { ...client, name: 'script' } };
  const pushed = { operation: 'receive_push', wiki: 'main', isAllowed: false, effect: 'write', commit: null };
  expect(audited).toEqual([
    ...[0, 1].map(() => ({
      ...access,
      decision: expect.objectContaining({ operation: 'write_page', wiki: 'main', isAllowed: true }),
    })),
    { event: 'client refused', person: WHO, client: access.client },
    { ...access, decision: pushed },
  ]);
});

test('equal rights of another person or another client have another key', async () => {
  const { admission, admitted, tokens, people, secret, rules } = await openAdmission();
  rules.access = accessOf([{ everyone: true, wikis: ['main'], may: 'write' }]);
  const given = { may: 'write', wikis: null } as const;
  const grace = { ...ADA, subject: 'grace', email: 'grace@example.org', name: 'Grace' };
  await people.remember(grace);
  const keys = new Set([(await admission.admit(secret))?.key]);
  for (const person of [ADA, grace]) {
    const made = await tokens.make(person, { name: 'script', given, untilMs: 2_000_000 });
    keys.add((await admission.admit(made?.secret ?? ''))?.key);
  }
  expect([keys.size, keys.has(undefined), keys.has(admitted.key)]).toEqual([3, false, true]);
  expect(await admission.admit('none')).toBeNull();
});
