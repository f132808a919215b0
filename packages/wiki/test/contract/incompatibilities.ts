import { isDeepStrictEqual } from 'node:util';
import type { DescribedContract, DescribedOperation, Schema } from './described-contract.ts';
import { type Comparison, narrowings } from './narrowings.ts';

/** The ways in which a side of the `older` contract and one of the `newer` contract do not fit, in either direction. */
export function incompatibilities(older: DescribedContract, newer: DescribedContract): string[] {
  const found = Object.entries(older.operations).flatMap(([name, operation]) =>
    ofOperation(name, operation, newer.operations[name]),
  );
  // The list is closed: a client of version 1 cannot read an answer with another code.
  const isSame = isDeepStrictEqual(older.errorCodes, newer.errorCodes);
  return [...new Set([...(isSame ? [] : ['error codes: changed']), ...ofEnvelope(older, newer), ...found])];
}

function ofEnvelope(older: DescribedContract, newer: DescribedContract): string[] {
  if (!older.request || !older.reply || !newer.request || !newer.reply) return [];
  return [
    ...narrowings(older.request, newer.request, 'request', { defaults: 'equal' }),
    ...ofOutput(older.reply, newer.reply, 'reply'),
  ];
}

function ofOperation(
  name: string,
  older: DescribedOperation,
  newer: DescribedOperation | undefined,
): string[] {
  if (newer === undefined) return [`${name}: removed`];
  const isSameEffect = older.effect === undefined || older.effect === newer.effect;
  const comparison: Comparison = {
    defaults: 'equal',
    // A default would change the digest of a request that left the field out.
    onlyInTo: (property) => (newer.effect === 'write' && 'default' in property ? 'new with a default' : null),
  };
  return [
    ...(isSameEffect ? [] : [`${name}: effect`]),
    ...narrowings(older.input, newer.input, `${name}.input`, comparison),
    ...ofOutput(older.output, newer.output, `${name}.output`),
  ];
}

/** Both sides must read what the other one answers. */
function ofOutput(older: Schema, newer: Schema, at: string): string[] {
  return [
    ...narrowings(asSent(newer), older, at, { defaults: 'kept', onlyInTo: () => 'no longer sent' }),
    ...narrowings(asSent(older), newer, at, { defaults: 'kept' }),
  ];
}

/** A function parses what it answers: fields with a default are there, and fields that the schema does not name are not. */
export function asSent(schema: Schema): Schema {
  const sent = { ...schema };
  for (const keyword of ['items', 'additionalProperties'])
    if (typeof sent[keyword] === 'object') sent[keyword] = asSent(sent[keyword] as Schema);
  for (const keyword of ['anyOf', 'oneOf'])
    if (Array.isArray(sent[keyword])) sent[keyword] = (sent[keyword] as Schema[]).map(asSent);
  if (typeof schema.properties !== 'object') return sent;
  const properties = Object.entries(schema.properties as Record<string, Schema>);
  const defaulted = properties.filter(([, each]) => 'default' in each).map(([name]) => name);
  return {
    additionalProperties: false,
    ...sent,
    properties: Object.fromEntries(properties.map(([name, each]) => [name, asSent(each)])),
    required: [...new Set([...((schema.required ?? []) as string[]), ...defaulted])],
  };
}
