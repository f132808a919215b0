import { isOid, type Oid } from '@pagetree/wiki/oid';
import { DELIM, FLUSH, pktLine } from '@pagetree/wiki/pkt-line';
import { commandHead } from './command-head.ts';
import { BRANCHES, type Greeting } from './greeting.ts';
import type { RemoteLimits, RemoteRefs } from './remote.ts';
import type { Session } from './session.ts';

/** The branches of the remote, and the one that HEAD names. */
export async function listRefs(
  session: Session,
  greeting: Greeting,
  { agentName, limits }: { agentName: string; limits: RemoteLimits },
): Promise<RemoteRefs> {
  if (greeting.version === 0) return greeting.refs;
  const isUnbornListed = greeting.capabilities.get('ls-refs')?.split(' ').includes('unborn') ?? false;
  const lines = [
    'symrefs',
    ...(isUnbornListed ? ['unborn'] : []),
    'ref-prefix HEAD',
    `ref-prefix ${BRANCHES}`,
  ];
  const head = commandHead('ls-refs', greeting.capabilities, agentName);
  const input = await session.ask([...head, DELIM, ...lines.map(pktLine), FLUSH]);
  input.limit('refs', limits.refsBytes);
  const refs = new Map<string, Oid>();
  let target: string | null = null;
  for (let line = await input.nextText(); line !== null; line = await input.nextText()) {
    const [oid = '', name = '', ...attributes] = line.split(' ');
    if (name === '' || !(isOid(oid) || oid === 'unborn')) throw input.broken('pkt_line');
    if (name === 'HEAD') target = targetOf(attributes);
    else if (name.startsWith(BRANCHES) && oid !== 'unborn') refs.set(name, oid);
  }
  return { head: target?.startsWith(BRANCHES) ? target : null, refs };
}

function targetOf(attributes: readonly string[]): string | null {
  const target = attributes.find((each) => each.startsWith(TARGET));
  return target === undefined ? null : target.slice(TARGET.length);
}

const TARGET = 'symref-target:';
