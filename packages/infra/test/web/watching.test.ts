import { expect, test } from 'vitest';
import { resolved, resourceOf, resourcesOf } from '../look-into.ts';
import { templateOf } from '../synthesize.ts';
import { WEB } from './web-settings.ts';

const template = templateOf({ web: WEB.ownIssuer });

test('errors, throttles, long calls and faults of both functions of the pages have alarms', () => {
  const alarms = resourcesOf(template, 'AWS::CloudWatch::Alarm').map(([, { Properties }]) => Properties);
  const watched = alarms.flatMap(({ AlarmName, MetricName, Threshold, Dimensions }) => {
    if (!/^Pagetree-(people|web)/.test(String(AlarmName))) return [];
    const of = (resolved(template, Dimensions) as { Name: string; Value: string }[]).find(({ Name }) =>
      ['Resource', 'function'].includes(Name),
    );
    return `${AlarmName}: ${MetricName} of ${of?.Value} > ${Threshold}`;
  });
  expect(watched.toSorted()).toEqual([
    'Pagetree-peopleDuration: Duration of Pagetree-people:live > 24000',
    'Pagetree-peopleErrors: Errors of Pagetree-people:live > 0',
    'Pagetree-peopleFaultsInReading: faults of Pagetree-people > 0',
    'Pagetree-peopleFaultsInWriting: faults of Pagetree-people > 0',
    'Pagetree-peopleThrottles: Throttles of Pagetree-people:live > 0',
    'Pagetree-webDuration: Duration of Pagetree-web:live > 48000',
    'Pagetree-webErrors: Errors of Pagetree-web:live > 0',
    'Pagetree-webThrottles: Throttles of Pagetree-web:live > 0',
  ]);
});

test('the dashboard shows failures, durations and costs of both', () => {
  const { DashboardBody } = resourceOf(template, 'AWS::CloudWatch::Dashboard').Properties;
  const { widgets } = JSON.parse(String(resolved(template, DashboardBody))) as {
    widgets: { properties: { title?: string; metrics?: unknown } }[];
  };
  const metricsOf = (title: string) =>
    JSON.stringify(widgets.find(({ properties }) => properties.title === title)?.properties.metrics);
  for (const label of [
    'people: errors',
    'people: throttles',
    'people: faults, write',
    'pages: errors',
    'pages: throttles',
  ])
    expect(metricsOf('Calls that failed')).toContain(`"${label}"`);
  for (const label of ['p95, people', 'p95, pages'])
    expect(metricsOf('Duration of a call (ms)')).toContain(`"${label}"`);
  for (const name of ['Pagetree-people', 'Pagetree-web'])
    expect(metricsOf('USD a day')).toContain(`"${name}"`);
});
