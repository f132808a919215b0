import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { sampled } from '../../../labs/sample.ts';
import { parseConfiguration } from '../src/configuration/configuration.ts';
import { temporaryDirectory } from './synthesize.ts';

const CERTIFICATE = 'arn:aws:acm:us-east-1:111122223333:certificate/0123';
/** Pages for people, as they may be set up. */
const TOO_MANY_FOLDERS = {
  everyone: true,
  wikis: ['main'],
  folders: Array.from({ length: 1_000 }, (_, at) => `${String(at).padStart(100, 'x')}/`),
  may: 'read',
};
const MANY_PEOPLE = Array.from({ length: 5_000 }, (_, at) => ({
  people: [`person${String(at).padStart(20, '0')}@example.org`],
  wikis: ['*'],
  may: 'read',
}));
const WEB = { issuer: 'https://issuer.example', clientId: 'pagetree', access: { rules: [] } };

/** The content of a file, and all its reported problems. */
const CASES: readonly (readonly [string | object, string | RegExp])[] = [
  ['{ "region": ', /^It is not JSON: .*\.$/],
  ['[]', 'It must be one JSON object, such as {}.'],
  [
    { regoin: 'eu-west-1' },
    '"regoin" is not a setting. The settings there are stackName, region, zones, fileSystem, function, web, logRetentionDays, alarmAddress.',
  ],
  [
    { function: { memory: 1024 } },
    '"memory" is not a setting of function. The settings there are memoryMib, timeoutSeconds, reservedConcurrency, provisionedConcurrency.',
  ],
  [
    {
      function: {
        provisionedConcurrency: { schedule: [{ cron: '0 7 ? * * *', environments: 2, zone: 'UTC' }] },
      },
    },
    '"zone" is not a setting of function.provisionedConcurrency.schedule.0. The settings there are cron, timeZone, environments.',
  ],
  [
    { stackName: 'My wiki' },
    'stackName must be a letter, then at most 39 letters, digits and hyphens, and not end in -people, -reader, -sync or -web; it is "My wiki".',
  ],
  [
    { stackName: 'Wiki-people' },
    'stackName must be a letter, then at most 39 letters, digits and hyphens, and not end in -people, -reader, -sync or -web; it is "Wiki-people".',
  ],
  [{ region: 'Ohio' }, 'region must be the name of an AWS region, such as us-east-2; it is "Ohio".'],
  [{ region: 'us-est-2' }, 'region must be the name of an AWS region, such as us-east-2; it is "us-est-2".'],
  [
    { region: 'eu-west-1', zones: ['us-east-2a'], fileSystem: { availability: 'one-zone' } },
    'zones must lie in the region eu-west-1, which us-east-2a does not; it is ["us-east-2a"].',
  ],
  [{ zones: 'us-east-2a' }, 'zones must be a list of zones, such as ["us-east-2a"]; it is "us-east-2a".'],
  [
    { zones: ['us-east-2a', 'us-east-2b'], fileSystem: { availability: 'one-zone' } },
    'zones must name exactly one zone while fileSystem.availability is "one-zone"; it is ["us-east-2a","us-east-2b"].',
  ],
  [
    { fileSystem: { availability: 'regional' }, zones: ['us-east-2a'] },
    'zones must name two or three zones while fileSystem.availability is "regional"; it is ["us-east-2a"].',
  ],
  [
    { fileSystem: { availability: 'regional' }, zones: ['us-east-2a', 'us-east-2a'] },
    'zones must name each zone once; it is ["us-east-2a","us-east-2a"].',
  ],
  [
    { fileSystem: { availability: 'multi-az' } },
    'fileSystem.availability must be "one-zone" or "regional"; it is "multi-az".',
  ],
  [{ fileSystem: 'regional' }, 'fileSystem must be an object, such as {}; it is "regional".'],
  [
    { fileSystem: { throughput: { mode: 'fast' } } },
    'fileSystem.throughput.mode must be "elastic" or "bursting" or "provisioned"; it is "fast".',
  ],
  [
    { fileSystem: { throughput: { mode: 'provisioned' } } },
    'fileSystem.throughput.mibPerSecond must be given while the mode is "provisioned".',
  ],
  [
    { fileSystem: { throughput: { mibPerSecond: 10 } } },
    'fileSystem.throughput.mibPerSecond means nothing while the mode is "elastic"; remove it; it is 10.',
  ],
  [
    { fileSystem: { directory: 'pagetree' } },
    'fileSystem.directory must be an absolute path such as /pagetree, of at most four names; it is "pagetree".',
  ],
  [
    { fileSystem: { removal: 'snapshot' } },
    'fileSystem.removal must be "retain" or "delete"; it is "snapshot".',
  ],
  [
    { function: { memoryMib: '512' } },
    'function.memoryMib must be a whole number from 256 to 10240; it is "512".',
  ],
  [
    { function: { memoryMib: 128 } },
    'function.memoryMib must be a whole number from 256 to 10240; it is 128.',
  ],
  [
    { function: { timeoutSeconds: 901 } },
    'function.timeoutSeconds must be a whole number from 5 to 900; it is 901.',
  ],
  [
    { function: { provisionedConcurrency: { environments: 0.5 } } },
    'function.provisionedConcurrency.environments must be a whole number from 0 to 1000; it is 0.5.',
  ],
  [
    { function: { provisionedConcurrency: { schedule: [{ cron: '0 7 * * *', environments: 2 }] } } },
    'function.provisionedConcurrency.schedule.0.cron must be six fields, minute hour day-of-month month day-of-week year, such as 0 7 ? * MON-FRI *; it is "0 7 * * *".',
  ],
  [
    {
      function: {
        provisionedConcurrency: { schedule: [{ cron: '0 7 ? * * *', timeZone: 'Wien', environments: 2 }] },
      },
    },
    'function.provisionedConcurrency.schedule.0.timeZone must be the name of a time zone, such as Europe/Vienna; it is "Wien".',
  ],
  [
    { function: { reservedConcurrency: 4, provisionedConcurrency: { environments: 4 } } },
    'function.reservedConcurrency must be at least 5, one more than the most environments that are kept ready; it is 4.',
  ],
  [
    { function: { provisionedConcurrency: { environments: 4, targetTracking: { most: 2 } } } },
    'function.provisionedConcurrency.targetTracking.most must be at least 4, the environments that are kept ready anyway; it is 2.',
  ],
  [
    { function: { provisionedConcurrency: { targetTracking: { most: 2, utilization: 70 } } } },
    'function.provisionedConcurrency.targetTracking.utilization must be a number from 0.1 to 0.9; it is 70.',
  ],
  [
    { web: { ...WEB, port: 443 } },
    '"port" is not a setting of web. The settings there are issuer, clientId, cognito, domain, access, memoryMib, provisionedConcurrency, reservedConcurrency.',
  ],
  [{ web: { ...WEB, issuer: undefined } }, 'web must have either an issuer with its clientId, or cognito.'],
  [
    { web: { ...WEB, cognito: { domainPrefix: 'acme-wiki' } } },
    'web must have either an issuer with its clientId, or cognito.',
  ],
  [{ web: { ...WEB, clientId: undefined } }, 'web.clientId must be given with an issuer.'],
  [
    { web: { ...WEB, issuer: undefined, cognito: { domainPrefix: 'acme-wiki' } } },
    'web.clientId means nothing with cognito; remove it; it is "pagetree".',
  ],
  [
    { web: { ...WEB, issuer: 'http://issuer.example' } },
    'web.issuer must be the address of an issuer of OpenID Connect, such as https://accounts.google.com; it is "http://issuer.example".',
  ],
  [
    { web: { ...WEB, issuer: undefined, clientId: undefined, cognito: { domainPrefix: 'my-aws' } } },
    'web.cognito.domainPrefix must be at most 63 of a-z, 0-9 and "-", without aws, amazon and cognito; it is "my-aws".',
  ],
  [
    { web: { ...WEB, domain: { name: 'https://wiki.example.org', certificateArn: CERTIFICATE } } },
    'web.domain.name must be a name in lower case, such as wiki.example.org; it is "https://wiki.example.org".',
  ],
  [
    {
      web: {
        ...WEB,
        domain: {
          name: 'wiki.example.org',
          certificateArn: CERTIFICATE.replace('us-east-1', 'eu-west-1'),
        },
      },
    },
    /^web\.domain\.certificateArn must be the ARN of a certificate in us-east-1, .*\.$/,
  ],
  [{ web: { ...WEB, access: undefined } }, 'web.access must be given.'],
  [
    { web: { ...WEB, access: { rules: {} } } },
    'web.access.rules must be a list of rules, as docs/access.md describes; it is {}.',
  ],
  [
    { web: { ...WEB, access: { rules: [{ groups: ['editors'], wikis: ['*'], may: 'edit' }] } } },
    'web.access: The access file does not fit: "may" of rule 1 must be "read", "write" or "administer".',
  ],
  [
    { web: { ...WEB, access: { rules: MANY_PEOPLE } } },
    /^web\.access: The rules have 3\d{5} bytes, of at most 300000 that are stored\. /,
  ],
  [
    { web: { ...WEB, access: { rules: [TOO_MANY_FOLDERS] } } },
    /^web\.access: The rules give a person who is in all groups 10\d{4} bytes of wikis and folders, of at most 100000 /,
  ],
  [
    { web: { ...WEB, reservedConcurrency: 1, provisionedConcurrency: { environments: 2 } } },
    'web.reservedConcurrency must be at least 2, the environments that are kept ready; it is 1.',
  ],
  [{ logRetentionDays: 100 }, /^logRetentionDays must be one of 1, 3, 5, .*, 3653; it is 100\.$/],
  [{ alarmAddress: 'ops' }, 'alarmAddress must be an e-mail address; it is "ops".'],
];

