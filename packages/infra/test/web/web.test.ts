import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { resolved, resourceOf, resourcesOf } from '../look-into.ts';
import { stackOf, type Template, templateOf } from '../synthesize.ts';
import { WEB } from './web-settings.ts';

const withoutWeb = templateOf({});
const ownIssuer = templateOf({ web: WEB.ownIssuer });
const cognito = templateOf({ web: WEB.cognito });
const domain = templateOf({ web: WEB.domain });
const all = { ownIssuer, cognito, domain };

const lambdaArn = (name: string) => `arn:aws:lambda:us-east-2:111122223333:function:${name}`;

function functionOf(template: Template, begin: string) {
  const { Properties, DependsOn } = resourceOf(template, 'AWS::Lambda::Function', begin);
  const { Variables } = resolved(template, Properties.Environment) as { Variables: Record<string, string> };
  return { Properties, DependsOn, Variables };
}

test('without the setting no resource of the pages is there, and no parameter', () => {
  expect(Object.keys(withoutWeb.Resources).filter((name) => /^(Web|People)/.test(name))).toEqual([]);
  expect(Object.keys(withoutWeb.Parameters)).toEqual(['BootstrapVersion']);
});

test('the wikis, their functions, policies and network are as without the pages, but for who may mount', () => {
  const { FileSystemPolicy: _, ...files } = resourceOf(withoutWeb, 'AWS::EFS::FileSystem').Properties;
  for (const template of Object.values(all)) {
    expect(resourceOf(template, 'AWS::EFS::FileSystem').Properties).toMatchObject(files);
    for (const [name, resource] of Object.entries(withoutWeb.Resources))
      if (!['AWS::EFS::FileSystem', 'AWS::CloudWatch::Dashboard'].includes(resource.Type))
        expect(template.Resources[name], name).toEqual(resource);
  }
});

test.each(Object.entries(all))("%s: the wiki's functions still have no route out", (_, template) => {
  const types = Object.values(template.Resources).map((resource) => resource.Type);
  expect(
    types.filter((type) => /Gateway|Endpoint|::Route$|EIP|Peering|SecurityGroupEgress/.test(type)),
  ).toEqual(['AWS::EC2::SecurityGroupEgress']);
  const network = functionOf(template, 'Writer').Properties.VpcConfig;
  for (const begin of ['Reader', 'WebPeople'])
    expect(functionOf(template, begin).Properties.VpcConfig).toEqual(network);
  expect(functionOf(template, 'WebPages').Properties).not.toHaveProperty('VpcConfig');
});

test('the function for people is the one that writes, with the public key of the grants', () => {
  const writer = functionOf(ownIssuer, 'Writer');
  const people = functionOf(ownIssuer, 'WebPeople');
  expect(people.Properties).toMatchObject({
    FunctionName: 'Pagetree-people',
    Code: writer.Properties.Code,
    FileSystemConfigs: writer.Properties.FileSystemConfigs,
    MemorySize: 1769,
    Timeout: 30,
  });
  const [[parameter, { Type, Default } = {}] = []] = Object.entries(ownIssuer.Parameters);
  expect([Type, Default]).toEqual(['AWS::SSM::Parameter::Value<String>', '/pagetree/Pagetree/web/grant-key']);
  expect(people.Variables).toEqual({ ...writer.Variables, PAGETREE_GRANT_KEY: parameter });
});

