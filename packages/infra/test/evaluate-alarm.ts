import { resourcesOf } from './look-into.ts';
import type { Template } from './synthesize.ts';

/** The values of each metric on each day, in the order in which they were reported. */
export type Days = readonly Readonly<Record<string, readonly number[]>>[];

export type State = 'OK' | 'ALARM' | 'INSUFFICIENT_DATA';

interface AlarmProperties {
  AlarmName: string;
  MetricName: string;
  Statistic: 'Maximum' | 'Minimum';
  Period: number;
  EvaluationPeriods: number;
  DatapointsToAlarm?: number;
  Threshold: number;
  ComparisonOperator: string;
  TreatMissingData: 'ignore' | 'notBreaching' | 'breaching' | 'missing';
}

/** The state of an alarm of the stack at the end of each day, as CloudWatch evaluates alarms with periods of a day. */
export function statesOf(template: Template, name: string, days: Days): State[] {
  const alarm = alarmOf(template, name);
  const points = days.map((day) => statistic(alarm, day[alarm.MetricName] ?? []));
  const states: State[] = [];
  for (const end of points.keys()) {
    const window = points.slice(Math.max(0, end + 1 - alarm.EvaluationPeriods), end + 1);
    states.push(stateAfter(states.at(-1) ?? 'INSUFFICIENT_DATA', window, alarm));
  }
  return states;
}

function alarmOf(template: Template, name: string): AlarmProperties {
  const alarms = resourcesOf(template, 'AWS::CloudWatch::Alarm').map(([, { Properties }]) => Properties);
  const alarm = alarms.find(({ AlarmName }) => AlarmName === `Pagetree-${name}`);
  if (alarm?.MetricName === undefined || alarm.Period !== DAY_SECONDS)
    throw new TypeError(`${name} is no alarm on a metric by the day.`);
  return alarm as unknown as AlarmProperties;
}

function statistic({ Statistic }: AlarmProperties, values: readonly number[]): number | null {
  if (values.length === 0) return null;
  return Statistic === 'Maximum' ? Math.max(...values) : Math.min(...values);
}

function stateAfter(before: State, window: readonly (number | null)[], alarm: AlarmProperties): State {
  const { TreatMissingData, EvaluationPeriods, DatapointsToAlarm = EvaluationPeriods } = alarm;
  if (TreatMissingData === 'ignore' && window.every((value) => value === null)) return before;
  const breaching = window.filter((value) =>
    value === null ? TreatMissingData === 'breaching' : isBreaching(value, alarm),
  );
  return breaching.length >= DatapointsToAlarm ? 'ALARM' : 'OK';
}

function isBreaching(value: number, { ComparisonOperator, Threshold }: AlarmProperties): boolean {
  switch (ComparisonOperator) {
    case 'GreaterThanThreshold':
      return value > Threshold;
    case 'GreaterThanOrEqualToThreshold':
      return value >= Threshold;
    case 'LessThanThreshold':
      return value < Threshold;
    default:
      throw new TypeError(`${ComparisonOperator} is not evaluated here.`);
  }
}

const DAY_SECONDS = 86_400;
