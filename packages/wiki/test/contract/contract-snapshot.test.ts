import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { CONTRACT_FINGERPRINT, CONTRACT_VERSION } from '../../src/contract/versions/contract-version.ts';
import { allowedNarrowings, unallowed } from './allowed-narrowings.ts';
import { contractOfCode, fingerprintOf, textOf } from './described-contract.ts';
import { incompatibilities } from './incompatibilities.ts';
import { CONTRACTS_DIRECTORY, storedContracts } from './stored-contracts.ts';

const code = contractOfCode();
const stored = storedContracts();

test('the code has the newest stored contract: `pnpm contract` stores a change as a new version', () => {
  const newest = stored.at(-1);
  expect(newest?.version).toBe(CONTRACT_VERSION);
  expect(code).toEqual(JSON.parse(newest?.text ?? 'null'));
  expect(textOf(code)).toBe(newest?.text);
  expect(CONTRACT_FINGERPRINT).toBe(fingerprintOf(textOf(code)));
});

test.each(stored)('sides of contract $version and of this code serve each other', (each) => {
  expect(unallowed(each, code)).toEqual([]);
});

test('each allowed narrowing is one', () => {
  for (const { finding, since } of allowedNarrowings) {
    const older = stored.filter(({ version }) => version < since);
    const found = older.flatMap((each) => incompatibilities(each, code));
    expect(found).toContainEqual(expect.stringMatching(finding));
  }
});

test('no commit changed or removed a stored contract', () => {
  const paths = ['--', `${CONTRACTS_DIRECTORY}/*.snapshot`];
  const git = (...command: string[]) =>
    execFileSync('git', [...command, '--no-renames', '--name-status', ...paths], {
      cwd: CONTRACTS_DIRECTORY,
      encoding: 'utf8',
    });
  const changes = `${git('log', '--format=')}\n${git('diff', 'HEAD')}`.split('\n').filter(Boolean);
  expect(changes.filter((change) => !change.startsWith('A'))).toEqual([]);
});