test('the function of the pages knows whom to call, where people log in, and where the secrets are', () => {
  const [[records, table] = []] = resourcesOf(ownIssuer, 'AWS::DynamoDB::Table');
  const common = {
    PAGETREE_FUNCTION: lambdaArn('Pagetree-people:live'),
    PAGETREE_KEYS: '/pagetree/Pagetree/web/keys',
    PAGETREE_RECORDS: records,
  };
  const atIssuer = {
    ...common,
    PAGETREE_ISSUER: 'https://issuer.example',
    PAGETREE_CLIENT_ID: 'pagetree',
    PAGETREE_CLIENT_SECRET: '/pagetree/Pagetree/web/client-secret',
  };
  expect(functionOf(ownIssuer, 'WebPages').Variables).toEqual(atIssuer);
  expect(functionOf(domain, 'WebPages').Variables).toEqual({
    ...atIssuer,
    PAGETREE_ORIGIN: 'https://wiki.example.org',
  });
  const [[pool] = []] = resourcesOf(cognito, 'AWS::Cognito::UserPool');
  const [[client] = []] = resourcesOf(cognito, 'AWS::Cognito::UserPoolClient');
  expect(functionOf(cognito, 'WebPages').Variables).toEqual({
    ...common,
    PAGETREE_ISSUER: `https://cognito-idp.us-east-2.amazonaws.com/${pool}`,
    PAGETREE_CLIENT_ID: client,
  });
  expect(table?.Properties).toMatchObject({
    BillingMode: 'PAY_PER_REQUEST',
    TableName: 'Pagetree-web',
    KeySchema: [
      { AttributeName: 'key', KeyType: 'HASH' },
      { AttributeName: 'name', KeyType: 'RANGE' },
    ],
    AttributeDefinitions: ['key', 'name'].map((name) => ({ AttributeName: name, AttributeType: 'S' })),
    TimeToLiveSpecification: { AttributeName: 'until', Enabled: true },
  });
});

test('the function of the pages runs its own bundle on arm64 and Node 24, streams, and is deployed after the one that it calls', () => {
  const pages = functionOf(ownIssuer, 'WebPages');
  expect(pages.Properties).toMatchObject({
    FunctionName: 'Pagetree-web',
    Runtime: 'nodejs24.x',
    Architectures: ['arm64'],
    Handler: 'index.handler',
    MemorySize: 1769,
    Timeout: 60,
    TracingConfig: { Mode: 'Active' },
  });
  const [[alias] = []] = resourcesOf(ownIssuer, 'AWS::Lambda::Alias').filter(([name]) =>
    name.startsWith('WebPeople'),
  );
  expect(pages.DependsOn).toContain(alias);
  expect(resourceOf(ownIssuer, 'AWS::Lambda::Url').Properties).toMatchObject({
    AuthType: 'NONE',
    InvokeMode: 'RESPONSE_STREAM',
    Qualifier: 'live',
  });
  expect(resourceOf(ownIssuer, 'AWS::Logs::LogGroup', 'WebPages').Properties).toEqual({
    LogGroupName: '/aws/lambda/Pagetree-web',
    RetentionInDays: 90,
  });
});

test('the function is its bundle, whatever the rules are: they are in force without a deployment', () => {
  const codeOf = (web: object) => functionOf(templateOf({ web }), 'WebPages').Properties.Code;
  expect(codeOf({ ...WEB.ownIssuer, access: { rules: [] } })).toEqual(codeOf(WEB.ownIssuer));
  const { app, stack } = stackOf({ web: WEB.ownIssuer });
  const { template } = app.synth().getStackByName(stack.stackName);
  const { S3Key } = functionOf(template, 'WebPages').Properties.Code as { S3Key: string };
  const asset = join(app.outdir, `asset.${S3Key.replace(/\.zip$/, '')}`);
  expect(readFileSync(join(asset, 'index.mjs'), 'utf8')).toContain('handler');
});

test('the settings decide about memory, environments kept ready and reserved ones of both functions', () => {
  const web = {
    ...WEB.ownIssuer,
    memoryMib: 3008,
    provisionedConcurrency: { environments: 2 },
    reservedConcurrency: 7,
  };
  const template = templateOf({ web });
  for (const begin of ['WebPeople', 'WebPages']) {
    expect(functionOf(template, begin).Properties).toMatchObject({
      MemorySize: 3008,
      ReservedConcurrentExecutions: 7,
    });
    expect(resourceOf(template, 'AWS::Lambda::Alias', begin).Properties).toMatchObject({
      ProvisionedConcurrencyConfig: { ProvisionedConcurrentExecutions: 2 },
    });
    expect(resourceOf(ownIssuer, 'AWS::Lambda::Alias', begin).Properties).not.toHaveProperty(
      'ProvisionedConcurrencyConfig',
    );
  }
});

