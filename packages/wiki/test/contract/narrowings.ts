import { isDeepStrictEqual } from 'node:util';
import type { Schema } from './described-contract.ts';

/** How two schemas are compared besides the values that they accept. */
export interface Comparison {
  /** `equal`: a default must not come, go or change. `kept`: it must not change. */
  defaults: 'equal' | 'kept';
  /** The fault of a property that `to` names and `from` never has; null if there is none. */
  onlyInTo?: (property: Schema) => string | null;
}

/**
 * The reasons why a value that fits `from` may not fit `to`, each as `place: reason`. Empty only if every value fits.
 * It may name a reason where there is none: a keyword that it does not know has to be equal in both.
 */
export function narrowings(from: Schema, to: Schema, at: string, comparison: Comparison): string[] {
  if (isDeepStrictEqual(from, to)) return [];
  const [given, taken] = [alternativesOf(from), alternativesOf(to)];
  if (given === null && taken === null) {
    return [
      ...defaultNarrowings(from, to, at, comparison),
      ...typeNarrowings(from, to, at),
      ...valueNarrowings(from, to, at),
      ...boundNarrowings(from, to, at),
      ...equalityNarrowings(from, to, at),
      ...objectNarrowings(from, to, at, comparison),
      ...innerNarrowings(from.items, to.items, `${at}[]`, comparison),
    ];
  }
  const found = (given ?? [from]).flatMap((each) => bestOf(each, taken ?? [to], at, comparison));
  const overlap = to.oneOf === undefined || isDiscriminated(to.oneOf as Schema[]) ? [] : [`${at}: oneOf`];
  return [...new Set([...defaultNarrowings(from, to, at, comparison), ...overlap, ...found])];
}

/** True if no value can fit two of the alternatives: each requires another value of the same property. */
function isDiscriminated(alternatives: Schema[]): boolean {
  const names = (alternatives[0]?.required ?? []) as string[];
  return names.some((name) => {
    const values = alternatives.map(({ type, required, properties }) => {
      const isThere = type === 'object' && ((required ?? []) as string[]).includes(name);
      return isThere ? ((properties as Record<string, Schema>)?.[name]?.const as unknown) : undefined;
    });
    return !values.includes(undefined) && new Set(values).size === values.length;
  });
}

/** The narrowings by the alternative of `to` that takes most of `from`. */
function bestOf(from: Schema, to: Schema[], at: string, comparison: Comparison): string[] {
  const found = to.map((alternative) => narrowings(from, alternative, at, comparison));
  const typed = found.filter((reasons) => !reasons.includes(`${at}: type`));
  const [best = []] = (typed.length > 0 ? typed : found).toSorted((a, b) => a.length - b.length);
  return best;
}

/** The alternatives of a union, each with the keywords beside it; null if the schema is none. */
function alternativesOf({ anyOf, oneOf, default: _, ...beside }: Schema): Schema[] | null {
  const alternatives = (anyOf ?? oneOf) as Schema[] | undefined;
  return (
    alternatives?.map((each) => {
      const both = Object.keys(beside).filter((keyword) => Object.hasOwn(each, keyword));
      return both.length === 0 ? { ...beside, ...each } : { allOf: [beside, each] };
    }) ?? null
  );
}

function defaultNarrowings(from: Schema, to: Schema, at: string, { defaults }: Comparison): string[] {
  const isCompared = defaults === 'equal' || ('default' in from && 'default' in to);
  return !isCompared || isDeepStrictEqual(from.default, to.default) ? [] : [`${at}: default`];
}

function typeNarrowings(from: Schema, to: Schema, at: string): string[] {
  const [given, taken] = [typesOf(from), typesOf(to)];
  if (taken === null) return [];
  const takes = (type: string) => taken.includes(type) || (type === 'integer' && taken.includes('number'));
  return given?.every(takes) ? [] : [`${at}: type`];
}

function typesOf({ type }: Schema): string[] | null {
  return type === undefined ? null : ([type].flat() as string[]);
}

