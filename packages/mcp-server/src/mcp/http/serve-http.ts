import type { Server } from '@modelcontextprotocol/server';
import type { Wiki } from '@pagetree/wiki/contract';
import { Listens } from '../listens.ts';
import { withOldCode } from '../request-context.ts';
import { makeServer, type ServerHost, shareOf } from '../server.ts';
import { clientOfSession, sessionOf } from './client-session.ts';
import { Endpoint, type EndpointHost } from './endpoint.ts';

export interface HttpHost extends ServerHost, Pick<EndpointHost, 'refusalOf' | 'room' | 'bounds'> {
  /**
   * The same wiki, for the looks that find out what changed. Null if the process may stop whenever nothing is asked: then
   * clients cannot listen to changes.
   */
  watched: Wiki | null;
}

/** Serves the wiki's tools, resources and prompts by HTTP. */
export function serveHttp({ watched, ...host }: HttpHost): Endpoint {
  const shared = shareOf(
    host,
    watched ?? host.wiki,
    async () => {},
    (uri) => endpoint.resourceUpdated(uri),
  );
  const canListen = watched !== null;
  const listens = new Listens(shared);
  const { refusalOf, room, bounds, log } = host;
  const endpoint = new Endpoint({
    refusalOf,
    room,
    bounds,
    log,
    factory: ({ era, requestInfo }) => {
      const client = requestInfo && clientOfSession(sessionOf(requestInfo));
      const connection = { lasts: false, canListen: canListen && era === 'modern', client };
      const server = makeServer(host, shared, era, connection);
      return era === 'legacy' ? sendingOldCodes(server) : server;
    },
    watch: canListen ? (uris, ended) => listens.watch(uris, ended) : null,
  });
  return endpoint;
}

function sendingOldCodes(server: Server): Server {
  const connect = server.connect.bind(server);
  server.connect = (transport) => {
    const send = transport.send.bind(transport);
    transport.send = (message, options) => send(withOldCode(message), options);
    return connect(transport);
  };
  return server;
}
