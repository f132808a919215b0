import { Aws, CfnOutput, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { AnyPrincipal, Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { BlockPublicAccess, Bucket, BucketEncryption } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import { bucketName, GROUND_STACK } from './names.ts';
import { StudyNetwork } from './study-network.ts';

/**
 * The base of the other stack: the bucket for its bundles, and the network. It is a separate stack, as the
 * bundles must be in the bucket before a function can be made of them.
 */
export class GroundStack extends Stack {
  readonly bucket: Bucket;
  readonly network: StudyNetwork;

  constructor(scope: Construct) {
    super(scope, GROUND_STACK, {
      stackName: GROUND_STACK,
      description: 'Pagetree: bucket and network of the three studies',
    });
    this.network = new StudyNetwork(this, 'Network');
    this.bucket = this.makeBucket();
    this.network.allowStore(this.bucket);
    this.letTasksFetchBundles();
    const { vpc, taskSubnets, taskGroup } = this.network;
    const { subnetIds } = vpc.selectSubnets(taskSubnets);
    this.output('Bucket', this.bucket.bucketName);
    this.output('TaskSubnets', subnetIds.join(','));
    this.output('TaskGroup', taskGroup.securityGroupId);
    this.exportAlways([...subnetIds, taskGroup.securityGroupId]);
  }

  /**
   * Exports values that only the schedules of a month use. By default CDK exports them only together with a
   * month. A deployment without one would then drop exports that the other stack still uses, which
   * CloudFormation refuses.
   */
  private exportAlways(values: readonly string[]): void {
    for (const value of values) this.exportValue(value);
  }

  private makeBucket(): Bucket {
    const bucket = new Bucket(this, 'Bucket', {
      bucketName: bucketName(Aws.ACCOUNT_ID, Aws.REGION),
      encryption: BucketEncryption.S3_MANAGED,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      enforceSSL: true,
      // `destroy` empties it: a function that did so would be one more thing to be left behind.
      removalPolicy: RemovalPolicy.DESTROY,
    });
    Validations.of(bucket).acknowledge({
      id: 'AwsSolutions-S1',
      reason:
        'It holds random bytes and timings for as long as a study lasts; nobody will ask who read them.',
    });
    return bucket;
  }

  /**
   * The Node image has nothing that signs requests. A bundle is no secret, its hash stands in the task, and the
   * policy names one endpoint, so that S3 does not count it as public.
   */
  private letTasksFetchBundles(): void {
    this.bucket.addToResourcePolicy(
      new PolicyStatement({
        sid: 'BundlesFromTheNetworkOfTheStudies',
        effect: Effect.ALLOW,
        principals: [new AnyPrincipal()],
        actions: ['s3:GetObject'],
        resources: [this.bucket.arnForObjects('bundles/*')],
        conditions: { StringEquals: { 'aws:SourceVpce': this.network.storeEndpoint.vpcEndpointId } },
      }),
    );
  }

  private output(name: string, value: string): void {
    new CfnOutput(this, `${name}Output`, { value }).overrideLogicalId(name);
  }
}
