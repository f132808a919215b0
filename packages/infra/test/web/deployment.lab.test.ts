import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { StoredRules } from '../../../web/src/records/stored-rules.ts';
import { type Deployed, type Endpoint, lint, startEndpoint } from '../endpoint.ts';
import { temporaryDirectory } from '../synthesize.ts';
import { WEB } from './web-settings.ts';

/*
 * moto 5.2.5 makes of the pages: the function, its log group, role and table, and the parameters, also the one that
 * the template reads. It makes no Function URL, distribution or user pool: `moto_with_pages.py` stands in for these, so
 * that the outputs exist. web.test.ts shows that they are in the template.
 */

// moto knows no previous value of a parameter that had its default.
const OPTIONS = ['--require-approval', 'never', '--method', 'direct', '--no-previous-parameters'] as const;
const ADDRESS = 'https://abc.lambda-url.us-east-2.on.aws/';
// moto resolves Fn::GetAZs to the zones of us-east-1 in every region.
const zones = ['us-east-2a', 'us-east-2b'];
let endpoint: Endpoint;

beforeAll(async () => {
  const program = fileURLToPath(new URL('moto_with_pages.py', import.meta.url));
  endpoint = await startEndpoint('us-east-2', [program]);
});
afterAll(() => endpoint.stop());

test.each(Object.entries(WEB))(
  'cfn-lint finds nothing in the template with the pages: %s',
  async (_, web) => {
    const output = temporaryDirectory();
    const everything = { ...web, provisionedConcurrency: { environments: 1 }, reservedConcurrency: 5 };
    const file = fileOf(JSON.stringify({ web: everything }));
    await endpoint.command('synth', '--configuration', file, '--', '--output', output);
    expect(await lint(join(output, 'Pagetree.template.json'))).toBe('');
  },
);

test('a deployment with a user pool makes the keys and gives the pool the address of the pages; the next changes nothing', async () => {
  await endpoint.command('bootstrap');
  const deploy = [
    'deploy',
    '--configuration',
    fileOf(JSON.stringify({ zones, web: WEB.cognito })),
    '--',
    ...OPTIONS,
  ] as const;
  const first = await endpoint.command('deploy', '--new-wikis', ...deploy.slice(1));
  expect(first.output).toContain('Deploying once more');
  const deployed = await endpoint.deployed('Pagetree');
  expect(deployed.outputs.Web).toBe(ADDRESS);
  expect(callbacksIn(deployed)).toEqual([`${ADDRESS}_/login/callback`]);

  const parameters = parametersOf(deployed);
  expect(parameters).toEqual({
    '/pagetree/Pagetree/web/grant-key': ['String', expect.stringMatching(/^[\w-]{43}$/)],
    '/pagetree/Pagetree/web/keys': ['SecureString', expect.any(String)],
  });
  const [, grantKey] = parameters['/pagetree/Pagetree/web/grant-key'] ?? [];
  const [, keys] = parameters['/pagetree/Pagetree/web/keys'] ?? [];
  expect(JSON.parse(keys ?? '').grants.x).toBe(grantKey);
  // No secret is in the template, not even the public key.
  expect(JSON.stringify(deployed.template)).not.toContain(grantKey);
  const variablesOf = (name: string) =>
    deployed.functions.find(({ FunctionName }) => FunctionName === name)?.Environment?.Variables;
  expect(variablesOf('Pagetree-people')).toMatchObject({ PAGETREE_GRANT_KEY: grantKey });
  expect(variablesOf('Pagetree')).not.toHaveProperty('PAGETREE_GRANT_KEY');
  expect(variablesOf('Pagetree-web')).toMatchObject({
    PAGETREE_FUNCTION: 'arn:aws:lambda:us-east-2:123456789012:function:Pagetree-people:live',
    PAGETREE_RECORDS: 'Pagetree-web',
  });
  expect(await rulesAt(deployed)).toEqual({ version: 1, ...WEB.cognito.access });

  // CDK asks CloudFormation for an update each time, as the value of a parameter may have changed.
  const second = await endpoint.command(...deploy);
  expect(second.output).not.toContain('Deploying once more');
  const after = await endpoint.deployed('Pagetree');
  expect(after.template).toEqual(deployed.template);
  expect(parametersOf(after)).toEqual(parameters);
});

