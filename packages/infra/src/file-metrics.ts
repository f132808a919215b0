import { Metric, type MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import type { WikiFileSystem } from './wiki-file-system.ts';

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
