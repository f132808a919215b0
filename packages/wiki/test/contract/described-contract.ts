import { createHash } from 'node:crypto';
import * as z from 'zod';
import { reply, request } from '../../src/contract/envelope.ts';
import { errorCodes } from '../../src/contract/errors.ts';
import { operations } from '../../src/contract/operations.ts';

/** A JSON schema. */
export type Schema = Record<string, unknown>;

/** A contract as data: all that two sides must agree on. */
export interface DescribedContract {
  errorCodes: readonly string[];
  /** Version 1 did not store the envelope. */
  request?: Schema;
  reply?: Schema;
  operations: Record<string, DescribedOperation>;
}

export interface DescribedOperation {
  /** Version 1 did not store it. */
  effect?: 'read' | 'write';
  /** The schema of the input that a side accepts. */
  input: Schema;
  /** The schema of the output that a side accepts. */
  output: Schema;
}

/** The contract of the code. */
export function contractOfCode(code = { errorCodes, request, reply, operations }): DescribedContract {
  const described = Object.entries(code.operations).map(([name, { effect, input, output }]) => [
    name,
    { effect, input: describe(input), output: describe(output) },
  ]);
  return {
    errorCodes: code.errorCodes,
    request: describe(code.request),
    reply: describe(code.reply),
    operations: Object.fromEntries(described),
  };
}

/** One line for each operation. Does not depend on the order in which operations and fields are written. */
export function textOf({ operations: described, ...rest }: DescribedContract): string {
  const lines = Object.keys(described)
    .toSorted()
    .map((name) => `${JSON.stringify(name)}:${JSON.stringify(sorted(described[name]))}`);
  return `${JSON.stringify(sorted(rest)).slice(0, -1)},"operations":{\n${lines.join(',\n')}\n}}\n`;
}

export function fingerprintOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/**
 * The schema without what only readers need. `refined` names the checks that JSON schemas cannot express; a change in
 * the code of such a check stays unseen.
 */
function describe(schema: z.ZodType): Schema {
  const { $schema: _, ...described } = z.toJSONSchema(schema, {
    io: 'input',
    override({ zodSchema, jsonSchema }) {
      for (const keyword of FOR_READERS) delete jsonSchema[keyword];
      jsonSchema.required?.sort();
      const refined = checksOf(zodSchema);
      if (refined.length > 0) jsonSchema.refined = refined;
    },
  });
  return described;
}

const FOR_READERS = ['title', 'description', 'internal', 'neededByTools'];

function checksOf(schema: z.core.$ZodType): string[] {
  const checks = schema._zod.def.checks ?? [];
  return checks
    .map((check) => check._zod.def)
    .filter(({ check }) => check === 'custom')
    .map(({ error }) => String(error?.({} as never) ?? 'unnamed'));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, each]) => [name, sorted(each)]);
  return Object.fromEntries(entries.toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1)));
}
