import fc from 'fast-check';
import type { Schema } from './described-contract.ts';

/** Draws a whole number from `least` to `most`. */
export type Draw = (least: number, most: number) => number;

/** Draws the same numbers for the same seed. fast-check would keep every draw for shrinking, which takes gigabytes here. */
export function drawFrom(seed: number): Draw {
  let state = seed;
  return (least, most) => {
    // Mulberry32.
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return least + (((mixed ^ (mixed >>> 14)) >>> 0) % (most - least + 1));
  };
}

const isDrawn = (draw: Draw) => draw(0, 1) === 1;

/** A value that fits the schema, often at one of its bounds. */
export function drawInstance(schema: Schema, draw: Draw): unknown {
  const alternatives = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined;
  if (alternatives) return drawInstance(pick(alternatives, draw), draw);
  if ('const' in schema) return schema.const;
  if (schema.enum) return pick(schema.enum as unknown[], draw);
  switch (schema.type) {
    case 'string':
      return drawString(schema, draw);
    case 'integer':
    case 'number':
      return drawBetween((schema.minimum as number) ?? -9, (schema.maximum as number) ?? 9, draw);
    case 'boolean':
      return isDrawn(draw);
    case 'null':
      return null;
    case 'array':
      return drawArray(schema, draw);
    case 'object':
      return drawObject(schema, draw);
    default:
      return pick(['a', 1, 1.5, true, null, [], ['a'], {}, { a: 1 }], draw);
  }
}

function drawString({ pattern, minLength = 0, maxLength = 50 }: Schema, draw: Draw): string {
  if (pattern !== undefined) {
    return pick(matching(pattern as string), draw);
  }
  return 'a'.repeat(drawBetween(minLength as number, maxLength as number, draw));
}

const matches = new Map<string, string[]>();

function matching(pattern: string): string[] {
  const known = matches.get(pattern);
  if (known) return known;
  const found = fc.sample(fc.stringMatching(new RegExp(pattern), { size: 'xsmall' }), {
    numRuns: 8,
    seed: 1,
  });
  matches.set(pattern, found);
  return found;
}

function drawArray({ items, minItems = 0, maxItems = 20 }: Schema, draw: Draw): unknown[] {
  const length = drawBetween(minItems as number, maxItems as number, draw);
  const few = [1, 2].map(() => drawInstance((items ?? {}) as Schema, draw));
  return Array.from({ length }, (_, at) => few[at % few.length]);
}

function drawObject(schema: Schema, draw: Draw): Record<string, unknown> {
  const { properties = {}, required = [], additionalProperties = true } = schema;
  const drawn = Object.entries(properties as Record<string, Schema>)
    .filter(([name]) => (required as string[]).includes(name) || isDrawn(draw))
    .map(([name, property]) => [name, drawInstance(property, draw)]);
  if (additionalProperties !== false && isDrawn(draw)) {
    const inner = additionalProperties === true ? {} : (additionalProperties as Schema);
    drawn.push(['other', drawInstance(inner, draw)]);
  }
  return Object.fromEntries(drawn);
}

function drawBetween(least: number, most: number, draw: Draw): number {
  const near = Math.min(most, least + 4);
  return pick([least, near, Math.max(least, most - 1), most, draw(least, near)], draw);
}

export function pick<Item>(items: readonly Item[], draw: Draw): Item {
  return items[draw(0, items.length - 1)] as Item;
}

/** A copy of the schema in which one to three places are changed in any way. */
export function drawChanged(schema: Schema, draw: Draw): Schema {
  const changed = structuredClone(schema);
  for (let left = draw(1, 3); left > 0; left -= 1) {
    const node = pick(nodesOf(changed), draw);
    pick([changeKeyword, addKeyword, changeProperties, replace], draw)(node, draw);
  }
  return changed;
}

