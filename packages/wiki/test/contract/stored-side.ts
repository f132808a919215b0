import * as z from 'zod';
import { dispatch } from '../../src/contract/dispatch.ts';
import type { Request } from '../../src/contract/envelope.ts';
import type { Wiki } from '../../src/contract/wiki.ts';
import { fingerprintOf, type Schema } from './described-contract.ts';
import type { StoredContract } from './stored-contracts.ts';

/** A client or function of a stored contract: it holds calls and answers to that contract. */
export interface StoredSide {
  version: number;
  /** The facts that it states about its contract. */
  states: { contract?: number; fingerprint?: string };
  /** A request as it takes it: no other fields. */
  request: z.ZodType<{ operation: string; input?: unknown; caller: Request['caller'] }>;
  /** A reply as it reads it. */
  reply: z.ZodType;
  knows(operation: string): boolean;
  /** The default of each field of an input that has one. */
  defaultsOf(operation: string): Record<string, unknown>;
  /** The input with defaults filled in. Throws if this side refuses it. */
  parseInput(operation: string, input: unknown): Record<string, unknown>;
  /** Throws if this side cannot read the output. */
  parseOutput(operation: string, output: unknown): unknown;
}

export function sideOf(stored: StoredContract): StoredSide {
  const { version, text, operations } = stored;
  const operation = (name: string) => {
    const known = operations[name];
    if (known === undefined) throw new Error(`There is no operation "${name}".`);
    return known;
  };
  const statesFingerprint = 'fingerprint' in ((stored.request?.properties ?? {}) as object);
  return {
    version,
    states: {
      ...(version > 1 && { contract: version }),
      ...(statesFingerprint && { fingerprint: fingerprintOf(text) }),
    },
    request: (stored.request ? parserOf(stored.request) : request1) as StoredSide['request'],
    reply: stored.reply ? parserOf(stored.reply) : reply1,
    knows: (name) => Object.hasOwn(operations, name),
    defaultsOf(name) {
      const properties = Object.entries((operation(name).input.properties ?? {}) as Record<string, Schema>);
      return Object.fromEntries(properties.map(([field, schema]) => [field, schema.default]));
    },
    parseInput: (name, input) => parserOf(operation(name).input).parse(input) as Record<string, unknown>,
    parseOutput: (name, output) => parserOf(operation(name).output).parse(output),
  };
}

/** A function of that contract over a wiki. */
export function functionOf(side: StoredSide, wiki: Wiki, seen: Request[] = []) {
  return async (request: unknown): Promise<unknown> => {
    const taken = side.request.safeParse(travelled(request));
    if (!taken.success) return refusal('The event is not a request to a wiki.', side.states);
    seen.push(request as Request);
    const { operation, caller } = taken.data;
    if (!side.knows(operation)) return refusal(`There is no operation "${operation}".`, side.states);
    let input: unknown;
    try {
      input = side.parseInput(operation, taken.data.input);
    } catch {
      const fault = `The arguments of ${operation} do not fit: ${operation} takes no "new".`;
      return refusal(fault, side.states);
    }
    const event = { pagetree: 1, operation, input, caller };
    const { contract: _contract, fingerprint: _fingerprint, ...answer } = await dispatch(wiki, event);
    return travelled({ ...answer, ...side.states });
  };
}

export function travelled(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

export function refusal(happened: string, states: StoredSide['states']): unknown {
  const text = { happened, now: 'Nothing was read or changed.', next: 'Call it again with these corrected.' };
  return { ok: false, ...states, error: { code: 'invalid_input', text, data: { fields: [] } } };
}

function parserOf(schema: Schema): z.ZodType {
  return z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
}

/** The envelope of version 1, which its snapshot does not hold. */
const request1 = z.strictObject({
  pagetree: z.literal(1),
  operation: z.string(),
  input: z.unknown(),
  caller: z.strictObject({
    author: z.strictObject({ name: z.string(), email: z.string() }),
    agent: z.string().nullable(),
  }),
  scope: z.unknown().optional(),
});

const reply1 = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), output: z.unknown() }),
  z.object({
    ok: z.literal(false),
    error: z.object({
      code: z.string(),
      text: z.object({ happened: z.string(), now: z.string(), next: z.string() }),
      data: z.record(z.string(), z.unknown()),
    }),
  }),
]);
