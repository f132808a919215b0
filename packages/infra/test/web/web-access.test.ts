import { describe, expect, test } from 'vitest';
import { ACCOUNT, arnOf, resolved, resourcesOf } from '../look-into.ts';
import { administrator, allowed, call, type Identity, nameOf, personWith, roleOf } from '../simulate.ts';
import { templateOf } from '../synthesize.ts';
import { WEB } from './web-settings.ts';

const template = templateOf({ web: WEB.ownIssuer });
const role = (part: string) => roleOf(template, nameOf(template, 'AWS::IAM::Role', part));

const everybody: Record<string, Identity> = {
  web: role('WebPages'),
  people: role('PeopleRole'),
  writer: role('WriterRole'),
  reader: role('ReaderRole'),
  maintenance: role('Maintenance'),
  'break-glass': role('BreakGlass'),
  'a person who writes': personWith(template, 'Writer'),
  'a person who reads': personWith(template, 'Reader'),
  'a person without a policy': personWith(template, null),
};

/** The functions that each may call, by alias. */
const MAY_CALL: Record<string, string[]> = {
  web: ['Pagetree-people:live'],
  people: [],
  writer: [],
  reader: [],
  maintenance: ['Pagetree:maintenance'],
  'break-glass': [],
  'a person who writes': ['Pagetree:live', 'Pagetree-reader:live'],
  'a person who reads': ['Pagetree-reader:live'],
  'a person without a policy': [],
};

const FUNCTIONS = ['Pagetree', 'Pagetree-reader', 'Pagetree-people', 'Pagetree-web'];
const CALLS = FUNCTIONS.flatMap((name) => [name, `${name}:live`, `${name}:1`, `${name}:maintenance`]);

/** The policy of the alias `live` of the pages, made of its permissions. */
const policyOfPages = {
  Version: '2012-10-17',
  Statement: resourcesOf(template, 'AWS::Lambda::Permission').map(([, { Properties }]) => ({
    Effect: 'Allow',
    Principal: Properties.Principal,
    Action: Properties.Action,
    Resource: resolved(template, Properties.FunctionName),
    Condition: Properties.FunctionUrlAuthType
      ? { StringEquals: { 'lambda:FunctionUrlAuthType': Properties.FunctionUrlAuthType } }
      : { Bool: { 'lambda:InvokedViaFunctionUrl': String(Properties.InvokedViaFunctionUrl) } },
  })),
};

describe('who may call which function', () => {
  test.each(Object.entries(everybody))('%s: only what is listed', async (name, who) => {
    const may = [];
    for (const each of CALLS) if (await allowed(who, call(each))) may.push(each);
    expect(may).toEqual(MAY_CALL[name]);
  });

  test('everybody may ask for pages at the Function URL, and nobody may call their function beside it', async () => {
    const nobody = personWith(template, null);
    const pages = { ...call('Pagetree-web:live'), resourcePolicy: policyOfPages };
    const asked = { 'lambda:FunctionUrlAuthType': 'NONE', 'lambda:InvokedViaFunctionUrl': 'true' };
    expect(await allowed(nobody, { ...pages, action: 'lambda:InvokeFunctionUrl', context: asked })).toBe(
      true,
    );
    expect(await allowed(nobody, { ...pages, context: asked })).toBe(true);
    for (const who of [nobody, personWith(template, 'Writer')])
      expect(await allowed(who, { ...pages, context: { 'lambda:InvokedViaFunctionUrl': 'false' } })).toBe(
        false,
      );
    expect(await allowed(administrator, pages)).toBe(true);
  });
});

describe('the function of the pages', () => {
  const web = role('WebPages');
  const parameter = (name: string, action = 'ssm:GetParameter') => ({
    action,
    resource: `arn:aws:ssm:us-east-2:${ACCOUNT}:parameter${name}`,
  });
  const table = (action: string) => ({
    action: `dynamodb:${action}`,
    resource: arnOf(template, nameOf(template, 'AWS::DynamoDB::Table')),
  });

  test('reads its own secrets and writes none', async () => {
    const at = '/pagetree/Pagetree/web';
    expect(await allowed(web, parameter(`${at}/keys`))).toBe(true);
    expect(await allowed(web, parameter(`${at}/client-secret`))).toBe(true);
    expect(await allowed(web, parameter(`${at}/keys`, 'ssm:PutParameter'))).toBe(false);
    expect(await allowed(web, parameter('/pagetree/Other/web/keys'))).toBe(false);
    const withPool = templateOf({ web: WEB.cognito });
    const ofPool = roleOf(withPool, nameOf(withPool, 'AWS::IAM::Role', 'WebPages'));
    expect(await allowed(ofPool, parameter(`${at}/keys`))).toBe(true);
    expect(await allowed(ofPool, parameter(`${at}/client-secret`))).toBe(false);
  });

  test.each(['people', 'writer', 'reader', 'a person who writes'])('%s reads no secret', async (name) => {
    for (const secret of ['keys', 'client-secret'])
      expect(await allowed(everybody[name] as Identity, parameter(`/pagetree/Pagetree/web/${secret}`))).toBe(
        false,
      );
  });

  test('reads and writes records of its table that it can name, and neither lists all of them nor deletes the table', async () => {
    for (const action of ['GetItem', 'PutItem', 'DeleteItem', 'Query'])
      expect(await allowed(web, table(action))).toBe(true);
    for (const action of ['Scan', 'UpdateItem', 'DeleteTable', 'ExportTableToPointInTime'])
      expect(await allowed(web, table(action))).toBe(false);
  });

  test('mounts nothing, whatever its own policies allow', async () => {
    const fileSystem = nameOf(template, 'AWS::EFS::FileSystem');
    const mount = (action: string, accessPoint = 'WriterDoor') => ({
      action: `elasticfilesystem:${action}`,
      resource: arnOf(template, fileSystem),
      resourcePolicy: resolved(template, template.Resources[fileSystem]?.Properties.FileSystemPolicy),
      context: {
        'aws:SecureTransport': 'true',
        'elasticfilesystem:AccessedViaMountTarget': 'true',
        'elasticfilesystem:AccessPointArn': arnOf(
          template,
          nameOf(template, 'AWS::EFS::AccessPoint', accessPoint),
        ),
      },
    });
    const promoted = { ...web, policies: [...web.policies, ...administrator.policies] };
    for (const action of ['ClientMount', 'ClientWrite'])
      expect(await allowed(promoted, mount(action))).toBe(false);
    const people = role('PeopleRole');
    expect(await allowed(people, mount('ClientMount'))).toBe(true);
    expect(await allowed(people, mount('ClientWrite'))).toBe(true);
    expect(await allowed(people, mount('ClientMount', 'ReaderDoor'))).toBe(false);
    expect(await allowed(people, mount('ClientRootAccess'))).toBe(false);
  });

  test('has no network interface, and the function for people uses none by itself', async () => {
    const request = {
      action: 'ec2:CreateNetworkInterface',
      resource: `arn:aws:ec2:us-east-2:${ACCOUNT}:network-interface/eni-0`,
    };
    expect(await allowed(web, request)).toBe(false);
    const people = role('PeopleRole');
    const code = {
      'lambda:SourceFunctionArn': `arn:aws:lambda:us-east-2:${ACCOUNT}:function:Pagetree-people`,
    };
    expect(await allowed(people, request)).toBe(true);
    expect(await allowed(people, { ...request, context: code })).toBe(false);
  });
});
