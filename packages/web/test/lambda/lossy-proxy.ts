import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** Passes requests on to `url`. Of those that `isLost` chooses, the answer is lost on the way back. */
export async function startLossyProxy(
  url: string,
  isLost: (action: string) => boolean,
): Promise<{ url: string; stop(): void }> {
  const server = createServer(async (request, response) => {
    const action = String(request.headers['x-amz-target']);
    const headers = { 'x-amz-target': action, 'content-type': 'application/x-amz-json-1.0' };
    const answer = await fetch(url, { method: 'POST', headers, body: await buffer(request) });
    const body = Buffer.from(await answer.arrayBuffer());
    if (isLost(action)) return request.socket.destroy();
    response.writeHead(answer.status, { 'content-type': 'application/x-amz-json-1.0' }).end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}
