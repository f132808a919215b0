import { isAbsolute } from 'node:path';
import { wikiName } from '@pagetree/wiki/contract';

/** How this function is to serve. `problems` are set-ups that do not work, each a sentence; then only they are served. */
export interface Config {
  /** The directory of wikis, on the file system that all environments mount. */
  directory: string;
  /** The wiki that calls mean which name none; null leaves the choice to the directory. */
  wiki: string | null;
  /** Refuses writes: for a function whose mount cannot write. */
  readOnly: boolean;
  /** As `name:version`. */
  functionName: string;
  /** Whether the environment was started before anyone called, so that time spent now costs nobody. */
  provisioned: boolean;
  /** Where the X-Ray daemon listens; null where nothing is traced. */
  xrayDaemon: { host: string; port: number } | null;
  problems: string[];
}

type Variables = Readonly<Record<string, string | undefined>>;

/** Never throws: what is wrong is told by `problems`, because a function that does not start can tell nobody. */
export function readConfig(variables: Variables = process.env): Config {
  const problems: string[] = [];
  const directory = variables.PAGETREE_DIR ?? '/mnt/pagetree';
  if (!isAbsolute(directory))
    problems.push(`PAGETREE_DIR is ${JSON.stringify(directory)}, but must be absolute.`);
  const wiki = variables.PAGETREE_WIKI ?? null;
  if (wiki !== null && !wikiName.safeParse(wiki).success) {
    problems.push(`PAGETREE_WIKI is ${JSON.stringify(wiki)}, but a name is 1 to 64 of a-z, 0-9 and "-".`);
  }
  const readOnly = variables.PAGETREE_READ_ONLY ?? 'false';
  if (readOnly !== 'true' && readOnly !== 'false') {
    problems.push(`PAGETREE_READ_ONLY is ${JSON.stringify(readOnly)}, but must be "true" or "false".`);
  }
  return {
    directory,
    wiki,
    // A slip in the setting must not let anyone write.
    readOnly: readOnly !== 'false',
    functionName: `${variables.AWS_LAMBDA_FUNCTION_NAME}:${variables.AWS_LAMBDA_FUNCTION_VERSION}`,
    provisioned: variables.AWS_LAMBDA_INITIALIZATION_TYPE === 'provisioned-concurrency',
    xrayDaemon: daemonAddress(variables.AWS_XRAY_DAEMON_ADDRESS),
    problems,
  };
}

/** Of the invocation that is under way: the runtime sets it anew for each. */
export function currentTraceHeader(): string | undefined {
  return process.env._X_AMZN_TRACE_ID;
}

function daemonAddress(address: string | undefined): Config['xrayDaemon'] {
  const [, host, port] = /^([^:]+):(\d+)$/.exec(address ?? '') ?? [];
  return host === undefined ? null : { host, port: Number(port) };
}
