import { fetchPack } from './fetch-pack.ts';
import { type Greeting, readGreeting } from './greeting.ts';
import { listRefs } from './list-refs.ts';
import { Patience } from './patience.ts';
import { pushBranch } from './push-branch.ts';
import type { FetchRequest, PushRequest, Remote, RemoteLimits } from './remote.ts';
import type { Service, Session, Transport } from './session.ts';

/** Speaks git's protocol over a transport: https://git-scm.com/docs/gitprotocol-v2, and version 0 where there is no other. */
export function remoteOver(
  transport: Transport,
  { agentName, limits }: { agentName: string; limits: RemoteLimits },
): Remote {
  const { remote } = transport;

  async function call<T>(
    service: Service,
    signal: AbortSignal | undefined,
    use: (session: Session, greeting: Greeting) => Promise<T>,
  ): Promise<T> {
    const patience = new Patience({ signal, idleMs: limits.idleMs, remote });
    try {
      return await transport.open(service, patience, async (session) => {
        session.greeting.limit('refs', limits.refsBytes);
        return use(session, await readGreeting(session.greeting, service, remote));
      });
    } catch (error) {
      // When a call is ended, much fails on the way. The reason is that it was ended.
      throw patience.signal.aborted ? patience.signal.reason : error;
    } finally {
      patience.end();
    }
  }

  return {
    refs: (signal) =>
      call('git-upload-pack', signal, (session, greeting) =>
        listRefs(session, greeting, { agentName, limits }),
      ),
    fetch: async (request: FetchRequest, signal) => {
      const haves = new Set(request.haves);
      if (request.wants.every((oid) => haves.has(oid))) return null;
      return call('git-upload-pack', signal, (session, greeting) =>
        fetchPack(session, greeting, request, { agentName, limits, remote }),
      );
    },
    push: (request: PushRequest, signal) =>
      call('git-receive-pack', signal, (session, greeting) =>
        pushBranch(session, greeting, request, { agentName, remote, secrets: transport.secrets }),
      ),
  };
}