/** A copy in which one place takes more than before. */
export function drawWidened(schema: Schema, draw: Draw): Schema {
  const widened = structuredClone(schema);
  const node = pick(nodesOf(widened), draw);
  const keyword = pick([...Object.keys(node), ''], draw);
  if (LIMITS.test(keyword)) {
    node[keyword] = Number(node[keyword]) + (keyword.startsWith('max') ? 1 : -1);
  } else if (keyword === 'enum') (node.enum as unknown[]).push('new');
  else if (keyword === 'required') (node.required as string[]).pop();
  else if (keyword === 'properties' && node.additionalProperties === false)
    Object.assign(node.properties as Schema, { new: { type: 'string' } });
  else if (['pattern', 'format', 'additionalProperties', 'propertyNames', 'type', 'items'].includes(keyword))
    delete node[keyword];
  else if (keyword === '') Object.assign(node, { anyOf: [{ type: 'null' }, without(node)] });
  return widened;
}

const LIMITS = /^(?:min|max)(?:imum|Length|Items)$/;

/** All schemas in the schema, with itself. */
function nodesOf(schema: Schema): Schema[] {
  const { properties = {}, items, additionalProperties, propertyNames, anyOf = [], oneOf = [] } = schema;
  const inner = [
    ...Object.values(properties as object),
    ...(anyOf as Schema[]),
    ...(oneOf as Schema[]),
    ...[items, additionalProperties, propertyNames].filter((each) => typeof each === 'object'),
  ] as Schema[];
  return [schema, ...inner.flatMap(nodesOf)];
}

function changeKeyword(node: Schema, draw: Draw): void {
  const keyword = pick([...Object.keys(node), 'type'], draw);
  const value = node[keyword];
  if (typeof value === 'number') node[keyword] = value + pick([-1, 1], draw);
  else if (Array.isArray(value) && value.length > 1 && isDrawn(draw))
    value.splice(draw(0, value.length - 1), 1);
  else delete node[keyword];
}

function addKeyword(node: Schema, draw: Draw): void {
  const added: Schema[] = [
    ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'minLength', 'maxLength'].map(
      (keyword) => ({ [keyword]: draw(0, 5) }),
    ),
    ...['minItems', 'maxItems', 'minProperties', 'maxProperties'].map((keyword) => ({
      [keyword]: draw(0, 5),
    })),
    { pattern: '^a{3}' },
    { multipleOf: 2 },
    { uniqueItems: true },
    { enum: ['a', 1, null] },
    { const: 'a' },
    { not: { type: 'string' } },
    { type: pick(['string', 'integer', 'number', 'null', 'object', 'array', 'boolean'], draw) },
    { type: ['string', 'null'] },
    { additionalProperties: pick([false, { type: 'integer' }], draw) },
    { propertyNames: { maxLength: 3 } },
    { dependentRequired: { path: ['wiki'] } },
    { required: [pick(['path', 'other', 'new'], draw)] },
    { properties: { other: { type: 'string' } } },
    { items: { type: 'string', maxLength: 2 } },
    { allOf: [{ maxLength: 2 }] },
  ];
  Object.assign(node, pick(added, draw));
}

function changeProperties(node: Schema, draw: Draw): void {
  const properties = node.properties as Record<string, Schema> | undefined;
  if (properties === undefined) return;
  const name = pick([...Object.keys(properties), 'other'], draw);
  const required = (node.required ?? []) as string[];
  pick(
    [
      () => delete properties[name],
      () => Object.assign(properties, { [name]: { type: 'integer' } }),
      () => Object.assign(properties, { other: properties[name] ?? {} }),
      () => Object.assign(node, { required: [...new Set([...required, name])] }),
    ],
    draw,
  )();
}

function replace(node: Schema, draw: Draw): void {
  const before = without(node);
  const after: Schema[] = [
    {},
    { not: {} },
    { anyOf: [before, { type: 'null' }] },
    { anyOf: [{ ...before, maxLength: 2 }, { type: 'integer' }] },
    { allOf: [before, { type: ['string', 'object', 'integer'] }] },
  ];
  Object.assign(node, pick(after, draw));
}

/** Empties the schema; returns what it was. */
function without(node: Schema): Schema {
  const before = { ...node };
  for (const keyword of Object.keys(node)) delete node[keyword];
  return before;
}
