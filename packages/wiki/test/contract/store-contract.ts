import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { unallowed } from './allowed-narrowings.ts';
import { contractOfCode, fingerprintOf, textOf } from './described-contract.ts';
import { CONTRACTS_DIRECTORY, fileOf, storedContracts } from './stored-contracts.ts';

/*
 * `pnpm contract`: stores the contract of the code under the next version, unless a side of an older version could not
 * work with it. A version that is not committed yet is written again.
 */

const code = contractOfCode();
const text = textOf(code);
const committed = storedContracts().filter(({ version }) => isCommitted(version));
const newest = committed.at(-1);
const found = committed.flatMap((stored) =>
  unallowed(stored, code).map((incompatibility) => `contract ${stored.version}: ${incompatibility}`),
);

if (found.length > 0) {
  const advice =
    'Keep what older sides need, or list in allowed-narrowings.ts why they do not. Nothing was stored.';
  process.stderr.write(
    `The contract does not serve sides of older versions:\n${found.join('\n')}\n${advice}\n`,
  );
  process.exitCode = 1;
} else {
  const version = newest?.text === text ? newest.version : (newest?.version ?? 0) + 1;
  writeFileSync(fileOf(version), text);
  writeConstants(version);
  process.stdout.write(`The contract is version ${version}.\n`);
}

function isCommitted(version: number): boolean {
  const listed = execFileSync('git', ['ls-tree', '--name-only', 'HEAD', fileOf(version)], {
    cwd: CONTRACTS_DIRECTORY,
    encoding: 'utf8',
  });
  return listed !== '';
}

function writeConstants(version: number): void {
  const file = new URL('../../src/contract/versions/contract-version.ts', import.meta.url);
  const constants = readFileSync(file, 'utf8')
    .replace(/(CONTRACT_VERSION = )\d+/, `$1${version}`)
    .replace(/(CONTRACT_FINGERPRINT = )'\w*'/, `$1'${fingerprintOf(text)}'`);
  writeFileSync(file, constants);
}
