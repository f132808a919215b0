import { randomBytes } from 'node:crypto';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { expect } from 'vitest';
import type { RawServer } from '../raw-server.ts';
import type { SdkClient } from '../sdk-client.ts';

/** The servers under attack, each a process of its own over the same wikis. */
export interface Targets {
  /** Serves everything, with `--files`. */
  whole: SdkClient;
  /** Limited to the folder `notes/`. */
  limited: SdkClient;
  /** Takes lines that no client of the SDK would send. */
  raw: RawServer;
  /** Serves pages for people. */
  web: WebTarget;
  /** The directory of the wikis. */
  wikis: string;
  /** The directory of `--files`. Beside it are others, whose names begin alike or that hold secrets. */
  files: string;
}

export interface WebTarget {
  pid: number;
  /** Its address without a slash at its end. */
  address: string;
}

export interface Outcome {
  /** `ok`, a code of the contract, or the verdict of another judge, such as `refused by git`. */
  code: string;
  text: string;
  content: Record<string, unknown>;
}

export interface Attack {
  name: string;
  on: 'whole' | 'limited' | 'raw' | 'web';
  /** The right answers; any other is wrong. */
  answers: readonly string[];
  /** The number of calls, if not one. The CPU time of each is bounded, and the memory of all together. */
  calls?: number;
  /** May be repeated under another number, if the machine was too busy meanwhile for its times to count. */
  act(targets: Targets, round: string): Promise<Outcome>;
}

type Arguments = Record<string, unknown>;

/** An attack by one tool call. `proof` throws if an answer of the right kind still does harm. */
export function call(
  name: string,
  tool: string,
  args: Arguments | ((round: string, targets: Targets) => Arguments | Promise<Arguments>),
  answers: readonly string[],
  proof: (outcome: Outcome, targets: Targets) => void | Promise<void> = () => {},
  on: 'whole' | 'limited' = 'whole',
): Attack {
  return {
    name,
    on,
    answers,
    async act(targets, round) {
      const given = typeof args === 'function' ? await args(round, targets) : args;
      const outcome = await callTool(targets[on], tool, given);
      await proof(outcome, targets);
      return outcome;
    },
  };
}

export async function callTool(client: SdkClient, tool: string, args: Arguments): Promise<Outcome> {
  const result = await client.call(tool, args);
  const text = textOf(result);
  if (result.isError !== true) return { code: 'ok', text, content: result.structuredContent ?? {} };
  return { code: /^([a-z_]+): \S/.exec(text)?.[1] ?? `no code: ${text.slice(0, 200)}`, text, content: {} };
}

function textOf({ content }: CallToolResult): string {
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
}

/** Throws if an answer contains anything from outside. */
export function keepsSecret({ text }: Outcome): void {
  expect(text).not.toMatch(/SECRET of|root:x:/);
}

/** Two letters at random: git's usual level takes ten times as long for them as the fastest. */
export function slowToCompress(size: number): Buffer {
  const part = randomBytes(2 ** 20).map((byte) => 97 + (byte & 1));
  return Buffer.alloc(size, part);
}

/** Any text in a form that suits a test's name. */
export function shown(text: string): string {
  const plain = JSON.stringify(text)
    .slice(1, -1)
    .replace(/[^ -~]/g, escapeOf);
  return plain.length > 40 ? `${plain.slice(0, 30)}... (${text.length})` : plain;
}

function escapeOf(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
