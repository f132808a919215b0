import { join } from 'node:path';
import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  type VersionNegotiationMode,
} from '@modelcontextprotocol/client';
import { expect, onTestFinished, test } from 'vitest';
import { git } from '../../../wiki/test/native-git.ts';
import { fetchAs } from '../clients/fetch-as.ts';
import { HOST, MCP, ORIGIN, openTeam } from '../login/team.ts';
import { decide, openConsent, REDIRECT } from './oauth-client.ts';

const ADA = { sub: 'ada', email: 'ada@example.org', email_verified: true, name: 'Ada' };

/** What a program keeps between the steps of the flow. */
class KeptProvider implements OAuthClientProvider {
  readonly redirectUrl = REDIRECT;
  readonly clientMetadata = { redirect_uris: [REDIRECT], client_name: 'A client of the SDK' };
  /** The address to which the person is sent. */
  asked: URL | null = null;
  #client: Awaited<ReturnType<NonNullable<OAuthClientProvider['clientInformation']>>>;
  #tokens: Awaited<ReturnType<OAuthClientProvider['tokens']>>;
  #verifier = '';

  clientInformation() {
    return this.#client;
  }
  saveClientInformation(client: Parameters<NonNullable<OAuthClientProvider['saveClientInformation']>>[0]) {
    this.#client = client;
  }
  tokens() {
    return this.#tokens;
  }
  saveTokens(tokens: Parameters<OAuthClientProvider['saveTokens']>[0]) {
    this.#tokens = tokens;
  }
  redirectToAuthorization(address: URL) {
    this.asked = address;
  }
  saveCodeVerifier(verifier: string) {
    this.#verifier = verifier;
  }
  codeVerifier() {
    return this.#verifier;
  }
}

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
