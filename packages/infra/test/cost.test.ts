import { expect, test } from 'vitest';
import { parseConfiguration } from '../src/configuration/configuration.ts';
import { type Cost, monthlyCost, PIECES, total } from '../src/cost/cost.ts';
import { costOf } from '../src/cost/cost-report.ts';
import { resourcesOf } from './look-into.ts';
import { templateOf } from './synthesize.ts';
import { WEB } from './web/web-settings.ts';

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

const WEB_AT_REST = { function: { provisionedConcurrency: { environments: 0 } }, web: WEB.domain };

test('the pages cost only alarms and the records of the maintenance at rest', () => {
  const [without, pages] = [onDemand, parseConfiguration(WEB_AT_REST)].map((each) =>
    monthlyCost(each, AT_REST, true),
  );
  const { watching, records, ...rest } = pages as Cost;
  expect(without).toMatchObject(rest);
  expect(watching - (without as Cost).watching).toBeCloseTo(8 * 0.1);
  expect(records).toBeCloseTo(1095 * (1e-6 + 5e-6), 3);
});

test('page views add up as the bill does', () => {
  const load = { ...AT_REST, pageViews: 1_000_000 };
  const pages = monthlyCost(parseConfiguration(WEB_AT_REST), load, false);
  const gbSeconds = (1769 / 1024) * 320_000;
  expect(pages.requests).toBeCloseTo(4 * 0.2 + gbSeconds * 0.0000133334);
  expect(pages.pages).toBeCloseTo(60 * 0.085 + 2 * 1 + 4 * 0.125);
  expect(pages.throughput).toBeCloseTo(6_000_000 * 32_768e-9 * 0.03);
  expect(pages.traces).toBeCloseTo(2 * 5);
  const { domain: _, ...atFunction } = WEB.domain;
  const withoutDomain = parseConfiguration({ ...WEB_AT_REST, web: atFunction });
  expect(monthlyCost(withoutDomain, load, false).pages).toBeCloseTo(60 * 0.09 + 4 * 0.125);
  expect(monthlyCost(withoutDomain, load, true).pages).toBeCloseTo(4 * 0.125);
});

test('page views cost nothing where there are no pages', () => {
  const load = { ...AT_REST, pageViews: 1_000_000 };
  expect(monthlyCost(onDemand, load, true)).toEqual(monthlyCost(onDemand, AT_REST, true));
});

test('environments of the pages that are kept ready are two for each', () => {
  const web = { ...WEB.domain, provisionedConcurrency: { environments: 3 } };
  const { ready } = monthlyCost(parseConfiguration({ ...WEB_AT_REST, web }), AT_REST, true);
  expect(ready).toBeCloseTo(6 * (1769 / 1024) * 730 * 3600 * 0.0000033334);
});

test.each([{}, { web: WEB.ownIssuer }])('the costs of %j are shown with and without the pages', (json) => {
  const configuration = parseConfiguration(json);
  const { web: _, ...without } = configuration;
  const [, together] = /^Together +(.*)$/m.exec(costOf(configuration)) ?? [];
  const pages = parseConfiguration({ web: WEB.ownIssuer });
  const views = { ...AT_REST, pageViews: (1_000 * 365) / 12 };
  expect(together?.split(/ +/)).toEqual([
    total(monthlyCost(without, AT_REST, true)).toFixed(2),
    total(monthlyCost(pages, AT_REST, true)).toFixed(2),
    total(monthlyCost(pages, views, true)).toFixed(2),
  ]);
});

test('the stack has as many alarms and dashboards as are counted', () => {
  const template = templateOf({});
  expect(resourcesOf(template, 'AWS::CloudWatch::Alarm')).toHaveLength(PIECES.alarms);
  expect(resourcesOf(template, 'AWS::CloudWatch::Dashboard')).toHaveLength(PIECES.dashboards);
  const pages = templateOf({ web: WEB.domain });
  expect(resourcesOf(pages, 'AWS::CloudWatch::Alarm')).toHaveLength(PIECES.alarms + PIECES.web.alarms);
  expect(resourcesOf(pages, 'AWS::CloudWatch::Dashboard')).toHaveLength(PIECES.dashboards);
});
