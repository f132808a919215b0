import { App, Stack } from 'aws-cdk-lib';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { AwsSolutionsChecks } from 'cdk-nag';
import { expect, test } from 'vitest';
import { stackOf } from './synthesize.ts';
import { WEB } from './web/web-settings.ts';

const CONFIGURATIONS = {
  'with the defaults': {},
  'with everything else': {
    fileSystem: { availability: 'regional', throughput: { mode: 'bursting' }, removal: 'delete' },
    function: {
      provisionedConcurrency: {
        schedule: [{ cron: '0 7 ? * MON-FRI *', environments: 2 }],
        targetTracking: { most: 5 },
      },
    },
    alarmAddress: 'ops@example.org',
  },
  'with the sync': { sync: true },
  'with the pages, at an issuer of their own': { web: WEB.ownIssuer },
  'with the pages and a user pool': { web: WEB.cognito },
  'with the pages at a domain': { web: WEB.domain },
};

test.each(Object.entries(CONFIGURATIONS))(
  'the rules of AwsSolutions hold %s, but for what is acknowledged with its reason',
  (_, configuration) => {
    const { app } = stackOf(configuration);
    expect(new AwsSolutionsChecks(app).validateScope(app).violations).toEqual([]);
  },
);

test('the rules find a violation that has no stated reason', () => {
  const app = new App();
  new Queue(new Stack(app, 'Other'), 'Queue');
  const found = new AwsSolutionsChecks(app).validateScope(app).violations.map(({ ruleName }) => ruleName);
  expect(found).toContain('AwsSolutions-SQS3');
});
