import { Incoming } from '../incoming.ts';
import type { Patience } from '../patience.ts';
import { remoteOver } from '../protocol-remote.ts';
import { MAX_REMOTE, type Remote, type RemoteLimits } from '../remote.ts';
import { RemoteFailure } from '../remote-failure.ts';
import type { FileUrl, SshUrl } from '../remote-url.ts';
import type { Service, Session, Transport } from '../session.ts';
import { Command } from './command.ts';
import { failureOfCommand } from './command-failure.ts';
import { commandLine } from './command-line.ts';

export interface CommandRemoteOptions {
  url: SshUrl | FileUrl;
  /** The name and version of this program, as `pagetree/1.2.3`. */
  agentName: string;
  /** The environment of git and ssh. `GIT_SSH_COMMAND` and `GIT_SSH` count as they do for git. */
  env: Readonly<Record<string, string | undefined>>;
  limits?: Partial<RemoteLimits>;
}

/** A repository in a folder of this machine, or behind ssh: the same protocol, with a command of git at its other end. */
export function openCommandRemote({ url, agentName, env, limits }: CommandRemoteOptions): Remote {
  return remoteOver(new CommandTransport(url, env), { agentName, limits: { ...MAX_REMOTE, ...limits } });
}

class CommandTransport implements Transport {
  readonly #url: SshUrl | FileUrl;
  readonly #env: Readonly<Record<string, string | undefined>>;
  /** ssh has its own keys, and none is known here. */
  readonly secrets = [];

  constructor(url: SshUrl | FileUrl, env: Readonly<Record<string, string | undefined>>) {
    this.#url = url;
    this.#env = env;
  }

  get remote(): string {
    return this.#url.shown;
  }

  async open<T>(service: Service, patience: Patience, use: (session: Session) => Promise<T>): Promise<T> {
    if (patience.signal.aborted) throw patience.signal.reason;
    const command = new Command(commandLine(this.#url, service, this.#env));
    const incoming = new Incoming(command.output(), { patience, remote: this.remote, secrets: [] });
    const ask = async (parts: readonly Uint8Array[]) => {
      command.writeAll(parts, () => patience.heard());
      return incoming;
    };
    let isDone = false;
    try {
      const result = await use({ greeting: incoming, ask });
      isDone = true;
      return result;
    } catch (error) {
      if (!(error instanceof RemoteFailure) || error.data.reason !== 'cut_off') throw error;
      // The output ended too early: the command says why by its errors.
      throw failureOfCommand(await command.ended(), this.remote) ?? error;
    } finally {
      await (isDone ? command.leave() : command.end());
    }
  }
}
