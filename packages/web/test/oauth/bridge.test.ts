import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { expect, test } from 'vitest';
import { HOST, openTeam } from '../login/team.ts';

test('a client decides whether its connection stays open', async () => {
  const { port } = await openTeam();
  for (const connection of ['close', 'keep-alive']) {
    const headers = { host: HOST, connection, 'content-type': 'application/x-www-form-urlencoded' };
    const sent = request({ port, path: '/_/oauth/token', method: 'POST', agent: false, headers });
    sent.end('client_id=nobody');
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    expect([answer.statusCode, answer.headers.connection]).toEqual([401, connection]);
    sent.destroy();
  }
});
