import { join } from 'node:path';
import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  type VersionNegotiationMode,
} from '@modelcontextprotocol/client';
import { expect, onTestFinished } from 'vitest';
import { git } from '../../../wiki/test/native-git.ts';
import { fetchAs } from '../clients/fetch-as.ts';
import type { TestBrowser } from '../login/browser.ts';
import { HOST, MCP } from '../login/team.ts';
import { KeptProvider } from './kept-provider.ts';
import { decide, openConsent } from './oauth-client.ts';

/** The eras of the protocol, as the client of the SDK names them. */
export const ERAS: readonly VersionNegotiationMode[] = ['legacy', { pin: '2026-07-28' }];

/**
 * Connects a client of the SDK that knows the address alone, for the person of a browser, and writes a page by it. Returns
 * the address to which it sent the person, and the commit.
 */
export async function writeBySdk(
  mode: VersionNegotiationMode,
  {
    browser,
    port,
    directory,
    document,
  }: { browser: TestBrowser; port: number; directory: string; document?: string },
): Promise<{ asked: URL; commit: string }> {
  const authProvider = new KeptProvider(document);
  const options = { authProvider, fetch: fetchAs(HOST, port) };
  const newClient = () => new Client({ name: 'sdk', version: '2' }, { versionNegotiation: { mode } });
  const first = new StreamableHTTPClientTransport(new URL(MCP), options);
  await expect(newClient().connect(first)).rejects.toThrow(UnauthorizedError);
  const asked = authProvider.asked ?? new URL(MCP);
  const back = await decide(browser, await openConsent(browser, asked.pathname + asked.search));
  await first.finishAuth(back.searchParams);

  const client = newClient();
  await client.connect(new StreamableHTTPClientTransport(new URL(MCP), options));
  onTestFinished(() => client.close());
  await client.callTool({ name: 'write_page', arguments: { path: 'Plan', content: 'by an agent\n' } });
  let commit = '';
  const follow = async () => {
    await client.callTool({ name: 'read_page', arguments: { path: 'Plan' } });
    commit = git(join(directory, 'main.git'), ['log', '-1', '--format=%an <%ae>%n%B', 'main']);
    return commit;
  };
  // At a function the branch follows a commit with a later call.
  await expect.poll(follow).toContain('\nCreate Plan\n');
  return { asked, commit };
}
