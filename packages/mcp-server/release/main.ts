import { fileURLToPath } from 'node:url';
import { buildRelease } from './build-release.ts';

/* `pnpm release`: builds a release, and prints its files. */

const directory = fileURLToPath(new URL('../../../dist/release', import.meta.url));
const { npmPackage: _, ...files } = await buildRelease(directory);
process.stdout.write(`${Object.values(files).join('\n')}\n`);
