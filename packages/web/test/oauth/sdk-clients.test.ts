import { join } from 'node:path';
import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  type VersionNegotiationMode,
} from '@modelcontextprotocol/client';
import { expect, onTestFinished, test } from 'vitest';
import { git } from '../../../wiki/test/native-git.ts';
import { fetchAs } from '../clients/fetch-as.ts';
import { HOST, MCP, ORIGIN, openTeam } from '../login/team.ts';
import { KeptProvider } from './kept-provider.ts';
import { decide, openConsent } from './oauth-client.ts';

const ADA = { sub: 'ada', email: 'ada@example.org', email_verified: true, name: 'Ada' };

const MODES: readonly VersionNegotiationMode[] = ['legacy', { pin: '2026-07-28' }];

test.each(MODES)(
  'the client of the SDK (%j) is given an address alone, and writes for a person',
  async (mode) => {
    const { loggedIn, port, directory } = await openTeam();
    const browser = await loggedIn(ADA);
    const authProvider = new KeptProvider();
    const options = { authProvider, fetch: fetchAs(HOST, port) };
    const newClient = () => new Client({ name: 'sdk', version: '2' }, { versionNegotiation: { mode } });
    const first = new StreamableHTTPClientTransport(new URL(MCP), options);
    await expect(newClient().connect(first)).rejects.toThrow(UnauthorizedError);
    const asked = authProvider.asked ?? new URL(MCP);
    expect(asked.origin).toBe(ORIGIN);
    const back = await decide(browser, await openConsent(browser, asked.pathname + asked.search));
    await first.finishAuth(back.searchParams);

    const client = newClient();
    await client.connect(new StreamableHTTPClientTransport(new URL(MCP), options));
    onTestFinished(() => client.close());
    await client.callTool({ name: 'write_page', arguments: { path: 'Plan', content: 'by an agent\n' } });
    const log = git(join(directory, 'main.git'), ['log', '-1', '--format=%an <%ae>%n%B', 'main']);
    expect(log).toMatch(/^Ada <ada@example\.org>\nCreate Plan\n/);
    expect(log).toContain('Agent: sdk/2');
  },
);
