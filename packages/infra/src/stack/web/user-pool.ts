import { RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import {
  AccountRecovery,
  UserPool as CognitoUserPool,
  FeaturePlan,
  Mfa,
  OAuthScope,
  UserPoolClientIdentityProvider,
} from 'aws-cdk-lib/aws-cognito';
import { Construct } from 'constructs';

export interface UserPoolProps {
  domainPrefix: string;
  /** The origin of the pages. */
  origin: string;
  /** True if the accounts are deleted with the stack. */
  isDeleted: boolean;
}

/** An issuer for teams that have none: accounts that an administrator makes, and one client without a secret. */
export class UserPool extends Construct {
  readonly poolId: string;
  readonly issuer: string;
  readonly clientId: string;

  constructor(scope: Construct, id: string, { domainPrefix, origin, isDeleted }: UserPoolProps) {
    super(scope, id);
    const pool = new CognitoUserPool(this, 'Pool', {
      selfSignUpEnabled: false,
      signInAliases: { email: true },
      standardAttributes: { email: { required: true, mutable: true } },
      accountRecovery: AccountRecovery.EMAIL_ONLY,
      mfa: Mfa.OPTIONAL,
      mfaSecondFactor: { otp: true, sms: false },
      passwordPolicy: {
        minLength: 12,
        requireDigits: true,
        requireLowercase: true,
        requireSymbols: true,
        requireUppercase: true,
      },
      featurePlan: FeaturePlan.ESSENTIALS,
      deletionProtection: !isDeleted,
      removalPolicy: isDeleted ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN,
    });
    Validations.of(pool).acknowledge(
      {
        id: 'AwsSolutions-COG2',
        reason: 'Each person decides about a second factor, and an administrator may demand it of the pool.',
      },
      { id: 'AwsSolutions-COG8', reason: 'The plan Plus costs something for each person who logs in.' },
    );
    pool.addDomain('Domain', { cognitoDomain: { domainPrefix } });
    const client = pool.addClient('Client', {
      generateSecret: false,
      preventUserExistenceErrors: true,
      supportedIdentityProviders: [UserPoolClientIdentityProvider.COGNITO],
      oAuth: {
        flows: { authorizationCodeGrant: true },
        scopes: [OAuthScope.OPENID, OAuthScope.EMAIL, OAuthScope.PROFILE],
        callbackUrls: [`${origin}/_/login/callback`],
        logoutUrls: [`${origin}/_/signed-out`],
      },
    });
    const { region, urlSuffix } = Stack.of(this);
    this.poolId = pool.userPoolId;
    this.issuer = `https://cognito-idp.${region}.${urlSuffix}/${pool.userPoolId}`;
    this.clientId = client.userPoolClientId;
  }
}
