import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { arch } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { cached, installPrograms, installWithRetries } from '../requirements.ts';

const run = promisify(execFile);

const VERSION = '4.0.2';

/**
 * AWS's own runtime interface client for Node, which Lambda's managed runtime is made of. Compiled once, in
 * 50 to 80 s, outside the workspace, so that users of the wiki need not compile it.
 * @returns its program, to be run with Node.
 * @throws Error that names the missing programs.
 */
export async function installRuntimeClient(): Promise<string> {
  const directory = await cached('aws-lambda-ric', `${VERSION} ${arch()}`, compile);
  return join(packageIn(directory), 'index.mjs');
}

async function compile(directory: string): Promise<void> {
  await installPrograms({ cmake: 'cmake', 'g++': 'g++', make: 'make', xz: 'xz-utils', python3: 'python3' });
  const env = { ...process.env, PATH: [dirname(process.execPath), process.env.PATH].join(delimiter) };
  await writeFile(join(directory, 'package.json'), '{ "private": true }\n');
  const install = ['install', '--ignore-scripts', '--no-audit', '--no-fund', `aws-lambda-ric@${VERSION}`];
  await installWithRetries(`npm's package aws-lambda-ric ${VERSION}`, () =>
    run('npm', install, { cwd: directory, env }),
  );
  try {
    // The package's own scripts are run by hand: whether npm runs them by itself depends on its version and settings.
    for (const script of ['preinstall', 'postinstall']) {
      await run('sh', [`scripts/${script}.sh`], { cwd: packageIn(directory), env, maxBuffer: 2 ** 26 });
    }
  } catch (error) {
    throw new Error(`This lab needs aws-lambda-ric ${VERSION}, which could not be compiled.`, {
      cause: error,
    });
  }
}

function packageIn(directory: string): string {
  return join(directory, 'node_modules', 'aws-lambda-ric');
}
