import { FLUSH, pktLine } from '@pagetree/wiki/pkt-line';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openHttpRemote } from '../../src/transport/http/open-http-remote.ts';
import type { Remote } from '../../src/transport/remote.ts';
import { RemoteFailure } from '../../src/transport/remote-failure.ts';
import { type HttpUrl, parseRemoteUrl } from '../../src/transport/remote-url.ts';
import { filledRepository, localRepository } from './repositories.ts';
import { serveRepository } from './served-repository.ts';

const LIMITS = { packBytes: 5_000, refsBytes: 2_000, idleMs: 10_000 };
const REF = 'refs/heads/main';

/** A damage to an answer of git. */
const damages = fc.oneof(
  fc.record({ at: fc.nat(), bit: fc.nat(7) }).map(({ at, bit }) => (body: Buffer) => {
    const changed = Buffer.from(body);
    const index = at % Math.max(1, body.length);
    if (body.length > 0) changed[index] = (changed[index] ?? 0) ^ (1 << bit);
    return changed;
  }),
  fc.nat().map((at) => (body: Buffer) => body.subarray(0, at % (body.length + 1))),
  fc.nat().map((at) => (body: Buffer) => body.subarray(at % (body.length + 1))),
  fc.record({ at: fc.nat(), count: fc.nat(400) }).map(({ at, count }) => (body: Buffer) => {
    const index = at % (body.length + 1);
    return Buffer.concat([body.subarray(0, index), ...Array(count).fill(body.subarray(index, index + 40))]);
  }),
  fc.uint8Array({ maxLength: 300 }).map((bytes) => () => Buffer.from(bytes)),
  fc
    .array(
      fc.oneof(fc.constant(FLUSH), fc.uint8Array({ maxLength: 50 }).map(pktLine), fc.string().map(pktLine)),
    )
    .map((lines) => (body: Buffer) => Buffer.concat([...lines, body])),
);

/** One body in pieces of any size. */
function inPieces(body: Buffer, size: number): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (let at = 0; at < body.length; at += size) controller.enqueue(body.subarray(at, at + size));
      controller.close();
    },
  });
}

test('whatever a server answers, a call ends with what was there or with a failure', async () => {
  const { bare, second } = filledRepository();
  const local = localRepository(bare);
  const oid = local.commit('Page.md', 'text\n');
  const pack = local.pack(oid, second);
  const calls: ((remote: Remote) => Promise<unknown>)[] = [
    (remote) => remote.refs(),
    (remote) => remote.fetch({ wants: [second], haves: [] }),
    (remote) => remote.push({ ref: REF, from: second, to: oid, pack }),
  ];
  const { url } = await serveRepository(bare);
  const parsed = parseRemoteUrl(url) as HttpUrl;
  /** The answers of git, by call and place. */
  const known = new Map<string, { type: string; body: Buffer }>();
  const outcomes = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        call: fc.nat(2),
        isV0: fc.boolean(),
        place: fc.nat(1),
        damage: fc.array(damages, { minLength: 1, maxLength: 2 }),
        size: fc.integer({ min: 1, max: 2_000 }),
      }),
      async ({ call, isV0, place, damage, size }) => {
        let at = 0;
        const answering: typeof fetch = async (address, init) => {
          const key = `${call} ${isV0} ${at}`;
          const headers = new Headers(init?.headers);
          if (isV0) headers.delete('git-protocol');
          const answer = known.get(key) ?? (await realAnswer(address, { ...init, headers } as RequestInit));
          known.set(key, answer);
          const body = at === place ? damage.reduce((bytes, each) => each(bytes), answer.body) : answer.body;
          at += 1;
          return new Response(inPieces(body, size), { headers: { 'content-type': answer.type } });
        };
        const remote = openHttpRemote({
          url: parsed,
          credentials: async () => null,
          agentName: 'pagetree/1.2.3',
          limits: LIMITS,
          fetch: answering,
        });
        const outcome = await calls[call]?.(remote).then(
          (value) => value,
          (error: unknown) => error,
        );
        const isFailure = outcome instanceof RemoteFailure;
        if (outcome instanceof Error && !isFailure) throw outcome;
        if (isFailure)
          expect(['broken', 'too_large', 'moved', 'refused', 'unsupported']).toContain(outcome.code);
        if (outcome instanceof Uint8Array) expect(outcome.length).toBeLessThanOrEqual(LIMITS.packBytes);
        const name = isFailure ? outcome.code : 'success';
        outcomes.set(name, (outcomes.get(name) ?? 0) + 1);
      },
    ),
    { numRuns: 500 },
  );
  // The damage is seen, and not every one of them hides the rest.
  expect([...outcomes.keys()]).toEqual(expect.arrayContaining(['success', 'broken']));
});

async function realAnswer(
  address: string | URL | Request,
  init: RequestInit,
): Promise<{ type: string; body: Buffer }> {
  const response = await fetch(address, init);
  return {
    type: response.headers.get('content-type') ?? '',
    body: Buffer.from(await response.arrayBuffer()),
  };
}
