import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { freePort } from '../../../../labs/free-port.ts';
import { ServedWeb } from '../served-web.ts';
import { openHonestIssuer } from './honest-issuer.ts';
import { CLIENT } from './own-issuer.ts';
import { ORIGIN } from './team.ts';

interface TeamOptions {
  port?: number;
  origin?: string;
  /** By default the honest one, which knows this origin. */
  issuer?: string;
  /** Takes what ends it all, by default at the end of the test. */
  atEnd?: (end: () => void | Promise<void>) => void;
}

/** The options of `serve` for a team whose people log in at the honest issuer, with their files in a directory that is removed. */
export async function prepareTeam(
  rules: unknown,
  { origin = ORIGIN, atEnd = onTestFinished, ...given }: TeamOptions = {},
) {
  const directory = mkdtempSync(join(tmpdir(), 'pagetree-serve-team-'));
  atEnd(() => rmSync(directory, { recursive: true, force: true }));
  const issuer = given.issuer ?? (await openHonestIssuer(origin, atEnd));
  const files = { secret: join(directory, 'secret'), access: join(directory, 'access.json') };
  const setRules = (changed: unknown) =>
    writeFileSync(files.access, JSON.stringify({ version: 1, rules: changed }));
  writeFileSync(files.secret, `${CLIENT.secret}\n`);
  setRules(rules);
  const port = given.port ?? (await freePort());
  const args = [
    ...['--port', `${port}`, '--public-url', origin, '--issuer', issuer],
    ...['--client-id', CLIENT.id, '--client-secret-file', files.secret, '--access', files.access],
  ];
  return { directory, wikis: join(directory, 'wikis'), args, files, setRules, issuer, port };
}

/** `pnpm serve` for a team, as a process of its own. */
export async function serveTeam(rules: unknown, options: TeamOptions = {}) {
  const team = await prepareTeam(rules, options);
  const web = new ServedWeb(['--dir', team.wikis, ...team.args]);
  const { atEnd = onTestFinished } = options;
  atEnd(async () => {
    await web.stop('SIGKILL');
  });
  await web.address();
  return { ...team, web };
}
