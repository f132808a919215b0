import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryDirectory } from '../built-server.ts';
import { SdkClient } from '../sdk-client.ts';
import { barePath } from './fresh-clone.ts';

/** A user's machine with git, npm and Node, an empty home, and nothing else in the environment. */
export class BareMachine {
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;

  private constructor(home: string, env: Record<string, string>) {
    this.home = home;
    this.env = env;
  }

  /** npm gets its packages from `registry`, and installs programs into a prefix in the home. */
  static async make(registry: string): Promise<BareMachine> {
    const directory = await temporaryDirectory();
    const home = join(directory, 'home');
    await mkdir(home);
    const prefix = join(home, 'prefix');
    const path = `${join(prefix, 'bin')}:${await barePath(directory, process.execPath)}`;
    return new BareMachine(home, {
      HOME: home,
      PATH: path,
      npm_config_registry: registry,
      npm_config_prefix: prefix,
      npm_config_update_notifier: 'false',
    });
  }

  /** The output of a command. Throws if it fails. */
  async run(command: string, ...args: string[]): Promise<string> {
    const options = { env: this.env, cwd: this.home };
    return (await promisify(execFile)('env', [command, ...args], options)).stdout;
  }

  /** A client that starts the server by exactly this command, and passes on no variable but these. */
  async connect(command: string, args: string[], env: Record<string, string> = {}): Promise<SdkClient> {
    const settings = Object.entries({ ...this.env, ...env }).map(([name, value]) => `${name}=${value}`);
    return new SdkClient('env', ['-i', '-C', this.home, ...settings, command, ...args]).connect();
  }
}
