import {
  type Author,
  type Call,
  callOperation,
  type ErrorCode,
  newRequestId,
  type OperationName,
  type Output,
  operations,
  type Scope,
  toWikiError,
  type Wiki,
  WikiError,
} from '@pagetree/wiki/contract';
import { describeError, type Log } from '../log.ts';
import { attachmentResult } from './attachment-result.ts';
import { errorResult, successResult, type ToolResult } from './tool-result.ts';

/** The context of every tool call besides its arguments. */
export interface ToolHost {
  wiki: Wiki;
  /** The tools that are offered; no others can be called. */
  tools: readonly OperationName[];
  author: Author;
  /** The parts of the wiki to which every call is limited; null for the whole. */
  scope: Scope | null;
  log: Log;
  /**
   * Reports a failure that the caller did not cause to the client's log, without its cause, which may contain
   * secrets.
   */
  reportFailure: (failure: { tool: string; code: ErrorCode }) => void;
  /** Milliseconds since 1970. */
  now: () => number;
  randomBytes: (count: number) => Uint8Array;
}

/** A call as it came from a client: `name` and `arguments` are not validated yet. */
export interface ToolCall extends Pick<Call, 'signal' | 'progress'> {
  name: unknown;
  arguments: unknown;
  /** Name and version of the client; null if it did not give them. */
  agent: string | null;
  /** The client's trace context, to find its call in the log. */
  traceparent?: string | undefined;
  /** True if the answer also comes as `structuredContent`, for a program. */
  isStructured?: boolean;
}

/** Answers one tool call, whatever it contains. Never throws. */
export async function callTool(host: ToolHost, toolCall: ToolCall): Promise<ToolResult> {
  const { agent, signal, progress } = toolCall;
  // Not shown as JSON: it may nest deeper than the stack allows.
  const name = typeof toolCall.name === 'string' ? toolCall.name : `(${typeof toolCall.name})`;
  const scope = host.scope ?? undefined;
  const call: Call = { caller: { author: host.author, agent }, scope, signal, progress };
  try {
    const tool = host.tools.find((offered) => offered === name);
    if (tool === undefined) throw notATool(host, name);
    const input = withRequestId(host, tool, toolCall.arguments);
    const output = await callOperation(host.wiki, tool, input, call);
    return resultOf(tool, output, toolCall.isStructured ?? false, input);
  } catch (error) {
    const wikiError = toWikiError(error);
    if (isForTheLog(wikiError)) {
      const trace = toolCall.traceparent === undefined ? '' : ` (traceparent ${toolCall.traceparent})`;
      host.log(`${name}: ${wikiError.code}: ${describeError(wikiError.cause)}${trace}`);
      host.reportFailure({ tool: name.slice(0, 80), code: wikiError.code });
    }
    return errorResult(wikiError);
  }
}

function resultOf(name: OperationName, output: unknown, structured: boolean, input: unknown): ToolResult {
  if (name === 'get_attachment') return attachmentResult(output as Output<'get_attachment'>, structured);
  return successResult(name, output as Record<string, unknown>, structured, (input ?? {}) as object);
}

/**
 * True for failures that only the people who run the server can correct, and that the answer shows only in
 * part.
 */
function isForTheLog({ code, cause }: WikiError): boolean {
  return cause !== undefined && ['internal', 'backend_unavailable', 'forbidden'].includes(code);
}

function notATool(host: ToolHost, name: string): WikiError {
  return new WikiError('invalid_input', {
    happened: `There is no tool ${JSON.stringify(name.slice(0, 80))}.`,
    now: `The tools are ${host.tools.join(', ')}.`,
    next: 'Call one of these.',
  });
}

/**
 * Gives every write an id of its own before it leaves, so that a proxy that forwards it may send it again. As
 * in `parseInput`, null counts as not given.
 */
function withRequestId(host: ToolHost, name: OperationName, input: unknown): unknown {
  if (operations[name].effect !== 'write') return input;
  if (typeof input !== 'object' || input === null) return input;
  if ('request_id' in input && input.request_id !== null) return input;
  return { ...input, request_id: newRequestId(host.now(), host.randomBytes(10)) };
}
