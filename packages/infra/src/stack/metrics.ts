import { Metric, type MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import type { WikiFileSystem } from './wiki-file-system.ts';
import type { WikiFunction } from './wiki-function.ts';

/** A metric of the file system, which CDK has no method for. */
export function fileMetric(files: WikiFileSystem, metricName: string, options: MetricOptions): Metric {
  const { dimensionsMap, ...rest } = options;
  return new Metric({
    namespace: 'AWS/EFS',
    metricName,
    dimensionsMap: { FileSystemId: files.fileSystem.fileSystemId, ...dimensionsMap },
    ...rest,
  });
}

/**
 * The counts in the function's log lines: `faults`, calls that failed but not because of the caller, and
 * `busy`. Lambda itself counts such a call as a success, as it was answered.
 */
export function operationMetric(
  { lambda }: WikiFunction,
  effect: 'read' | 'write',
  metricName: 'faults' | 'busy',
  options: MetricOptions,
): Metric {
  return new Metric({
    namespace: 'Pagetree',
    metricName,
    dimensionsMap: { function: lambda.functionName, effect },
    statistic: 'Sum',
    ...options,
  });
}

/**
 * Metrics from the function's log lines of the nightly maintenance of all wikis. What is left undone
 * (`wikis_unfinished`, `debt_...`) is reported by complete rounds alone.
 */
export function maintenanceMetric(
  { lambda }: WikiFunction,
  metricName:
    | 'wikis_done'
    | 'wikis_left'
    | 'failures'
    | 'wikis_unfinished'
    | 'debt_packs'
    | 'debt_bytes'
    | 'debt_growth_rounds',
  options: MetricOptions,
): Metric {
  return new Metric({
    namespace: 'Pagetree',
    metricName,
    dimensionsMap: { function: lambda.functionName },
    statistic: 'Maximum',
    ...options,
  });
}
