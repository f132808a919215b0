import { FLUSH, pktLine } from '@pagetree/wiki/pkt-line';
import type { Greeting } from './greeting.ts';
import { PushReport } from './push-report.ts';
import type { PushRequest } from './remote.ts';
import { RemoteFailure } from './remote-failure.ts';
import type { Session } from './session.ts';
import { mainBand } from './side-bands.ts';

/** Moves a branch of the remote, and returns when the remote says that it did. */
export async function pushBranch(
  session: Session,
  greeting: Greeting,
  { ref, from, to, pack }: PushRequest,
  { agentName, remote, secrets }: { agentName: string; remote: string; secrets: readonly string[] },
): Promise<void> {
  if (greeting.version === 2) throw new RemoteFailure('unsupported', { remote, reason: 'capabilities' });
  const { capabilities, refs } = greeting;
  const found = refs.refs.get(ref) ?? null;
  if (found === to) return;
  if (found !== from) throw new RemoteFailure('moved', { remote });
  for (const needed of ['report-status', 'side-band-64k', 'ofs-delta'])
    if (!capabilities.has(needed)) throw new RemoteFailure('unsupported', { remote, reason: 'capabilities' });
  const chosen = ['report-status', 'side-band-64k', ...(capabilities.has('quiet') ? ['quiet'] : [])];
  if (capabilities.has('agent')) chosen.push(`agent=${agentName}`);
  const command = `${from ?? NO_OID} ${to} ${ref}\0 ${chosen.join(' ')}`;
  const input = await session.ask([pktLine(Buffer.from(command)), FLUSH, pack]);
  input.limit('answer', MAX_ANSWER_BYTES);
  const report = new PushReport({ ref, remote, secrets });
  try {
    for await (const piece of mainBand(input, (words) => report.say(words))) report.add(piece);
  } catch (error) {
    // The report counts: a hook that runs after the branch has moved changes nothing.
    if (!(error instanceof RemoteFailure && report.isComplete)) throw error;
  }
  report.judge();
}

/** In place of a commit that is not there. */
const NO_OID = '0'.repeat(40);
/** The report, and all that hooks print. */
const MAX_ANSWER_BYTES = 10_000_000;
