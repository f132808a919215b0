import { DELIM, FLUSH, pktLine } from '@pagetree/wiki/pkt-line';
import { commandHead } from './command-head.ts';
import type { Capabilities, Greeting } from './greeting.ts';
import type { Incoming } from './incoming.ts';
import { ReceivedPack } from './received-pack.ts';
import type { FetchRequest, RemoteLimits } from './remote.ts';
import { RemoteFailure } from './remote-failure.ts';
import type { Session } from './session.ts';
import { mainBand } from './side-bands.ts';

interface FetchOptions {
  agentName: string;
  limits: RemoteLimits;
  remote: string;
}

/**
 * Fetches a pack by one request that names everything and ends with `done`: the caller knows few commits that are worth
 * naming, those where both sides met last.
 */
export async function fetchPack(
  session: Session,
  greeting: Greeting,
  request: FetchRequest,
  options: FetchOptions,
): Promise<Uint8Array | null> {
  const { remote, limits } = options;
  const parts =
    greeting.version === 2
      ? requestOfV2(greeting.capabilities, request, options)
      : requestOfV0(greeting, request, options);
  const input = await session.ask(parts);
  // Besides the pack there are the heads of its packets, and what the remote says to people.
  input.limit('pack', 2 * limits.packBytes + EXTRA_BYTES);
  const isCut = request.depth !== undefined;
  await (greeting.version === 2 ? skipToPack(input, remote, isCut) : skipAcknowledgments(input, isCut));
  const pack = new ReceivedPack({ remote, maxBytes: limits.packBytes });
  for await (const piece of mainBand(input)) pack.add(piece);
  return pack.finish();
}

function requestOfV2(capabilities: Capabilities, request: FetchRequest, { agentName, remote }: FetchOptions) {
  const features = capabilities.get('fetch')?.split(' ');
  const { depth, filter, isWhole, isOfObjects } = request;
  const isFiltered = filter !== undefined && (features?.includes('filter') ?? false);
  if (
    features === undefined ||
    (depth !== undefined && !features.includes('shallow')) ||
    (isOfObjects && filter !== undefined && !isFiltered)
  )
    throw new RemoteFailure('unsupported', { remote, reason: 'capabilities' });
  const { wants, haves } = namesOf(request);
  const options = [
    ...(isWhole ? [] : ['thin-pack']),
    ...(depth === undefined ? [] : [`deepen ${depth}`]),
    ...(isFiltered ? [`filter ${filter}`] : []),
  ];
  return [
    ...commandHead('fetch', capabilities, agentName),
    DELIM,
    ...[...options, 'no-progress', 'ofs-delta', ...wants, ...haves, 'done'].map(pktLine),
    FLUSH,
  ];
}

function requestOfV0(
  { capabilities, isShallow }: Extract<Greeting, { version: 0 }>,
  request: FetchRequest,
  { agentName, remote }: FetchOptions,
): Buffer[] {
  if (isShallow) throw new RemoteFailure('unsupported', { remote, reason: 'shallow' });
  const { depth, isWhole, isOfObjects } = request;
  // Without version 2 a remote gives no other objects later, so that no filter is asked for.
  if (
    !capabilities.has('side-band-64k') ||
    isOfObjects ||
    (depth !== undefined && !capabilities.has('shallow'))
  )
    throw new RemoteFailure('unsupported', { remote, reason: 'capabilities' });
  // Some servers answer only clients that know detailed acknowledgments.
  const known = ['multi_ack_detailed', 'side-band-64k', 'ofs-delta', 'no-progress'];
  if (!isWhole) known.push('thin-pack');
  if (depth !== undefined) known.push('shallow');
  const chosen = known.filter((name) => capabilities.has(name));
  if (capabilities.has('agent')) chosen.push(`agent=${agentName}`);
  const { wants, haves } = namesOf(request);
  const [first, ...others] = wants;
  const cut = depth === undefined ? [] : [`deepen ${depth}`];
  return [`${first} ${chosen.join(' ')}`, ...others, ...cut]
    .map(pktLine)
    .concat(FLUSH, [...haves, 'done'].map(pktLine));
}

function namesOf({ wants, haves }: FetchRequest) {
  return {
    wants: [...new Set(wants)].map((oid) => `want ${oid}`),
    haves: [...new Set(haves)].map((oid) => `have ${oid}`),
  };
}

/** Reads the sections before the pack. */
async function skipToPack(input: Incoming, remote: string, isCut: boolean): Promise<void> {
  for (;;) {
    const section = await input.nextText();
    if (section === 'packfile') return;
    if (section === 'shallow-info' && !isCut)
      throw new RemoteFailure('unsupported', { remote, reason: 'shallow' });
    if (section === null) throw input.broken('no_pack');
    let line = await input.next();
    while (line?.kind === 'data') line = await input.next();
    if (line?.kind !== 'delim') throw input.broken(line === null ? 'cut_off' : 'no_pack');
  }
}

/** Reads up to the acknowledgment behind which the pack begins: the only one without a word after its oid. */
async function skipAcknowledgments(input: Incoming, isCut: boolean): Promise<void> {
  // The commits whose parents are left out come first.
  while (isCut && (await input.nextText()) !== null);
  for (;;) {
    const line = await input.nextText();
    if (line === 'NAK' || (line !== null && LAST.test(line))) return;
    if (line === null || !EARLIER.test(line)) throw input.broken('pkt_line');
  }
}

const LAST = /^ACK [0-9a-f]{40}$/;
const EARLIER = /^ACK [0-9a-f]{40} (continue|common|ready)$/;
const EXTRA_BYTES = 1_000_000;
