import { Duration, Validations } from 'aws-cdk-lib';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
  AllowedMethods,
  type BehaviorOptions,
  CachePolicy,
  Distribution,
  OriginRequestPolicy,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { FunctionUrlOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import type { IFunctionUrl } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { WebSettings } from '../../configuration/configuration.ts';

/**
 * The paths of files that never change and belong to no wiki: their addresses have their digests. A wiki has no name with
 * `_` or with a period, so nothing else is at such an address.
 */
const FILES = ['/_/client.*.js', '/_/editor.*.js', '/_/graph.*.js', '/_/diagrams.*.html'];

/** A name of one's own for the pages: CloudFront before the Function URL. */
export class OwnDomain extends Construct {
  /** The name to which the own one leads in DNS. */
  readonly target: string;

  constructor(
    scope: Construct,
    id: string,
    { name, certificateArn }: NonNullable<WebSettings['domain']>,
    url: IFunctionUrl,
  ) {
    super(scope, id);
    const common: Pick<BehaviorOptions, 'origin' | 'viewerProtocolPolicy' | 'compress'> = {
      origin: new FunctionUrlOrigin(url, { readTimeout: Duration.seconds(60) }),
      viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
      // The function compresses.
      compress: false,
    };
    const file: BehaviorOptions = { ...common, cachePolicy: CachePolicy.CACHING_OPTIMIZED };
    const distribution = new Distribution(this, 'Distribution', {
      comment: `The pages of ${name}`,
      domainNames: [name],
      certificate: Certificate.fromCertificateArn(this, 'Certificate', certificateArn),
      minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
      defaultBehavior: {
        ...common,
        allowedMethods: AllowedMethods.ALLOW_ALL,
        cachePolicy: CachePolicy.CACHING_DISABLED,
        // With the name of a viewer no function would be found.
        originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
      },
      additionalBehaviors: Object.fromEntries(FILES.map((path) => [path, file])),
    });
    Validations.of(distribution).acknowledge(
      { id: 'AwsSolutions-CFR1', reason: 'A team may read from anywhere. Nothing is shown without a login.' },
      { id: 'AwsSolutions-CFR2', reason: 'A firewall costs more at rest than everything else together.' },
      { id: 'AwsSolutions-CFR3', reason: 'The function logs each access, with the person.' },
    );
    this.target = distribution.distributionDomainName;
  }
}
