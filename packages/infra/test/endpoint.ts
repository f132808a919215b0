import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { installPythonPackages } from '../../../labs/requirements.ts';

const run = promisify(execFile);

/** moto answers as AWS does, and its CloudFormation makes what it can; cfn-lint knows the schema of each resource. */
const PACKAGES = ['cfn-lint==1.58.0', 'moto[cloudformation,server]==5.2.5'];

/**
 * An environment in which only the endpoint can be reached: no account, no credentials, no instance metadata.
 */
const NOWHERE = {
  AWS_ACCESS_KEY_ID: 'testing',
  AWS_SECRET_ACCESS_KEY: 'testing',
  AWS_EC2_METADATA_DISABLED: 'true',
  AWS_CONFIG_FILE: '/dev/null',
  AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
};

/** The findings of cfn-lint about a template; empty if all is well. */
export async function lint(template: string): Promise<string> {
  const directory = await installPythonPackages(PACKAGES);
  const env = { ...process.env, PYTHONPATH: directory };
  try {
    return (await run('python3', [join(directory, 'bin/cfn-lint'), template], { env })).stdout;
  } catch (error) {
    // The exit code reports findings as well as the output does.
    if (error instanceof Error && 'stdout' in error && error.stdout) return String(error.stdout);
    throw error;
  }
}

export interface Endpoint {
  readonly url: string;
  /** Runs one of our commands, as `deploy`, against the endpoint. */
  command(name: string, ...args: string[]): Promise<{ output: string }>;
  /** The resources of a stack there (deployed.py). */
  deployed(stackName: string): Promise<Deployed>;
  /** Runs a program of Python, which has boto3, against the endpoint. */
  python(args: readonly string[]): Promise<{ stdout: string }>;
  stop(): Promise<void>;
}

export interface Deployed {
  status: string;
  outputs: Record<string, string>;
  functions: {
    FunctionName: string;
    CodeSha256: string;
    MemorySize: number;
    Environment?: { Variables: Record<string, string> };
  }[];
  [kind: string]: unknown;
}

/**
 * Starts a server of moto on a free port of this machine.
 * @param program of Python that starts it.
 */
export async function startEndpoint(
  region: string,
  program: readonly string[] = ['-m', 'moto.server'],
): Promise<Endpoint> {
  const directory = await installPythonPackages(PACKAGES);
  const python = { ...process.env, ...NOWHERE, PYTHONPATH: directory, AWS_DEFAULT_REGION: region };
  const server = spawn('python3', [...program, '-H', 'localhost', '-p', '0'], {
    env: python,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const url = await addressIn(createInterface(server.stderr));
  const env = { ...process.env, ...NOWHERE, AWS_REGION: region, AWS_ENDPOINT_URL: url };
  const runPython = (args: readonly string[]) =>
    run('python3', args, { env: { ...python, AWS_ENDPOINT_URL: url } });
  return {
    url,
    async command(name, ...args) {
      const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
      const { stdout, stderr } = await run(process.execPath, [main, name, ...args], { env });
      return { output: `${stdout}${stderr}` };
    },
    async deployed(stackName) {
      const script = fileURLToPath(new URL('deployed.py', import.meta.url));
      return JSON.parse((await runPython([script, stackName])).stdout);
    },
    python: runPython,
    async stop() {
      server.kill();
      await once(server, 'exit');
    },
  };
}

/** The server prints its address among its first lines, and later its requests. */
function addressIn(lines: AsyncIterable<string> & NodeJS.EventEmitter): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  lines.on('line', (line: string) => {
    const [, port] = /Running on http:\/\/[^:]+:(\d+)/.exec(line) ?? [];
    // By name: the tools put a bucket's name in front of `localhost`, which they cannot with an address.
    if (port) resolve(`http://localhost:${port}`);
  });
  lines.on('close', () => reject(new Error('The server of moto ended before it reported its address.')));
  return promise;
}