test('another key makes new versions of both functions, as a version keeps its environment', () => {
  const versions = (grantKey: string) =>
    resourcesOf(templateOf({ web: WEB.ownIssuer }, '/pagetree', { grantKey }), 'AWS::Lambda::Version').map(
      ([name]) => name,
    );
  const [one, other] = [versions('a'), versions('b')];
  const changed = one.filter((name) => !other.includes(name));
  expect(changed.map((name) => name.replace(/Function.*/, '')).toSorted()).toEqual(['WebPages', 'WebPeople']);
  expect(versions('a')).toEqual(one);
});

test('the user pool has accounts that an administrator makes, and a client without a secret', () => {
  expect(resourceOf(cognito, 'AWS::Cognito::UserPool').Properties).toMatchObject({
    AdminCreateUserConfig: { AllowAdminCreateUserOnly: true },
    MfaConfiguration: 'OPTIONAL',
    EnabledMfas: ['SOFTWARE_TOKEN_MFA'],
  });
  expect(resourceOf(cognito, 'AWS::Cognito::UserPool').DeletionPolicy).toBe('Retain');
  const clientAt = (template: Template) => resourceOf(template, 'AWS::Cognito::UserPoolClient').Properties;
  expect(clientAt(cognito)).toMatchObject({
    GenerateSecret: false,
    AllowedOAuthFlows: ['code'],
    AllowedOAuthScopes: ['openid', 'email', 'profile'],
  });
  const address = 'https://abc.lambda-url.us-east-2.on.aws/';
  expect(clientAt(templateOf({ web: WEB.cognito }, '/pagetree', { address }))).toMatchObject({
    CallbackURLs: ['https://abc.lambda-url.us-east-2.on.aws/_/login/callback'],
    LogoutURLs: ['https://abc.lambda-url.us-east-2.on.aws/_/signed-out'],
  });
  const named = { ...WEB.cognito, domain: WEB.domain.domain };
  expect(clientAt(templateOf({ web: named }, '/pagetree', { address }))).toMatchObject({
    CallbackURLs: ['https://wiki.example.org/_/login/callback'],
  });
});

test('the outputs say where the pages are, and what is left to do by hand', () => {
  const outputsOf = (template: Template) => {
    const added = Object.entries(template.Outputs).filter(([name]) => !(name in withoutWeb.Outputs));
    return Object.fromEntries(added.map(([name, { Value }]) => [name, resolved(template, Value)]));
  };
  const [[url] = []] = resourcesOf(ownIssuer, 'AWS::Lambda::Url');
  const [[Records] = []] = resourcesOf(ownIssuer, 'AWS::S3::Bucket');
  expect(outputsOf(ownIssuer)).toEqual({ Web: `${url}.FunctionUrl`, Records });
  expect(outputsOf(cognito)).toEqual({
    Web: `${url}.FunctionUrl`,
    Records,
    UserPool: resourcesOf(cognito, 'AWS::Cognito::UserPool')[0]?.[0],
  });
  expect(outputsOf(domain)).toEqual({
    Web: 'https://wiki.example.org/',
    Records,
    WebTarget: expect.stringMatching(/^WebDomainDistribution\w+\.DomainName$/),
  });
});

test('what the pages add to the template equals what was reviewed', async () => {
  const everything = templateOf({ web: { ...WEB.cognito, domain: WEB.domain.domain } });
  const added = Object.entries(everything.Resources).filter(
    ([name, resource]) => JSON.stringify(withoutWeb.Resources[name]) !== JSON.stringify(resource),
  );
  const text = JSON.stringify(Object.fromEntries(added), null, 2).replaceAll(
    /[0-9a-f]{64}(?=\.zip|")/g,
    'BUNDLE',
  );
  await expect(`${text}\n`).toMatchFileSnapshot('pagetree-web.template.snapshot');
});
