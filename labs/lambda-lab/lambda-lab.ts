import type { Environment } from './environment.ts';
import type { Fault, Provoked } from './faults.ts';
import { serveInvokeApi } from './invoke-api.ts';
import { type IsMeant, LambdaFunction } from './lambda-function.ts';
import { installRuntimeClient } from './runtime-client.ts';
import { nodeRuntime, type Place } from './runtime-process.ts';
import { startXrayDaemon } from './xray-daemon.ts';

export interface LambdaLabOptions {
  /** Directory with the function's `index.mjs`, which exports `handler`. */
  readonly code: string;
  /** Starts another runtime client of AWS than that for Node, in the directory of the code: `python3 -m awslambdaric index.handler`. */
  readonly runtime?: readonly string[];
  /** The function's environment variables, beside those that Lambda sets. */
  readonly variables?: Readonly<Record<string, string>>;
  /** 512 if absent. */
  readonly memoryMib?: number;
  /**
   * The share of one processor that each environment gets after its init phase, such as 0.29; unlimited by
   * default.
   */
  readonly processorShare?: number;
  /** 30,000 if absent. */
  readonly timeoutMs?: number;
  /** The most environments at once, each with one invocation; more are throttled. 5 if absent. */
  readonly concurrency?: number;
  /** Environments that are started before anyone calls; none if absent. */
  readonly provisioned?: number;
  /** The machine on which the environment in each slot lives, counted from 0; this machine if absent. */
  readonly places?: (slot: number) => Promise<Place>;
  /** Called with each line of the function's log, including Lambda's own lines. */
  readonly onLine?: (line: string) => void;
}

export interface LambdaLab {
  /** For AWS_ENDPOINT_URL_LAMBDA. */
  readonly endpoint: string;
  /** With the alias `live`, which names the newest version. */
  readonly functionArn: string;
  /** The documents that the function sent to the X-Ray daemon, oldest first. */
  readonly traceDocuments: readonly unknown[];
  /** Causes the fault in the next call, or in the next one with a payload to which it applies. */
  provoke(fault: Fault, isMeant?: IsMeant): Provoked;
  /** Gives `live` new code: its next call starts an environment of the new version. */
  publish(code: string): string;
  /** Ends every idle environment, so that the next call is cold. */
  recycle(): Promise<void>;
  /** The existing environments, those at work first. */
  environments(): Promise<Environment[]>;
  stop(): Promise<void>;
}

const REGION = 'us-east-1';
const ACCOUNT = '000000000000';
const NAME = 'pagetree';
const ALIAS = 'live';

/** Starts Lambda with one function, as close to AWS as possible without it: see the lab's README. */
export async function startLambdaLab(options: LambdaLabOptions): Promise<LambdaLab> {
  const memoryMib = options.memoryMib ?? 512;
  const runtime = options.runtime ?? nodeRuntime(await installRuntimeClient(), memoryMib);
  const daemon = await startXrayDaemon();
  const lambda = new LambdaFunction(
    {
      name: NAME,
      region: REGION,
      account: ACCOUNT,
      memoryMib,
      timeoutMs: options.timeoutMs ?? 30_000,
      processorShare: options.processorShare ?? null,
      concurrency: options.concurrency ?? 5,
      variables: options.variables ?? {},
      places: options.places ?? (async () => ({ command: [], host: '127.0.0.1' })),
      runtime,
      xrayPort: daemon.port,
      onLine: options.onLine ?? (() => {}),
    },
    options.code,
  );
  const publish = (code: string) => {
    const version = lambda.publish(code);
    lambda.pointAlias(ALIAS, version);
    return version;
  };
  const version = publish(options.code);
  const api = await serveInvokeApi(lambda);
  const stop = async () => {
    api.close();
    await lambda.pool.stop();
    daemon.close();
  };
  try {
    await lambda.pool.provision(version, options.provisioned ?? 0);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    endpoint: api.endpoint,
    functionArn: `arn:aws:lambda:${REGION}:${ACCOUNT}:function:${NAME}:${ALIAS}`,
    traceDocuments: daemon.documents,
    provoke: (fault, isMeant = () => true) => lambda.provoke(fault, isMeant),
    publish,
    recycle: () => lambda.pool.recycle(),
    environments: () => lambda.pool.environments(),
    stop,
  };
}
