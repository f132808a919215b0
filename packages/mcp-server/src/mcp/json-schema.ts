import * as z from 'zod';

export type JsonSchema = Record<string, unknown>;

/**
 * The JSON Schema of a zod object, as small as possible and in a form that every client accepts. Each client
 * carries the tool list in its context, so every conversation pays for the details that zod adds for
 * completeness.
 */
export function compactJsonSchema(schema: z.ZodObject): JsonSchema {
  const { $schema: _, ...full } = z.toJSONSchema(schema, { io: 'input' });
  return compactObject(full);
}

function compactObject(schema: JsonSchema): JsonSchema {
  const kept = Object.entries(schema)
    .filter(([key, value]) => !isNoise(key, value) && !isInternal(value))
    .map(([key, value]) => [key, compactValue(value)]);
  return splitNullable(requireNeeded(Object.fromEntries(kept), schema));
}

function compactValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => compactValue(item));
  return isRecord(value) ? compactObject(value) : value;
}

/**
 * True for parts of a schema that clients do not need:
 * - the bounds of JavaScript's integers, and defaults that anyone expects;
 * - that a text is not empty or not thousands of characters long, and that no other properties are taken: the error says
 *   so to a client that tries;
 * - that the names of properties are strings;
 * - the pattern of an id or of a file's bytes, which nobody invents and some clients warn about.
 */
function isNoise(key: string, value: unknown): boolean {
  if (key === 'neededByTools') return value === true;
  if (key === 'default') return value === false || value === 0 || value === '';
  if (key === 'minimum') return value === Number.MIN_SAFE_INTEGER;
  if (key === 'maximum') return value === Number.MAX_SAFE_INTEGER;
  if (key === 'minLength') return value === 1;
  if (key === 'maxLength') return typeof value === 'number' && value >= LONG_TEXT;
  if (['pattern', 'format', 'contentEncoding'].includes(key)) return typeof value === 'string';
  if (key === 'propertyNames') return isRecord(value) && value.type === 'string';
  return key === 'additionalProperties' && (value === false || saysNothing(value));
}

const LONG_TEXT = 2_000;

/** Makes a file's path optional if the program sends its bytes, which models cannot. */
function requireNeeded(compact: JsonSchema, { properties, required }: JsonSchema): JsonSchema {
  if (!isRecord(properties)) return compact;
  const needed = Object.entries(properties).flatMap(([name, value]) =>
    isRecord(value) && value.neededByTools === true ? [name] : [],
  );
  return needed.length === 0
    ? compact
    : { ...compact, required: [...(Array.isArray(required) ? required : []), ...needed] };
}

/** Arguments that only programs send, such as bytes: no model should write them. */
function isInternal(value: unknown): boolean {
  return isRecord(value) && value.internal === true;
}

/** `{}` accepts anything, just as an omitted schema does. */
function saysNothing(value: unknown): boolean {
  return isRecord(value) && Object.keys(value).length === 0;
}

/** Clients whose schemas allow only one `type` reject `type: [a, 'null']`, but accept the same as `anyOf`. */
function splitNullable(schema: JsonSchema): JsonSchema {
  const { type, ...rest } = schema;
  if (!Array.isArray(type)) return schema;
  return { anyOf: [{ ...rest, type: type.find((name) => name !== 'null') }, { type: 'null' }] };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
