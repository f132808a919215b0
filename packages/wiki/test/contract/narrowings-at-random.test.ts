import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { sampled } from '../../../../labs/sample.ts';
import { contractOfCode, type Schema } from './described-contract.ts';
import { asSent } from './incompatibilities.ts';
import { narrowings } from './narrowings.ts';
import { drawChanged, drawFrom, drawInstance, drawWidened, pick } from './random-schemas.ts';

/** The judge, which knows nothing of our comparison. */
const judge = new Ajv2020({ strict: false, validateFormats: false, unicodeRegExp: false, logger: false });

const { request, reply, operations } = contractOfCode();
const schemas = [
  request as Schema,
  reply as Schema,
  ...Object.values(operations).flatMap(({ input, output }) => [input, output, asSent(output)]),
].map((schema) => ({ schema, fits: judge.compile(schema) }));

const SEEDS = Array.from({ length: sampled(400, 150) }, (_, at) => at);
const INSTANCES = 12;

test('a value that only the older of two schemas accepts is never missed', () => {
  let changedIncompatibly = 0;
  let accepted = 0;
  for (const seed of SEEDS) {
    const draw = drawFrom(seed);
    const { schema, fits } = pick(schemas, draw);
    const changed = drawChanged(schema, draw);
    const instances = Array.from({ length: INSTANCES }, () => drawInstance(schema, draw)).filter((each) =>
      fits(each),
    );
    const fitsChanged = judge.compile(changed);
    const refused = instances.find((instance) => !fitsChanged(instance));
    judge.removeSchema(changed);
    accepted += instances.length;
    if (refused === undefined) continue;
    changedIncompatibly += 1;
    const found = narrowings(schema, changed, 'schema', { defaults: 'kept' });
    expect(found, `seed ${seed}: ${JSON.stringify({ refused, changed })}`).not.toEqual([]);
  }
  // Otherwise the test would judge nothing.
  expect(changedIncompatibly).toBeGreaterThan(SEEDS.length / 5);
  expect(accepted).toBeGreaterThan((SEEDS.length * INSTANCES) / 2);
});

test('a schema that only takes more than before is compatible', () => {
  // An alternative that takes more may overlap with another one, which `oneOf` does not allow.
  const widenable = schemas.filter(({ schema }) => !('oneOf' in schema));
  for (const seed of SEEDS) {
    const draw = drawFrom(seed);
    const { schema } = pick(widenable, draw);
    const widened = drawWidened(schema, draw);
    const found = narrowings(schema, widened, 'schema', { defaults: 'kept' });
    expect(found, `seed ${seed}: ${JSON.stringify(widened)}`).toEqual([]);
  }
});
