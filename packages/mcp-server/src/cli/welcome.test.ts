import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openBackend } from '@pagetree/backends/open-backend';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from './config.ts';
import { welcome } from './welcome.ts';

test.each([
  [
    { name: null, email: null },
    /^Problem: +git's configuration has no user\.name and no user\.email, .*Run `git config --global user\.name /m,
  ],
  [{ name: 'Ada', email: null }, /^Problem: +git's configuration has no user\.email, .* by Ada <ada@host>/m],
  [{ name: 'Ada', email: 'ada@example.org' }, null],
])(
  'a missing git identity is reported by the welcome text, with the setting to use: %j',
  async (git, expected) => {
    const directory = await mkdtemp(join(tmpdir(), 'pagetree-test-'));
    const config = await readConfig(
      { dir: directory },
      {
        env: {},
        platform: 'linux',
        home: directory,
        workingDirectory: directory,
        authorSources: async () => ({ git, user: 'ada', host: 'host' }),
      },
    );
    const backend = openBackend(config, {}, { makes: 'default wiki' });
    onTestFinished(async () => {
      await backend.close();
      await rm(directory, { recursive: true });
    });
    const text = await welcome(backend, config, ['pagetree']);
    expect(text).toMatch(/^Wiki: +main, \d+ pages/m);
    if (expected === null) expect(text).not.toMatch(/^Problem:/m);
    else expect(text).toMatch(expected);
  },
);