test.each(
  sampled(
    CASES,
    CASES.filter((_, at) => at % 4 === 0),
  ),
)('%j is refused in a plain sentence before anything is built or synthesized', (content, sentence) => {
  const directory = temporaryDirectory();
  const file = join(directory, 'pagetree.json');
  const output = join(directory, 'cdk.out');
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  const { status, stdout, stderr } = synth(file, output);
  expect(status).toBe(1);
  expect(stdout).toBe('');
  const [heading, said, ...more] = stderr.trimEnd().split('\n');
  expect(heading).toBe(`${file} cannot be used. Nothing was changed.`);
  if (typeof sentence === 'string') expect(said).toBe(sentence);
  else expect(said).toMatch(sentence);
  expect(more).toEqual([]);
  expect(existsSync(output)).toBe(false);
});

test('a missing file is refused by name', () => {
  const file = join(temporaryDirectory(), 'pagetree.json');
  const { status, stderr } = synth(file, `${file}.out`);
  expect(status).toBe(1);
  expect(stderr).toBe(`${file} cannot be used. Nothing was changed.\nIt does not exist.\n`);
});

test('several mistakes are reported at once', () => {
  const file = join(temporaryDirectory(), 'pagetree.json');
  writeFileSync(file, '{ "region": "Ohio", "logRetentionDays": 2 }');
  expect(synth(file, `${file}.out`).stderr.trimEnd().split('\n')).toHaveLength(3);
});

test('the file of the repository, and one that is empty, give the same defaults', () => {
  const file = fileURLToPath(new URL('../pagetree.json', import.meta.url));
  expect(parseConfiguration({ $schema: file })).toEqual(parseConfiguration({}));
});

function synth(file: string, output: string) {
  const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
  const args = [main, 'synth', '--configuration', file, '--', '--output', output];
  return spawnSync(process.execPath, args, { encoding: 'utf8' });
}
