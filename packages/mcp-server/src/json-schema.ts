import { z } from 'zod';

export type JsonSchema = Record<string, unknown>;

/**
 * The JSON Schema of a zod object, as small as it can be said: every client carries the tool list in its
 * context, so that what zod adds for completeness is paid for in every conversation.
 */
export function compactJsonSchema(schema: z.ZodObject, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...full } = z.toJSONSchema(schema, { io });
  return compactObject(full);
}

function compactObject(schema: JsonSchema): JsonSchema {
  const kept = Object.entries(schema).filter(([key, value]) => !isNoise(key, value));
  return collapseNullable(Object.fromEntries(kept.map(([key, value]) => [key, compactValue(value)])));
}

function compactValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(compactValue);
  return isRecord(value) ? compactObject(value) : value;
}

/** The bounds of the integers that JavaScript can hold, and that the names of properties are strings. */
function isNoise(key: string, value: unknown): boolean {
  if (key === 'minimum') return value === Number.MIN_SAFE_INTEGER;
  if (key === 'maximum') return value === Number.MAX_SAFE_INTEGER;
  return key === 'propertyNames' && isRecord(value) && value.type === 'string';
}

/** `anyOf: [{type, ...}, {type: 'null'}]` says the same as `type: [type, 'null'], ...`. */
function collapseNullable(schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema;
  const [value, none] = anyOf as [unknown, unknown];
  const isNullable = isRecord(value) && isRecord(none) && none.type === 'null';
  if (!isNullable || typeof value.type !== 'string' || 'enum' in value) return schema;
  return { ...rest, ...value, type: [value.type, 'null'] };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
