import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { buildServer } from '../../build.ts';

test('the licenses of all packages in the bundle are beside it', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'server-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  await buildServer(join(directory, 'pagetree.js'));
  const notices = readFileSync(join(directory, 'THIRD-PARTY-NOTICES.txt'), 'utf8');
  // The full texts that the packages ship, including those of their own dependencies.
  const names = ['@modelcontextprotocol/server', 're2js', 'yaml', 'zod', 'diff', '@zip.js/zip.js'];
  for (const name of [...names, 'jsonc-parser', 'toml-eslint-parser']) {
    const [license = ''] = globSync(`node_modules/.pnpm/*/node_modules/${name}/LICENSE*`);
    expect(notices, name).toContain(`${name} `);
    expect(notices, name).toContain(readFileSync(license, 'utf8').trim());
  }
  const parts = notices.split(`\n${'-'.repeat(80)}\n\n`);
  const legal = parts.pop();
  expect(legal).toMatch(/^Legal comments of the sources\n\n[\s\S]*@license/);
  // The other packages of this publisher, under the same license, ship its text.
  const withoutText = parts.filter((part) => !/copyright/i.test(part) && !part.startsWith('@aws-sdk/'));
  expect(withoutText).toEqual([]);
});
