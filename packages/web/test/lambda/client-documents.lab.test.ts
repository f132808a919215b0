import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { installPrograms } from '../../../../labs/requirements.ts';
import { fetchAs } from '../clients/fetch-as.ts';
import { HOST, MCP } from '../login/team.ts';
import { openClientHost } from '../oauth/client-host.ts';
import { connect, OAuthClient } from '../oauth/oauth-client.ts';
import { ERAS, writeBySdk } from '../oauth/sdk-flow.ts';
import { openFunctions, temporaryDirectory } from './open-functions.ts';

beforeAll(() => installPrograms({ openssl: 'openssl' }));

test.each(ERAS)('the client of the SDK (%j) is known by its document', async (mode) => {
  const { id, certificate, served } = await openClientHost();
  const trusted = join(temporaryDirectory(), 'client.pem');
  writeFileSync(trusted, certificate);
  const { loggedIn, port, directory } = await openFunctions({
    NODE_OPTIONS: `--import ${new URL('as-if-public.mjs', import.meta.url).href}`,
    NODE_EXTRA_CA_CERTS: trusted,
  });
  const { asked, commit } = await writeBySdk(mode, {
    browser: await loggedIn(),
    port,
    directory,
    document: id,
  });
  expect(asked.searchParams.get('client_id')).toBe(id);
  expect(served.count).toBeGreaterThan(0);
  expect(commit).toMatch(/^Ada <ada@example\.org>\nCreate Plan\n[\s\S]*Agent: sdk\/2/);
});

test('all environments together let 60 clients register in an hour', async () => {
  const { port, other } = await openFunctions();
  const statuses: number[] = [];
  for (let at = 0; at < 62; at += 1) {
    if (at === 30) await other();
    statuses.push((await new OAuthClient(port).register()).status);
  }
  expect(statuses).toEqual([...Array(60).fill(201), 429, 429]);
});

test('nobody listens at a function, which would run as long, and nobody names its files', async () => {
  const { loggedIn, port, agent } = await openFunctions();
  const client = new OAuthClient(port);
  await client.register();
  const { access_token: token } = await connect(await loggedIn(), client);
  const http = agent(token);
  const { messages } = await http.modern('server/discover');
  expect(messages.at(-1)?.result).toMatchObject({ capabilities: { resources: {} } });
  expect(JSON.stringify(messages)).not.toContain('subscribe');
  const filter = { notifications: { resourceSubscriptions: ['wiki://main/Home'] } };
  expect((await http.modern('subscriptions/listen', filter)).status).toBe(404);
  const stream = await fetchAs(HOST, port)(MCP, { headers: { Authorization: `Bearer ${token}` } });
  expect(stream.status).toBe(405);

  // Nor does anybody read files there.
  for (const local_path of ['/etc/passwd', '/var/task/index.mjs', '.']) {
    const read = await http.modern('tools/call', { name: 'import_wiki', arguments: { local_path } });
    expect(read.messages.at(-1)?.result).toMatchObject({ isError: true });
    expect(JSON.stringify(read.messages)).toContain('No directory was allowed.');
  }
});
