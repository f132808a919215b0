import { isAbsolute } from 'node:path';
import { wikiName } from '@pagetree/wiki/contract';
import type { ExpectedPlace } from './place-marker.ts';

/**
 * The configuration of this function. `problems` lists faults of the set-up, each a sentence; if there are
 * any, every call answers with them.
 */
export interface Config {
  /** The directory of wikis, on the file system that all environments mount. */
  directory: string;
  /** The default wiki, used when a call names none; null leaves the choice to the directory. */
  wiki: string | null;
  /** The expected place of the wikis, checked against the directory's marker; null to skip the check. */
  place: ExpectedPlace | null;
  /** Refuses writes: for a function whose mount is read-only. */
  readOnly: boolean;
  /** The public key of the grants that each call needs; null if calls need none. */
  grantKey: string | null;
  /** As `name:version`. */
  functionName: string;
  /** The memory of an environment. */
  memoryMib: number;
  /** True if the environment was started before any call, so that time spent now delays no caller. */
  provisioned: boolean;
  /** The address of the X-Ray daemon; null to disable tracing. */
  xrayDaemon: { host: string; port: number } | null;
  problems: string[];
}

const DEFAULT_MEMORY_MIB = 512;

type Variables = Readonly<Record<string, string | undefined>>;

/** Never throws: `problems` reports faults, because a function that does not start cannot report anything. */
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
  const grantKey = variables.PAGETREE_GRANT_KEY ?? null;
  if (grantKey !== null && !/^[\w-]{43}$/.test(grantKey)) {
    problems.push(
      `PAGETREE_GRANT_KEY is ${JSON.stringify(grantKey)}, but must be an Ed25519 key in base64url.`,
    );
  }
  return {
    directory,
    wiki,
    grantKey,
    place: expectedPlace(variables),
    // A typing error in the setting must not permit writes.
    readOnly: readOnly !== 'false',
    functionName: `${variables.AWS_LAMBDA_FUNCTION_NAME}:${variables.AWS_LAMBDA_FUNCTION_VERSION}`,
    memoryMib: Number(variables.AWS_LAMBDA_FUNCTION_MEMORY_SIZE ?? DEFAULT_MEMORY_MIB),
    provisioned: variables.AWS_LAMBDA_INITIALIZATION_TYPE === 'provisioned-concurrency',
    xrayDaemon: daemonAddress(variables.AWS_XRAY_DAEMON_ADDRESS),
    problems,
  };
}

/** The trace header of the current invocation: the runtime sets it for each one. */
export function currentTraceHeader(): string | undefined {
  return process.env._X_AMZN_TRACE_ID;
}

function expectedPlace(variables: Variables): ExpectedPlace | null {
  const name = variables.PAGETREE_PLACE;
  if (name === undefined) return null;
  return {
    name,
    mayBeEmpty: variables.PAGETREE_MAY_BE_EMPTY === 'true',
    mayBeCopy: variables.PAGETREE_RESTORED === 'true',
  };
}

function daemonAddress(address: string | undefined): Config['xrayDaemon'] {
  const [, host, port] = /^([^:]+):(\d+)$/.exec(address ?? '') ?? [];
  return host === undefined ? null : { host, port: Number(port) };
}
