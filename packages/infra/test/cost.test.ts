import { expect, test } from 'vitest';
import { parseConfiguration } from '../src/configuration/configuration.ts';
import { monthlyCost, PIECES, total } from '../src/cost/cost.ts';
import { resourcesOf } from './look-into.ts';
import { templateOf } from './synthesize.ts';

const AT_REST = { reads: 0, writes: 0, storedGb: 0.1 };
const onDemand = parseConfiguration({ function: { provisionedConcurrency: { environments: 0 } } });

test('a wiki of 100 MB costs less than a dollar a month at rest, without an environment kept ready', () => {
  expect(total(monthlyCost(onDemand, AT_REST, true))).toBeCloseTo(0.1 * 0.3 + 0.1 * 0.05 + 6 * 0.1);
  expect(total(monthlyCost(onDemand, AT_REST, true))).toBeLessThan(1);
});

test('an environment kept ready costs its memory, all the time', () => {
  const { ready } = monthlyCost(parseConfiguration({}), AT_REST, true);
  expect(ready).toBeCloseTo(0.5 * 730 * 3600 * 0.0000033334);
});

test('a month of work adds up as the bill does', () => {
  const load = { reads: 3_000_000, writes: 300_000, storedGb: 5 };
  const { requests, throughput, traces } = monthlyCost(onDemand, load, false);
  expect(requests).toBeCloseTo(3.3 * 0.2 + 0.5 * (3_000_000 * 0.02 + 300_000 * 0.12) * 0.0000133334);
  expect(throughput).toBeCloseTo(9_000_000 * 32_768e-9 * 0.03 + 4_800_000 * 32_768e-9 * 0.06);
  expect(traces).toBeCloseTo(16.5);
});

test('free usage costs nothing, but Lambda has no free usage while environments are kept ready', () => {
  const load = { reads: 900_000, writes: 0, storedGb: 0.1 };
  expect(monthlyCost(onDemand, load, true).requests).toBe(0);
  expect(monthlyCost(parseConfiguration({}), load, true).requests).toBeCloseTo(
    0.18 + 0.5 * 18_000 * 0.0000077778,
  );
});

test('throughput is paid for by use, by size or not at all', () => {
  const load = { reads: 1000, writes: 1000, storedGb: 1 };
  const mode = (throughput: object) =>
    monthlyCost(parseConfiguration({ fileSystem: { throughput } }), load, true);
  expect(mode({ mode: 'bursting' }).throughput).toBe(0);
  expect(mode({ mode: 'provisioned', mibPerSecond: 4 }).throughput).toBe(24);
});

test('the stack has as many alarms and dashboards as are counted', () => {
  const template = templateOf({});
  expect(resourcesOf(template, 'AWS::CloudWatch::Alarm')).toHaveLength(PIECES.alarms);
  expect(resourcesOf(template, 'AWS::CloudWatch::Dashboard')).toHaveLength(PIECES.dashboards);
});
