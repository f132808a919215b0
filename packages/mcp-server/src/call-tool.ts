import {
  type Author,
  type Call,
  callOperation,
  type ErrorCode,
  isOperationName,
  newRequestId,
  type OperationName,
  type Output,
  operations,
  type Scope,
  toWikiError,
  type Wiki,
  WikiError,
} from '@pagetree/wiki/contract';
import { attachmentResult } from './attachment-result.ts';
import { describeError, type Log } from './log.ts';
import { errorResult, successResult, type ToolResult } from './tool-result.ts';

/** What every tool call needs beside its own arguments. */
export interface ToolHost {
  wiki: Wiki;
  /** The tools that are offered; no other can be called. */
  tools: readonly OperationName[];
  author: Author;
  /** The parts of the wiki that every call is limited to; null for the whole. */
  scope: Scope | null;
  log: Log;
  /** Tells the client's log of a failure that is not the caller's, without its cause, which may name anything. */
  tell: (failure: { tool: string; code: ErrorCode }) => void;
  /** Milliseconds since 1970. */
  now: () => number;
  randomBytes: (count: number) => Uint8Array;
}

/** A call as it came from a client: nothing in `name` and `arguments` has been looked at. */
export interface ToolCall extends Pick<Call, 'signal' | 'progress'> {
  name: unknown;
  arguments: unknown;
  /** Of the client; null where it did not say. */
  agent: string | null;
}

/** Answers one tool call, whatever it is; never throws. */
export async function callTool(host: ToolHost, toolCall: ToolCall): Promise<ToolResult> {
  const { agent, signal, progress } = toolCall;
  const name = typeof toolCall.name === 'string' ? toolCall.name : JSON.stringify(toolCall.name ?? null);
  const scope = host.scope ?? undefined;
  const call: Call = { caller: { author: host.author, agent }, scope, signal, progress };
  try {
    if (!host.tools.some((tool) => tool === name)) throw notATool(host, name);
    const input = withRequestId(host, name, toolCall.arguments);
    return resultOf(name, await callOperation(host.wiki, name, input, call));
  } catch (error) {
    const wikiError = toWikiError(error);
    if (isForTheLog(wikiError)) {
      host.log(`${name}: ${wikiError.code}: ${describeError(wikiError.cause)}`);
      host.tell({ tool: name.slice(0, 80), code: wikiError.code });
    }
    return errorResult(wikiError);
  }
}

function resultOf(name: string, output: unknown): ToolResult {
  if (name === 'get_attachment') return attachmentResult(output as Output<'get_attachment'>);
  return successResult(output as Record<string, unknown>);
}

/** What the people who run the server can mend, and the answer tells only in part. */
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
 * Every write has an id of its own before it leaves, so that whoever sends it on may send it again. Null is none, as
 * `parseInput` takes it.
 */
function withRequestId(host: ToolHost, name: string, input: unknown): unknown {
  if (!isOperationName(name) || operations[name].effect !== 'write') return input;
  if (typeof input !== 'object' || input === null) return input;
  if ('request_id' in input && input.request_id !== null) return input;
  return { ...input, request_id: newRequestId(host.now(), host.randomBytes(10)) };
}
