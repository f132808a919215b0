import { expect, test } from 'vitest';
import { resourceOf, resourcesOf } from '../look-into.ts';
import { templateOf } from '../synthesize.ts';
import { WEB } from './web-settings.ts';

const domain = templateOf({ web: WEB.domain });

test('a domain is answered by CloudFront, which keeps the files that never change and nothing else', () => {
  const { DistributionConfig } = resourceOf(domain, 'AWS::CloudFront::Distribution').Properties as {
    DistributionConfig: Record<string, unknown> & {
      CacheBehaviors: { PathPattern: string; CachePolicyId: string }[];
    };
  };
  // Policies of AWS: https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/using-managed-cache-policies.html
  const [disabled, optimized] = [
    '4135ea2d-6df8-44a3-9df3-4b5a84be39ad',
    '658327ea-f89d-4fab-a63d-7e88639e58f6',
  ];
  const allViewerExceptHostHeader = 'b689b0a8-53d0-40ab-baf2-68738e2966ac';
  expect(DistributionConfig).toMatchObject({
    Aliases: ['wiki.example.org'],
    DefaultCacheBehavior: {
      AllowedMethods: ['GET', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'POST', 'DELETE'],
      CachePolicyId: disabled,
      OriginRequestPolicyId: allViewerExceptHostHeader,
      ViewerProtocolPolicy: 'redirect-to-https',
    },
    ViewerCertificate: {
      AcmCertificateArn: 'arn:aws:acm:us-east-1:111122223333:certificate/0123',
      MinimumProtocolVersion: 'TLSv1.2_2021',
    },
  });
  expect(DistributionConfig.CacheBehaviors.map(({ CachePolicyId }) => CachePolicyId)).toEqual(
    Array(4).fill(optimized),
  );
  for (const behavior of DistributionConfig.CacheBehaviors)
    expect(behavior).not.toHaveProperty('OriginRequestPolicyId');
  // The addresses of `packages/web/src/site`: `scriptAddress`, `graphScriptAddress`, `diagramAddress`.
  const isKept = (path: string) =>
    DistributionConfig.CacheBehaviors.some(({ PathPattern }) =>
      new RegExp(`^${PathPattern.replaceAll('.', '\\.').replaceAll('*', '.*')}$`).test(path),
    );
  for (const path of ['/_/client.0f.js', '/_/editor.0f.js', '/_/graph.0f.js', '/_/diagrams.0f.html'])
    expect(isKept(path), path).toBe(true);
  for (const path of [
    '/',
    '/main/Home',
    '/_/main/graph.json',
    '/_/main/files/client.x.js',
    '/_/graph/search',
  ])
    expect(isKept(path), path).toBe(false);
  expect(resourcesOf(templateOf({ web: WEB.ownIssuer }), 'AWS::CloudFront::Distribution')).toEqual([]);
});
