const access = {
  rules: [{ people: ['ada@example.org'], wikis: ['*'], may: 'write' }],
};

/** Settings of the pages, each with everything that it makes. */
export const WEB = {
  /** At an issuer of one's own, at the Function URL. */
  ownIssuer: { issuer: 'https://issuer.example', clientId: 'pagetree', access },
  /** With a user pool, at the Function URL. */
  cognito: { cognito: { domainPrefix: 'acme-wiki' }, access },
  /** At an issuer of one's own, with a name of one's own. */
  domain: {
    issuer: 'https://issuer.example',
    clientId: 'pagetree',
    access,
    domain: {
      name: 'wiki.example.org',
      certificateArn: 'arn:aws:acm:us-east-1:111122223333:certificate/0123',
    },
  },
} as const;
