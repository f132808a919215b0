import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { RawHttp } from '../../../mcp-server/test/http/raw-http.ts';
import { storeRules } from '../../src/records/stored-rules.ts';
import { fetchAs } from '../clients/fetch-as.ts';
import { TestBrowser } from '../login/browser.ts';
import { OwnIssuer } from '../login/own-issuer.ts';
import { accessOf, HOST, logIn, MCP } from '../login/team.ts';
import { startWebLab } from './start-web-lab.ts';

const ADA = { sub: 'ada', email: 'ada@example.org', email_verified: true, name: 'Ada' };

/** The two functions, whose origin is that of a proxy with TLS, and an issuer. */
export async function openFunctions(variables: Record<string, string> = {}) {
  const issuer = await OwnIssuer.open();
  const directory = temporaryDirectory();
  const audited: Record<string, unknown>[] = [];
  const onLine = (line: string) => {
    if (line.startsWith('{"time"')) audited.push(JSON.parse(line));
  };
  const lab = await startWebLab({
    directory,
    origin: null,
    issuer: issuer.address,
    variables,
    ofWeb: { onLine },
  });
  onTestFinished(() => lab.stop());
  const port = Number(new URL(lab.origin).port);
  return {
    ...{ directory, port, audited, lab },
    /** The next request starts an environment that knows nothing of the others. */
    other: () => lab.web.recycle(),
    agent: (token: string) => new RawHttp(MCP, { Authorization: `Bearer ${token}` }, fetchAs(HOST, port)),
    rules: (rules: unknown) => storeRules(lab.aws.records, accessOf(rules)),
    async loggedIn(claims = ADA): Promise<TestBrowser> {
      const browser = new TestBrowser(port, HOST);
      expect((await logIn(browser, issuer, { claims })).status).toBe(200);
      return browser;
    },
  };
}

export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'web-clients-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return directory;
}
