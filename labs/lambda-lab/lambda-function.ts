import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { Environment, InitFailure } from './environment.ts';
import { type Fault, Provoked } from './faults.ts';
import type { Outcome, Trace } from './invocation.ts';
import { reportLine } from './log-tail.ts';
import { Pool, type Taken } from './pool.ts';
import type { Place } from './runtime-process.ts';

export interface FunctionOptions {
  readonly name: string;
  readonly region: string;
  readonly account: string;
  readonly memoryMib: number;
  readonly timeoutMs: number;
  /** Share of one processor for each environment; null for no limit. */
  readonly processorShare: number | null;
  readonly concurrency: number;
  readonly variables: Readonly<Record<string, string>>;
  readonly places: (slot: number) => Promise<Place>;
  /** The command of the runtime client. */
  readonly runtime: readonly string[];
  /** The port of an X-Ray daemon on this machine; null without tracing. */
  readonly xrayPort: number | null;
  readonly onLine: (line: string) => void;
}

/** True if a fault applies to the call with this payload. */
export type IsMeant = (payload: Buffer) => boolean;

export interface Call {
  readonly version: string;
  readonly functionArn: string;
  readonly payload: Buffer;
  readonly trace: Trace;
  readonly wantsLog: boolean;
}

/** The answer to a call; `cut`: the connection ends without an answer. */
export type Answer =
  | {
      readonly kind: 'outcome';
      readonly requestId: string;
      readonly outcome: Outcome;
      readonly log: string[];
    }
  | { readonly kind: 'throttled'; readonly retryAfterSeconds?: number | undefined }
  | {
      readonly kind: 'refused';
      readonly status: number;
      readonly errorType: string;
      readonly message: string;
    }
  | { readonly kind: 'cut' };

/** One function with its versions, its alias and its execution environments. */
export class LambdaFunction {
  readonly options: FunctionOptions;
  readonly pool: Pool;
  /** The code of each version; `$LATEST` is always there. */
  readonly #versions = new Map<string, string>();
  readonly #aliases = new Map<string, string>();
  readonly #faults: { provoked: Provoked; isMeant: IsMeant }[] = [];

  constructor(options: FunctionOptions, code: string) {
    this.options = options;
    this.#versions.set('$LATEST', code);
    this.pool = new Pool({
      concurrency: options.concurrency,
      start: (version, slot, provisioned) => this.#start(version, slot, provisioned),
    });
  }

  /** Gives the function new code as its next version. */
  publish(code: string): string {
    const version = String(this.#versions.size);
    this.#versions.set('$LATEST', code).set(version, code);
    return version;
  }

  pointAlias(alias: string, version: string): void {
    this.#aliases.set(alias, version);
  }

  /** The version that a qualifier refers to, or null. */
  versionOf(qualifier: string | null): string | null {
    const version = this.#aliases.get(qualifier ?? '') ?? qualifier ?? '$LATEST';
    return this.#versions.has(version) ? version : null;
  }

  /** Causes the fault in the next call that it applies to and that no earlier fault affects. */
  provoke(fault: Fault, isMeant: IsMeant): Provoked {
    const provoked = new Provoked(fault);
    this.#faults.push({ provoked, isMeant });
    return provoked;
  }

  async call(call: Call): Promise<Answer> {
    const provoked = this.#nextFault(call.payload);
    const fault = provoked?.fault;
    if (fault?.kind === 'throttle' || fault?.kind === 'respond') {
      provoked?.hasStruck();
      return fault.kind === 'respond' ? { ...fault, kind: 'refused' } : { ...fault, kind: 'throttled' };
    }
    const taken = await this.pool.take(call.version);
    if (taken === null) return { kind: 'throttled' };
    const requestId = randomUUID();
    const { outcome, log } = await this.#run(taken, requestId, call, provoked);
    if (fault !== undefined && fault.kind !== 'kill' && fault.kind !== 'freeze') provoked?.hasStruck();
    if (fault?.kind === 'hold-reply') await provoked?.released;
    if (fault?.kind === 'lose-reply') return { kind: 'cut' };
    const reported = fault?.kind === 'function-error' ? fault.outcome : outcome;
    return { kind: 'outcome', requestId, outcome: reported, log };
  }

  #nextFault(payload: Buffer): Provoked | undefined {
    const index = this.#faults.findIndex(({ isMeant }) => isMeant(payload));
    return index === -1 ? undefined : this.#faults.splice(index, 1)[0]?.provoked;
  }

  async #run(taken: Taken, requestId: string, call: Call, provoked: Provoked | undefined) {
    const { environment, cold, release } = taken;
    const { memoryMib, onLine } = this.options;
    let [started, ended] = [performance.now(), performance.now()];
    let settled: Promise<void> = Promise.resolve();
    const run = async (): Promise<Outcome> => {
      try {
        await environment.ready;
        started = performance.now();
        onLine(`START RequestId: ${requestId} Version: ${call.version}`);
        const endDanger = provoked?.threaten(environment);
        const outcome = await environment.invoke({ ...call, requestId }).finally(endDanger);
        ended = performance.now();
        await environment.measureMemory();
        return outcome;
      } catch (error) {
        ended = performance.now();
        if (error instanceof InitFailure) return error.outcome;
        throw error;
      } finally {
        settled = release();
      }
    };
    const outcome = await run();
    const durationMs = ended - started;
    // The function's output from before its answer arrives on another connection than the answer.
    if (call.wantsLog) await settled.then(() => setImmediate());
    const { initMs, peakBytes } = environment;
    const report = {
      requestId,
      durationMs,
      memoryMib,
      peakBytes,
      initMs: cold ? initMs : null,
      trace: call.trace,
    };
    const ending = [`END RequestId: ${requestId}`, ...reportLine(report).split('\n')];
    for (const line of ending) onLine(line);
    return { outcome, log: [...environment.takeLines(), ...ending] };
  }

  async #start(version: string, slot: number, provisioned: boolean): Promise<Environment> {
    const { options } = this;
    const code = this.#versions.get(version);
    if (code === undefined) throw new Error(`There is no version ${version}.`);
    const place = await options.places(slot);
    const { runtime, memoryMib, timeoutMs, processorShare, onLine } = options;
    const variables = { ...this.#variables(version, place), ...options.variables };
    const about = { runtime, memoryMib, timeoutMs, processorShare, onLine, provisioned };
    return Environment.start({ ...about, code, place, variables });
  }

  #variables(version: string, place: Place): Record<string, string> {
    const { name, region, memoryMib, xrayPort } = this.options;
    return {
      AWS_REGION: region,
      AWS_DEFAULT_REGION: region,
      AWS_LAMBDA_FUNCTION_NAME: name,
      AWS_LAMBDA_FUNCTION_VERSION: version,
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memoryMib),
      AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${name}`,
      AWS_LAMBDA_LOG_STREAM_NAME: `lab/[${version}]${randomUUID().replaceAll('-', '')}`,
      ...(xrayPort !== null && { AWS_XRAY_DAEMON_ADDRESS: `${place.host}:${xrayPort}` }),
    };
  }
}
