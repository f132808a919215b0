import { expect, test } from 'vitest';
import { ACCOUNT, arnOf, resolved, resourceOf, resourcesOf } from '../look-into.ts';
import { allowed, nameOf, personWith } from '../simulate.ts';
import { templateOf } from '../synthesize.ts';
import { WEB } from './web-settings.ts';

const ownIssuer = templateOf({ web: WEB.ownIssuer });

test('calls of agents are recorded with their identity, for as long as logs are kept', () => {
  const [writer, reader] = ['Writer', 'Reader'].map((part) =>
    nameOf(ownIssuer, 'AWS::Lambda::Function', part),
  ) as [string, string];
  const { AdvancedEventSelectors, IsLogging, S3BucketName } = resolved(
    ownIssuer,
    resourceOf(ownIssuer, 'AWS::CloudTrail::Trail').Properties,
  ) as Record<string, unknown>;
  expect(IsLogging).toBe(true);
  expect(AdvancedEventSelectors).toMatchObject([
    {
      FieldSelectors: [
        { Field: 'eventCategory', Equals: ['Data'] },
        { Field: 'resources.type', Equals: ['AWS::Lambda::Function'] },
        { Field: 'resources.ARN', Equals: [arnOf(ownIssuer, writer), arnOf(ownIssuer, reader)] },
      ],
    },
  ]);
  const [[bucket, { Properties, DeletionPolicy } = {}] = []] = resourcesOf(
    templateOf({ web: WEB.ownIssuer, logRetentionDays: 30 }),
    'AWS::S3::Bucket',
  );
  expect(S3BucketName).toBe(bucket);
  expect(DeletionPolicy).toBe('Retain');
  expect(Properties).toMatchObject({
    LifecycleConfiguration: { Rules: [{ ExpirationInDays: 30, Status: 'Enabled' }] },
    PublicAccessBlockConfiguration: { BlockPublicAcls: true, RestrictPublicBuckets: true },
  });
});

test('only CloudTrail writes into the bucket, and only for this trail and account', async () => {
  const bucket = nameOf(ownIssuer, 'AWS::S3::Bucket');
  const { Statement } = resolved(
    ownIssuer,
    resourceOf(ownIssuer, 'AWS::S3::BucketPolicy').Properties.PolicyDocument,
  ) as {
    Statement: {
      Effect: string;
      Principal: unknown;
      Action: unknown;
      Resource: unknown;
      Condition: unknown;
    }[];
  };
  const trail = `arn:aws:cloudtrail:us-east-2:${ACCOUNT}:trail/Pagetree-calls`;
  expect(Statement.filter(({ Effect }) => Effect === 'Allow')).toEqual([
    {
      Effect: 'Allow',
      Principal: { Service: 'cloudtrail.amazonaws.com' },
      Action: 's3:GetBucketAcl',
      Resource: arnOf(ownIssuer, bucket),
      Condition: { StringEquals: { 'aws:SourceArn': trail } },
    },
    {
      Effect: 'Allow',
      Principal: { Service: 'cloudtrail.amazonaws.com' },
      Action: 's3:PutObject',
      Resource: `${arnOf(ownIssuer, bucket)}/AWSLogs/${ACCOUNT}/*`,
      Condition: { StringEquals: { 'aws:SourceArn': trail, 's3:x-amz-acl': 'bucket-owner-full-control' } },
    },
  ]);
  for (const policy of ['Writer', 'Reader'] as const)
    for (const action of ['s3:GetObject', 's3:PutObject', 's3:DeleteObject'])
      expect(
        await allowed(personWith(ownIssuer, policy), {
          action,
          resource: `${arnOf(ownIssuer, bucket)}/AWSLogs/${ACCOUNT}/CloudTrail/a.json.gz`,
          resourcePolicy: { Version: '2012-10-17', Statement },
        }),
      ).toBe(false);
});
