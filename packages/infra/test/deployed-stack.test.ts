import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { expect, onTestFinished, test } from 'vitest';
import { parseConfiguration } from '../src/configuration/configuration.ts';
import {
  type DeployedStack,
  FIRST_ZONE,
  objection,
  readRegion,
  STACK_DESCRIPTION,
} from '../src/deployed-stack.ts';

const regional: DeployedStack = { zone: null, directory: '/pagetree', newDirectory: '/pagetree' };
const oneZone: DeployedStack = { ...regional, zone: 'us-east-2a' };
const firstZone: DeployedStack = { ...regional, zone: FIRST_ZONE };
const nothingConfirmed = { newWikis: false, restored: false };

function objectionTo(settings: object, stack: DeployedStack | null, others: string[] = [], confirmed = {}) {
  const configuration = parseConfiguration(settings);
  return objection(configuration, { stack, others }, { ...nothingConfirmed, ...confirmed });
}

test('the defaults deploy into an empty account once it is said that the wikis are new, and then again', () => {
  expect(objectionTo({}, null, [], { newWikis: true })).toBeNull();
  expect(objectionTo({}, regional)).toBeNull();
  expect(objectionTo({ fileSystem: { availability: 'one-zone' } }, firstZone)).toBeNull();
});

test.each([
  [
    'the new default over a One Zone stack',
    {},
    oneZone,
    'set fileSystem.availability to "one-zone" and zones to ["us-east-2a"]',
  ],
  [
    'one zone over a regional stack',
    { fileSystem: { availability: 'one-zone' } },
    regional,
    'set fileSystem.availability to "regional"',
  ],
  [
    'the first zone of the region over a zone that has a name',
    { fileSystem: { availability: 'one-zone' } },
    oneZone,
    'zones to ["us-east-2a"]',
  ],
  [
    'a zone that has a name over the first zone of the region',
    { zones: ['us-east-2a'], fileSystem: { availability: 'one-zone' } },
    firstZone,
    'set fileSystem.availability to "one-zone" and take zones out',
  ],
  [
    'the default over a stack in the first zone of the region',
    {},
    firstZone,
    'set fileSystem.availability to "one-zone" and take zones out',
  ],
  [
    'another zone',
    { zones: ['us-east-2b'], fileSystem: { availability: 'one-zone' } },
    oneZone,
    'zones to ["us-east-2a"]',
  ],
])('%s is refused, since the file system would be replaced by an empty one', (_, settings, stack, way) => {
  expect(objectionTo(settings, stack)).toContain('AWS would make a new, empty file system in its place.');
  expect(objectionTo(settings, stack)).toContain(way);
  expect(objectionTo(settings, stack, [], { newWikis: true, restored: true })).not.toBeNull();
});

test.each([
  [
    'renamed stack',
    { stackName: 'Wiki' },
    ['Pagetree'],
    'Pagetree is there. Was the stack renamed? Set stackName back',
  ],
  ['region', { region: 'eu-west-1' }, [], 'Set region back'],
])('another %s is refused until the wikis are said to be new', (_, settings, others, way) => {
  expect(objectionTo(settings, null, others)).toContain('a new file system, without wikis');
  expect(objectionTo(settings, null, others)).toContain(way);
  expect(objectionTo(settings, null, others, { newWikis: true })).toBeNull();
});

test('another directory is refused until it is said to hold a restored copy', () => {
  const typo = { fileSystem: { directory: '/pagetreee' } };
  expect(objectionTo(typo, regional)).toContain('Set fileSystem.directory to "/pagetree".');
  expect(objectionTo(typo, regional, [], { restored: true })).toBeNull();
});

test.each([
  [FIRST_ZONE, { 'Fn::Select': [0, { 'Fn::GetAZs': '' }] }],
  ['us-east-2b', 'us-east-2b'],
  [null, undefined],
])('the zone of a deployed file system is read as %j', async (zone, AvailabilityZoneName) => {
  const RootDirectory = { Path: '/pagetree' };
  const template = {
    Metadata: { Pagetree: { newDirectory: '/pagetree' } },
    Resources: {
      Files: { Type: 'AWS::EFS::FileSystem', Properties: { AvailabilityZoneName } },
      Door: { Type: 'AWS::EFS::AccessPoint', Properties: { RootDirectory } },
    },
  };
  const { stack } = await readRegion(await regionWith(JSON.stringify(template)), 'Pagetree');
  expect(stack).toEqual({ zone, directory: '/pagetree', newDirectory: '/pagetree' });
});

/** A client of an endpoint that imitates CloudFormation with one deployed stack. */
async function regionWith(template: string): Promise<CloudFormationClient> {
  const answers: Readonly<Record<string, string>> = {
    DescribeStacks: `<Stacks><member><StackName>Pagetree</StackName><StackStatus>CREATE_COMPLETE</StackStatus>
      <CreationTime>2026-11-01T00:00:00Z</CreationTime><Description>${STACK_DESCRIPTION}</Description></member></Stacks>`,
    GetTemplate: `<TemplateBody><![CDATA[${template}]]></TemplateBody>`,
  };
  const server = createServer(async (request, response) => {
    const body = (await request.toArray()).join('');
    const action = String(new URLSearchParams(body).get('Action'));
    response.writeHead(200, { 'content-type': 'text/xml' });
    response.end(
      `<${action}Response><${action}Result>${answers[action]}</${action}Result></${action}Response>`,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const client = new CloudFormationClient({
    region: 'us-east-2',
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    credentials: { accessKeyId: 'none', secretAccessKey: 'none' },
  });
  onTestFinished(() => {
    client.destroy();
    server.close();
  });
  return client;
}
