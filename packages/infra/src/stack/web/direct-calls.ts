import { ArnFormat, Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { CfnTrail } from 'aws-cdk-lib/aws-cloudtrail';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { BlockPublicAccess, Bucket, BucketEncryption } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import type { WikiFunction } from '../wiki-function.ts';

/**
 * Records which identity called the wiki's functions for agents. Their callers say themselves who they are; a call for
 * a person is signed and needs no record.
 */
export class DirectCalls extends Construct {
  readonly bucket: Bucket;

  constructor(scope: Construct, id: string, functions: readonly WikiFunction[], days: number) {
    super(scope, id);
    const stack = Stack.of(this);
    const trailName = `${stack.stackName}-calls`;
    const trailArn = stack.formatArn({
      service: 'cloudtrail',
      resource: 'trail',
      resourceName: trailName,
      arnFormat: ArnFormat.SLASH_RESOURCE_NAME,
    });
    this.bucket = new Bucket(this, 'Records', {
      encryption: BucketEncryption.S3_MANAGED,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      enforceSSL: true,
      lifecycleRules: [
        { expiration: Duration.days(days), abortIncompleteMultipartUploadAfter: Duration.days(1) },
      ],
      // Records outlive the stack, until they are as old as that.
      removalPolicy: RemovalPolicy.RETAIN,
    });
    Validations.of(this.bucket).acknowledge({
      id: 'AwsSolutions-S1',
      reason: 'It holds records itself. Records of who reads these would be for the account to keep.',
    });
    const allow = (action: string, resource: string, conditions: Record<string, string> = {}) =>
      this.bucket.addToResourcePolicy(
        new PolicyStatement({
          principals: [new ServicePrincipal('cloudtrail.amazonaws.com')],
          actions: [action],
          resources: [resource],
          conditions: { StringEquals: { 'aws:SourceArn': trailArn, ...conditions } },
        }),
      );
    allow('s3:GetBucketAcl', this.bucket.bucketArn);
    allow('s3:PutObject', this.bucket.arnForObjects(`AWSLogs/${stack.account}/*`), {
      's3:x-amz-acl': 'bucket-owner-full-control',
    });
    const trail = new CfnTrail(this, 'Trail', {
      trailName,
      isLogging: true,
      isMultiRegionTrail: false,
      includeGlobalServiceEvents: false,
      enableLogFileValidation: true,
      s3BucketName: this.bucket.bucketName,
      advancedEventSelectors: [
        {
          name: 'Calls of the functions for agents',
          fieldSelectors: [
            { field: 'eventCategory', equalTo: ['Data'] },
            { field: 'resources.type', equalTo: ['AWS::Lambda::Function'] },
            // A record names the function without its alias.
            { field: 'resources.ARN', equalTo: functions.map(({ lambda }) => lambda.functionArn) },
          ],
        },
      ],
    });
    // CloudTrail refuses a bucket that it may not write to.
    if (this.bucket.policy) trail.node.addDependency(this.bucket.policy);
  }
}
