import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { freePort } from '../../../../labs/free-port.ts';
import { ServedWeb } from '../served-web.ts';
import { openHonestIssuer } from './honest-issuer.ts';
import { CLIENT } from './own-issuer.ts';
import { ORIGIN } from './team.ts';

/** The options of `serve` for a team whose people log in at the honest issuer, with their files in a directory that is removed. `atEnd` takes what ends it all. */
export async function prepareTeam(
  rules: unknown,
  given?: number,
  atEnd: (end: () => void) => void = onTestFinished,
) {
  const directory = mkdtempSync(join(tmpdir(), 'pagetree-serve-team-'));
  atEnd(() => rmSync(directory, { recursive: true, force: true }));
  const issuer = await openHonestIssuer(ORIGIN, atEnd);
  const files = { secret: join(directory, 'secret'), access: join(directory, 'access.json') };
  const setRules = (changed: unknown) =>
    writeFileSync(files.access, JSON.stringify({ version: 1, rules: changed }));
  writeFileSync(files.secret, `${CLIENT.secret}\n`);
  setRules(rules);
  const port = given ?? (await freePort());
  const args = [
    ...['--port', `${port}`, '--public-url', ORIGIN, '--issuer', issuer],
    ...['--client-id', CLIENT.id, '--client-secret-file', files.secret, '--access', files.access],
  ];
  return { directory, wikis: join(directory, 'wikis'), args, files, setRules, issuer, port };
}

/** `pnpm serve` for a team, as a process of its own. */
export async function serveTeam(rules: unknown) {
  const team = await prepareTeam(rules);
  const web = new ServedWeb(['--dir', team.wikis, ...team.args]);
  onTestFinished(async () => {
    await web.stop('SIGKILL');
  });
  await web.address();
  return { ...team, web };
}
