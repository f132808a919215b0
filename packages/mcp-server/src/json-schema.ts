import * as z from 'zod';

export type JsonSchema = Record<string, unknown>;

/**
 * The JSON Schema of a zod object, as small as it can be said, and in the words that every client takes: each client
 * carries the tool list in its context, so that what zod adds for completeness is paid for in every conversation.
 */
export function compactJsonSchema(schema: z.ZodObject, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...full } = z.toJSONSchema(schema, { io });
  return compactObject(full, io);
}

function compactObject(schema: JsonSchema, io: 'input' | 'output'): JsonSchema {
  const kept = Object.entries(schema)
    .filter(([key, value]) => !isNoise(key, value, io) && !isInternal(value))
    .map(([key, value]) => [key, compactValue(value, io)]);
  return splitNullable(requireNeeded(Object.fromEntries(kept), schema));
}

function compactValue(value: unknown, io: 'input' | 'output'): unknown {
  if (Array.isArray(value)) return value.map((item) => compactValue(item, io));
  return isRecord(value) ? compactObject(value, io) : value;
}

/**
 * The bounds of the integers that JavaScript can hold, that the names of properties are strings, and how an id or a
 * file's bytes are spelt, which nobody invents and some clients warn of. In an output also what nobody can act on:
 * that everything in it comes, and nothing else, and what an older function is taken to say.
 */
function isNoise(key: string, value: unknown, io: 'input' | 'output'): boolean {
  if (key === 'neededByTools') return value === true;
  if (key === 'minimum') return value === Number.MIN_SAFE_INTEGER;
  if (key === 'maximum') return value === Number.MAX_SAFE_INTEGER;
  if (['pattern', 'format', 'contentEncoding'].includes(key)) return typeof value === 'string';
  if (key === 'propertyNames') return isRecord(value) && value.type === 'string';
  if (key === 'additionalProperties') return io === 'output' || saysNothing(value);
  if (key === 'default') return io === 'output' && !isRecord(value);
  return io === 'output' && key === 'required' && Array.isArray(value);
}

/** Programs may leave out what carries a file where they send its bytes, which models cannot. */
function requireNeeded(compact: JsonSchema, { properties, required }: JsonSchema): JsonSchema {
  if (!isRecord(properties)) return compact;
  const needed = Object.entries(properties).flatMap(([name, value]) =>
    isRecord(value) && value.neededByTools === true ? [name] : [],
  );
  return needed.length === 0
    ? compact
    : { ...compact, required: [...(Array.isArray(required) ? required : []), ...needed] };
}

/** What travels between programs only: bytes, which no model is to write or to read. */
function isInternal(value: unknown): boolean {
  if (!isRecord(value)) return false;
  if (value.internal === true) return true;
  return Array.isArray(value.anyOf) && value.anyOf.some(isInternal);
}

/** `{}` takes anything, as leaving it out does. */
function saysNothing(value: unknown): boolean {
  return isRecord(value) && Object.keys(value).length === 0;
}

/** Clients whose schemas know one `type` only reject `type: [a, 'null']`, and take the same as `anyOf`. */
function splitNullable(schema: JsonSchema): JsonSchema {
  const { type, ...rest } = schema;
  if (!Array.isArray(type)) return schema;
  return { anyOf: [{ ...rest, type: type.find((name) => name !== 'null') }, { type: 'null' }] };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
