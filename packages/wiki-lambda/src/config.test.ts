import { expect, test } from 'vitest';
import { readConfig } from './config.ts';

const KEY = '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo';
const lambda = { AWS_LAMBDA_FUNCTION_NAME: 'pagetree', AWS_LAMBDA_FUNCTION_VERSION: '7' };

test('without settings the wikis lie on the mount, and can be written', () => {
  expect(readConfig(lambda)).toEqual({
    directory: '/mnt/pagetree',
    wiki: null,
    grantKey: null,
    place: null,
    readOnly: false,
    functionName: 'pagetree:7',
    memoryMib: 512,
    provisioned: false,
    xrayDaemon: null,
    problems: [],
  });
});

test('every setting is read', () => {
  const config = readConfig({
    ...lambda,
    PAGETREE_DIR: '/mnt/wikis',
    PAGETREE_WIKI: 'team',
    PAGETREE_GRANT_KEY: KEY,
    PAGETREE_PLACE: 'fs-1:/pagetree',
    PAGETREE_MAY_BE_EMPTY: 'true',
    PAGETREE_READ_ONLY: 'true',
    AWS_LAMBDA_INITIALIZATION_TYPE: 'provisioned-concurrency',
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '1769',
    AWS_XRAY_DAEMON_ADDRESS: '169.254.79.129:2000',
  });
  expect(config).toMatchObject({
    directory: '/mnt/wikis',
    wiki: 'team',
    grantKey: KEY,
    place: { name: 'fs-1:/pagetree', mayBeEmpty: true, mayBeCopy: false },
    readOnly: true,
    memoryMib: 1769,
    provisioned: true,
    xrayDaemon: { host: '169.254.79.129', port: 2000 },
    problems: [],
  });
});

test('each wrong setting is reported in a sentence, and a mistyped one never allows writes', () => {
  const config = readConfig({
    PAGETREE_DIR: 'wikis',
    PAGETREE_WIKI: 'My Wiki',
    PAGETREE_READ_ONLY: 'yes',
    PAGETREE_GRANT_KEY: '',
  });
  expect(config.problems).toEqual([
    expect.stringMatching(/^PAGETREE_DIR is "wikis"/),
    expect.stringMatching(/^PAGETREE_WIKI is "My Wiki"/),
    expect.stringMatching(/^PAGETREE_READ_ONLY is "yes"/),
    expect.stringMatching(/^PAGETREE_GRANT_KEY is ""/),
  ]);
  expect(config.readOnly).toBe(true);
});
