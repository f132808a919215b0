import { CfnParameter } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import type { WebSettings } from '../../configuration/configuration.ts';
import { parameterNames } from '../../web/parameter-names.ts';
import { WikiFunction, type WikiFunctionProps } from '../wiki-function.ts';
import { DirectCalls } from './direct-calls.ts';
import { OwnDomain } from './own-domain.ts';
import { UserPool } from './user-pool.ts';
import { WebFunction } from './web-function.ts';

/** The facts that `pnpm deploy:aws` knows of the deployed pages; each is null if it does not know it. */
export interface DeployedWeb {
  /** The address of the Function URL. */
  address: string | null;
  /** The public key of the grants. */
  grantKey: string | null;
}

export interface WebProps {
  settings: WebSettings;
  /** The wiki's function for people, but for what these settings decide. */
  wiki: Omit<WikiFunctionProps, 'capacity' | 'description' | 'maintained' | 'provisioned'>;
  /** The wiki's functions for agents. */
  direct: readonly WikiFunction[];
  /** The directory of the bundle of the pages. */
  bundle: string;
  deployed: DeployedWeb;
}

/** The pages for people who log in, and the wiki's function that takes calls for them alone. */
export class Web extends Construct {
  readonly people: WikiFunction;
  readonly pages: WebFunction;
  readonly outputs: Readonly<Record<string, readonly [value: string, description: string]>>;

  constructor(scope: Construct, id: string, { settings, wiki, direct, bundle, deployed }: WebProps) {
    super(scope, id);
    const { configuration } = wiki;
    const { issuer: address, clientId, cognito, domain } = settings;
    // By its name, so that a synthesis needs no account.
    const grantKey = new CfnParameter(this, 'GrantKey', {
      type: 'AWS::SSM::Parameter::Value<String>',
      default: parameterNames(configuration.stackName).grantKey,
      description: 'Where `pnpm deploy:aws` keeps the public key of the grants',
    });
    this.people = new WikiFunction(this, 'People', {
      ...wiki,
      capacity: settings,
      description: 'Reads and writes the wikis for people who logged in to the pages',
      environment: { ...wiki.environment, PAGETREE_GRANT_KEY: grantKey.valueAsString },
      provisioned: settings.provisionedConcurrency.environments,
      maintained: false,
    });
    const pool =
      cognito === undefined
        ? null
        : new UserPool(this, 'Login', {
            domainPrefix: cognito.domainPrefix,
            origin: originOf(domain, deployed.address),
            isDeleted: configuration.fileSystem.removal === 'delete',
          });
    this.pages = new WebFunction(this, 'Pages', {
      functionName: `${configuration.stackName}-web`,
      bundle,
      configuration,
      settings,
      people: this.people,
      issuer: pool
        ? { address: pool.issuer, clientId: pool.clientId, hasSecret: false }
        : { address: address ?? '', clientId: clientId ?? '', hasSecret: true },
    });
    if (deployed.grantKey !== null)
      // A version keeps the environment that it was published with, so another key needs new versions.
      for (const { lambda } of [this.people, this.pages]) lambda.invalidateVersionBasedOn(deployed.grantKey);
    const { url } = this.pages;
    const own = domain === undefined ? null : new OwnDomain(this, 'Domain', domain, url);
    const { bucket } = new DirectCalls(this, 'DirectCalls', direct, configuration.logRetentionDays);
    this.outputs = {
      Web: [domain ? `https://${domain.name}/` : url.url, 'The pages for people'],
      ...(own && { WebTarget: [own.target, 'Let your name lead there in DNS, by a CNAME or an alias'] }),
      Records: [bucket.bucketName, 'Bucket of the records which identity called the wiki without the pages'],
      ...(pool && { UserPool: [pool.poolId, 'Make the accounts of people there'] }),
    };
  }
}

/**
 * The origin of the pages, for the client in the user pool. Without a name of one's own nobody knows it before the
 * Function URL is there, which needs the client: then `pnpm deploy:aws` deploys once more.
 */
function originOf(domain: WebSettings['domain'], deployedAddress: string | null): string {
  if (domain !== undefined) return `https://${domain.name}`;
  return deployedAddress === null ? 'https://unknown.invalid' : new URL(deployedAddress).origin;
}
