import type { FileUrl, SshUrl } from '../remote-url.ts';
import type { Service } from '../session.ts';

export interface CommandLine {
  program: string;
  args: readonly string[];
  env: Record<string, string>;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The command with which git would reach the service. No part of it goes through a shell of this machine. */
export function commandLine(url: SshUrl | FileUrl, service: Service, given: Environment): CommandLine {
  const asksForV2 = service === 'git-upload-pack';
  const env = environmentOf(given, asksForV2);
  if (url.kind === 'file') return { program: 'git', args: [service.slice('git-'.length), url.path], env };
  const options = ['-o', 'BatchMode=yes', ...(asksForV2 ? ['-o', 'SendEnv=GIT_PROTOCOL'] : [])];
  const port = url.port === null ? [] : ['-p', String(url.port)];
  const host = url.user === null ? url.host : `${url.user}@${url.host}`;
  const args = [...options, ...port, host, `${service} ${quoted(url.path)}`];
  const { GIT_SSH_COMMAND: command, GIT_SSH: program } = env;
  // As git does it: this setting alone is a line for a shell. The arguments are passed beside it.
  if (command) return { program: 'sh', args: ['-c', `${command} "$@"`, command, ...args], env };
  return { program: program || 'ssh', args, env };
}

function environmentOf(given: Environment, asksForV2: boolean): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(given))
    if (value !== undefined && !OF_ANOTHER_REPOSITORY.has(name)) env[name] = value;
  // The messages of git and ssh are read, so they are to be in English. Nobody is there to answer a question.
  return { ...env, LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0', ...(asksForV2 && { GIT_PROTOCOL: 'version=2' }) };
}

/** The list of `git rev-parse --local-env-vars`, and more that is about one repository or the protocol. */
const OF_ANOTHER_REPOSITORY = new Set([
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_COMMON_DIR',
  'GIT_CONFIG',
  'GIT_CONFIG_COUNT',
  'GIT_CONFIG_PARAMETERS',
  'GIT_DIR',
  'GIT_GRAFT_FILE',
  'GIT_IMPLICIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_INTERNAL_SUPER_PREFIX',
  'GIT_NAMESPACE',
  'GIT_NO_REPLACE_OBJECTS',
  'GIT_OBJECT_DIRECTORY',
  'GIT_PREFIX',
  'GIT_PROTOCOL',
  'GIT_QUARANTINE_PATH',
  'GIT_REPLACE_REF_BASE',
  'GIT_SHALLOW_FILE',
  'GIT_WORK_TREE',
]);

/** For the shell of the other machine. Git quotes `!` too, which some shells take for a part of their history. */
function quoted(path: string): string {
  return `'${path.replaceAll(/['!]/g, (char) => `'\\${char}'`)}'`;
}