function valueNarrowings(from: Schema, to: Schema, at: string): string[] {
  const [given, taken] = [valuesOf(from), valuesOf(to)];
  if (taken === null) return [];
  if (given === null) return [`${at}: only certain values`];
  const removed = given.filter((value) => !taken.some((each) => isDeepStrictEqual(each, value)));
  return removed.map((value) => `${at}: without ${JSON.stringify(value)}`);
}

function valuesOf(schema: Schema): unknown[] | null {
  if ('const' in schema) return [schema.const];
  return (schema.enum as unknown[] | undefined) ?? null;
}

const LEAST = ['minLength', 'minItems', 'minProperties', 'minimum', 'exclusiveMinimum'];
const MOST = ['maxLength', 'maxItems', 'maxProperties', 'maximum', 'exclusiveMaximum'];

function boundNarrowings(from: Schema, to: Schema, at: string): string[] {
  const bound = (schema: Schema, keyword: string, none: number) => (schema[keyword] as number) ?? none;
  const raised = LEAST.filter((key) => bound(to, key, -Infinity) > bound(from, key, -Infinity));
  const lowered = MOST.filter((key) => bound(to, key, Infinity) < bound(from, key, Infinity));
  return [...raised, ...lowered].map((keyword) => `${at}: ${keyword}`);
}

const COMPARED = ['default', 'type', 'const', 'enum', 'items', 'anyOf', 'oneOf'];
const OF_OBJECTS = ['properties', 'required', 'additionalProperties', 'propertyNames'];

/** Keywords such as `pattern` and `format`, whose values cannot be compared. */
function equalityNarrowings(from: Schema, to: Schema, at: string): string[] {
  const others = Object.keys(to).filter(
    (keyword) => ![...COMPARED, ...OF_OBJECTS, ...LEAST, ...MOST].includes(keyword),
  );
  return others
    .filter((keyword) => !isDeepStrictEqual(from[keyword], to[keyword]))
    .map((keyword) => `${at}: ${keyword}`);
}

function objectNarrowings(from: Schema, to: Schema, at: string, comparison: Comparison): string[] {
  const required = ((to.required ?? []) as string[]).filter(
    (name) => !((from.required ?? []) as string[]).includes(name),
  );
  const names = new Set([...Object.keys(from.properties ?? {}), ...Object.keys(to.properties ?? {})]);
  return [
    ...required.map((name) => `${at}.${name}: required`),
    ...[...names].flatMap((name) => propertyNarrowings(from, to, name, { at, comparison })),
    ...innerNarrowings(from.additionalProperties, to.additionalProperties, `${at}.*`, comparison),
    ...innerNarrowings(from.propertyNames, to.propertyNames, `${at} (names)`, comparison),
  ];
}

function propertyNarrowings(
  from: Schema,
  to: Schema,
  name: string,
  { at, comparison }: { at: string; comparison: Comparison },
): string[] {
  const [given, taken] = [propertyOf(from, name), propertyOf(to, name)];
  if (given !== false) return innerNarrowings(given, taken, `${at}.${name}`, comparison);
  const fault = comparison.onlyInTo?.(taken as Schema) ?? null;
  return fault === null ? [] : [`${at}.${name}: ${fault}`];
}

function propertyOf({ properties, additionalProperties }: Schema, name: string): unknown {
  const named = (properties ?? {}) as Record<string, unknown>;
  return Object.hasOwn(named, name) ? named[name] : additionalProperties;
}

/** The narrowings of a schema inside another one, which may be missing or boolean. */
function innerNarrowings(from: unknown, to: unknown, at: string, comparison: Comparison): string[] {
  if (from === false) return [];
  if (to === false) return [`${at}: removed`];
  const schemaOf = (schema: unknown) => (schema === undefined || schema === true ? {} : (schema as Schema));
  return narrowings(schemaOf(from), schemaOf(to), at, comparison);
}
