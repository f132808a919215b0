import { Stack } from 'aws-cdk-lib';
import type { FileSystem } from 'aws-cdk-lib/aws-efs';
import { Rule } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';

/** Sends each backup of the file system that failed to the queue of failures, which an alarm watches. */
export class FailedBackups extends Construct {
  constructor(scope: Construct, id: string, fileSystem: FileSystem, failures: Queue) {
    super(scope, id);
    const fileSystemArn = Stack.of(this).formatArn({
      service: 'elasticfilesystem',
      resource: 'file-system',
      resourceName: fileSystem.fileSystemId,
    });
    new Rule(this, 'Rule', {
      description: 'Backups of the wikis that failed',
      eventPattern: {
        source: ['aws.backup'],
        detailType: ['Backup Job State Change'],
        detail: {
          resourceArn: [fileSystemArn],
          state: ['FAILED', 'ABORTED', 'EXPIRED', 'PARTIAL'],
        },
      },
      targets: [new SqsQueue(failures)],
    });
  }
}
