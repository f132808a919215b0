import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { installGoProgram } from './requirements.ts';

const VERSION = 'v1.8.0';

/** The credentials of the server and its clients. The server serves one machine and keeps no secrets. */
export const s3Credentials = {
  AWS_ACCESS_KEY_ID: 'pagetree',
  AWS_SECRET_ACCESS_KEY: 'pagetree-lab',
  AWS_REGION: 'us-east-1',
};

/**
 * versitygw, an S3 server that serves the directories below a directory as buckets. Compiled once, in about 3 minutes.
 * @returns its program.
 * @throws Error naming what is missing.
 */
export async function installS3Server(): Promise<string> {
  const directory = await installGoProgram(`github.com/versity/versitygw/cmd/versitygw@${VERSION}`);
  return join(directory, 'versitygw');
}

export interface S3Server {
  stop(): Promise<void>;
}

/** Serves the buckets below `directory` at `host:port`. */
export async function startS3Server(
  program: string,
  directory: string,
  host: string,
  port: number,
): Promise<S3Server> {
  await mkdir(directory, { recursive: true });
  const { AWS_ACCESS_KEY_ID: access, AWS_SECRET_ACCESS_KEY: secret } = s3Credentials;
  const parameters = ['--quiet', '--port', `${host}:${port}`, '--access', access, '--secret', secret];
  const server = spawn(program, [...parameters, 'posix', directory], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await listening(server, host, port);
  return {
    stop: async () => {
      // It keeps nothing that it would have to write.
      server.kill('SIGKILL');
      await once(server, 'exit');
    },
  };
}

async function listening(server: ChildProcess, host: string, port: number): Promise<void> {
  while (server.exitCode === null) {
    const socket = connect(port, host);
    const isReached = await once(socket, 'connect').then(
      () => true,
      // Not yet; whether the server has ended is asked by the loop.
      () => false,
    );
    socket.destroy();
    if (isReached) return;
    await wait(50);
  }
  throw new Error(`The S3 server ended with status ${server.exitCode}.`);
}
