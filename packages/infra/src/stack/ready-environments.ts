import { TimeZone } from 'aws-cdk-lib';
import { Schedule } from 'aws-cdk-lib/aws-applicationautoscaling';
import type { Alias } from 'aws-cdk-lib/aws-lambda';
import type { Configuration } from '../configuration/configuration.ts';

/** Changes the number of environments that an alias keeps ready, by the clock and by the load. */
export function scaleReadyEnvironments(
  alias: Alias,
  settings: Configuration['function']['provisionedConcurrency'],
): void {
  const { environments, schedule, targetTracking } = settings;
  if (schedule.length === 0 && targetTracking === undefined) return;
  const most = Math.max(
    environments,
    targetTracking?.most ?? 0,
    ...schedule.map((change) => change.environments),
  );
  const scaling = alias.addAutoScaling({ minCapacity: environments, maxCapacity: most });
  schedule.forEach((change, index) => {
    scaling.scaleOnSchedule(`Change${index + 1}`, {
      schedule: Schedule.expression(`cron(${change.cron})`),
      timeZone: TimeZone.of(change.timeZone),
      minCapacity: change.environments,
      // With none to be ready, the load must not bring some back.
      maxCapacity: change.environments === 0 ? 0 : Math.max(change.environments, targetTracking?.most ?? 0),
    });
  });
  if (targetTracking) scaling.scaleOnUtilization({ utilizationTarget: targetTracking.utilization });
}
