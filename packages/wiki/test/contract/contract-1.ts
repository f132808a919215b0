import { readFileSync } from 'node:fs';
import * as z from 'zod';

/**
 * Version 1 of the contract, as data: the two sides of that version hold calls and answers to it. Never changed; a
 * released version gets a file of its own.
 */
interface FrozenContract {
  errorCodes: string[];
  operations: Record<string, { input: JsonObject; output: JsonObject }>;
}

export interface JsonObject {
  properties: Record<string, Record<string, unknown>>;
  required?: string[];
}

export const contract1 = JSON.parse(
  readFileSync(new URL('contract-1.snapshot', import.meta.url), 'utf8'),
) as FrozenContract;

/**
 * The input as a side of version 1 parses it, with its defaults filled in. Throws if that side refuses it.
 */
export function parseInput1(operation: string, input: unknown): Record<string, unknown> {
  return schemaOf(operation, 'input').parse(input) as Record<string, unknown>;
}

/** The output as a client of version 1 parses it. Throws if it cannot read it. */
export function parseOutput1(operation: string, output: unknown): Record<string, unknown> {
  return schemaOf(operation, 'output').parse(output) as Record<string, unknown>;
}

/** A request as version 1 took it: no other fields. */
export const request1 = z.strictObject({
  pagetree: z.literal(1),
  operation: z.string(),
  input: z.unknown(),
  caller: z.strictObject({
    author: z.strictObject({ name: z.string(), email: z.string() }),
    agent: z.string().nullable(),
  }),
  scope: z.unknown().optional(),
});

/** A reply as version 1 took it. */
export const reply1 = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), output: z.unknown() }),
  z.object({
    ok: z.literal(false),
    error: z.object({
      code: z.enum(contract1.errorCodes),
      text: z.object({ happened: z.string(), now: z.string(), next: z.string() }),
      data: z.record(z.string(), z.unknown()),
    }),
  }),
]);

function schemaOf(operation: string, side: 'input' | 'output'): z.ZodType {
  const frozen = contract1.operations[operation];
  if (frozen === undefined) throw new Error(`There is no operation "${operation}".`);
  return z.fromJSONSchema(frozen[side] as Parameters<typeof z.fromJSONSchema>[0]);
}