test('rules are in force without a deployment, and not at pages that are not there', async () => {
  const access = { version: 1, rules: [{ people: ['Ada@Example.org'], wikis: ['main'], may: 'read' }] };
  const file = fileOf(JSON.stringify({ zones, web: { ...WEB.cognito, access } }));
  const { output } = await endpoint.command('access', '--configuration', file);
  expect(output).toContain('The rules of web.access are in force within five seconds.');
  const after = await endpoint.deployed('Pagetree');
  const [rule] = access.rules;
  expect(await rulesAt(after)).toEqual({ version: 1, rules: [{ ...rule, people: ['ada@example.org'] }] });
  const elsewhere = fileOf(JSON.stringify({ stackName: 'None', zones, web: WEB.cognito }));
  await expect(endpoint.command('access', '--configuration', elsewhere)).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('The stack None in us-east-2 has no pages yet.'),
  });
});

test('a deployment at an issuer of their own needs the secret, which only a parameter gets; a deletion that fails keeps it', async () => {
  const file = fileOf(JSON.stringify({ stackName: 'Own', zones, web: WEB.domain }));
  const deploy = ['deploy', '--new-wikis', '--configuration', file] as const;
  await expect(endpoint.command(...deploy, '--', ...OPTIONS)).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/deploy with --client-secret-file FILE\.\nNothing was deployed\.\n$/),
  });
  const ofOwn = (deployed: Deployed) =>
    Object.entries(parametersOf(deployed)).filter(([name]) => name.startsWith('/pagetree/Own/'));
  expect(ofOwn(await endpoint.deployed('Pagetree'))).toEqual([]);

  const { output } = await endpoint.command(
    ...deploy,
    '--client-secret-file',
    fileOf('s3cret\n'),
    '--',
    ...OPTIONS,
  );
  expect(output).not.toContain('s3cret');
  const deployed = await endpoint.deployed('Own');
  expect(ofOwn(deployed)).toHaveLength(3);
  expect(ofOwn(deployed)).toContainEqual(['/pagetree/Own/web/client-secret', ['SecureString', 's3cret']]);
  expect(deployed.outputs).toMatchObject({
    Web: 'https://wiki.example.org/',
    WebTarget: 'd111111abcdef8.cloudfront.net',
  });
  expect(JSON.stringify(deployed.template)).not.toContain('s3cret');

  // moto cannot delete a network, so the stack stays, and with it what its functions need.
  await expect(endpoint.command('destroy', '--yes', '--configuration', file)).rejects.toMatchObject({
    stderr: expect.stringContaining('cannot be deleted'),
  });
  expect(ofOwn(await endpoint.deployed('Pagetree'))).toHaveLength(3);
});

test('the keys go with a stack that is deleted', async () => {
  const put = `import boto3
for name in ["Gone", "Other"]:
    boto3.client("ssm").put_parameter(Name=f"/pagetree/{name}/web/keys", Value="x", Type="SecureString")`;
  await endpoint.python(['-c', put]);
  const file = fileOf(JSON.stringify({ stackName: 'Gone', zones, web: WEB.cognito }));
  await endpoint.command('destroy', '--yes', '--configuration', file);
  const left = Object.keys(parametersOf(await endpoint.deployed('Pagetree')));
  expect(left.filter((name) => /Gone|Other/.test(name))).toEqual(['/pagetree/Other/web/keys']);
});

function fileOf(content: string): string {
  const file = join(temporaryDirectory(), 'file');
  writeFileSync(file, content);
  return file;
}

function parametersOf({ parameters }: Deployed): Record<string, [type: string, value: string]> {
  return parameters as Record<string, [string, string]>;
}

/** The rules as the function of the pages finds them. */
async function rulesAt({ tables }: Deployed): Promise<unknown> {
  const items = (tables as Record<string, Record<string, { S: string }>[]>)['Pagetree-web'] ?? [];
  const read = async (kind: string, id: string) => {
    const item = items.find(({ key }) => key?.S === JSON.stringify([kind, id]));
    return item === undefined ? null : { value: JSON.parse(item.value?.S ?? ''), owner: null, untilMs: null };
  };
  const rules = new StoredRules({ get: read }, Date.now);
  await rules.look();
  return rules.access;
}

function callbacksIn({ template }: Deployed): unknown {
  const { Resources } = template as {
    Resources: Record<string, { Type: string; Properties: { CallbackURLs?: string[] } }>;
  };
  const client = Object.values(Resources).find(({ Type }) => Type === 'AWS::Cognito::UserPoolClient');
  return client?.Properties.CallbackURLs;
}
