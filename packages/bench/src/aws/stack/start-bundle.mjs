/*
 * What the task runs in place of an image of ours: fetches the bundle, compares it with the hash that the stack names,
 * and runs it as the main program. Without template strings, which CloudFormation would take for its own.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const [, address, expected] = process.argv;
const response = await fetch(address);
if (!response.ok)
  throw new Error('The bundle cannot be fetched.', { cause: { address, status: response.status } });
const bundle = Buffer.from(await response.arrayBuffer());
const found = createHash('sha256').update(bundle).digest('hex');
if (found !== expected) throw new Error('This is another bundle.', { cause: { found, expected } });
const file = join(mkdtempSync(join(tmpdir(), 'bundle-')), 'index.mjs');
writeFileSync(file, bundle);
process.exitCode = spawnSync(process.execPath, [file], { stdio: 'inherit' }).status ?? 1;
