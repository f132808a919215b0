import type { Server, Transport } from '@modelcontextprotocol/server';
import { type StdioServerHandle, serveStdio } from '@modelcontextprotocol/server/stdio';
import { describeError } from '../../log.ts';
import { MAX_LISTENS, makeServer, type ServerHost, shareOf } from '../server.ts';
import { Wire } from './wire.ts';

/**
 * Serves the wiki to the one client at the other end of `transport`. The client's first messages say by which era of the
 * protocol. `room` resolves when the client has read enough of the answers that there is room for another one. `close`
 * ends what the client listens to.
 */
export function serveOver(
  host: ServerHost,
  transport: Transport,
  room: () => Promise<void>,
): StdioServerHandle {
  let current: Server | null = null;
  const shared = shareOf(host, host.wiki, room, (uri) => {
    current
      ?.sendResourceUpdated({ uri })
      // The client has gone, which the transport notices by itself.
      .catch((error: unknown) => host.log(`an update was not sent: ${describeError(error)}`));
  });
  const onerror = (error: Error) => host.log(describeError(error));
  const wire = new Wire(transport, shared);
  return serveStdio(
    // Called a second time if a client asks by `server/discover` which versions there are and goes on with an older one.
    ({ era }) => {
      current = makeServer(host, shared, era, { lasts: true, canListen: true, client: undefined });
      return current;
    },
    { transport: wire, onerror, maxSubscriptions: MAX_LISTENS },
  );
}
