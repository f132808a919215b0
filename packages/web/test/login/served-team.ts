import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { freePort } from '../../../../labs/free-port.ts';
import { ServedWeb } from '../served-web.ts';
import { openHonestIssuer } from './honest-issuer.ts';
import { CLIENT } from './own-issuer.ts';
import { ORIGIN } from './team.ts';

/** `pnpm serve` for a team, as a process of its own, with people who log in at the honest issuer. */
export async function serveTeam(rules: unknown) {
  const directory = mkdtempSync(join(tmpdir(), 'pagetree-serve-team-'));
  const issuer = await openHonestIssuer(ORIGIN);
  const files = { secret: join(directory, 'secret'), access: join(directory, 'access.json') };
  const setRules = (changed: unknown) =>
    writeFileSync(files.access, JSON.stringify({ version: 1, rules: changed }));
  writeFileSync(files.secret, `${CLIENT.secret}\n`);
  setRules(rules);
  const port = await freePort();
  const wikis = join(directory, 'wikis');
  const args = [
    ...['--port', `${port}`, '--dir', wikis, '--public-url', ORIGIN, '--issuer', issuer],
    ...['--client-id', CLIENT.id, '--client-secret-file', files.secret, '--access', files.access],
  ];
  const web = new ServedWeb(args);
  onTestFinished(async () => {
    await web.stop('SIGKILL');
    rmSync(directory, { recursive: true, force: true });
  });
  await web.address();
  return { web, wikis, files, setRules, issuer, port };
}
