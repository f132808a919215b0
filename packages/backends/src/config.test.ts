import { expect, test } from 'vitest';
import { callersDirectory, readPlace, readScope, type Surroundings } from './config.ts';

const surroundings: Surroundings = {
  env: {},
  platform: 'linux',
  home: '/people/ada',
  workingDirectory: '/place',
};

function withEnv(env: Surroundings['env'], rest: Partial<Surroundings> = {}): Surroundings {
  return { ...surroundings, env, ...rest };
}

test("without settings wikis lie under the platform's data directory", () => {
  const directoryOn = (platform: string, env = {}) => readPlace({}, withEnv(env, { platform })).directory;
  expect(directoryOn('linux')).toBe('/people/ada/.local/share/pagetree');
  expect(directoryOn('linux', { XDG_DATA_HOME: '/data' })).toBe('/data/pagetree');
  expect(directoryOn('darwin')).toBe('/people/ada/Library/Application Support/Pagetree');
  expect(directoryOn('win32', { APPDATA: '/roaming' })).toBe('/roaming/Pagetree');
});

test('an option comes before the environment', () => {
  const env = { PAGETREE_DIR: '/from-env', PAGETREE_WIKI: 'from-env' };
  expect(readPlace({ dir: '/wikis', wiki: 'help' }, withEnv(env))).toMatchObject({
    directory: '/wikis',
    wiki: 'help',
    problems: [],
  });
  expect(readPlace({}, withEnv(env))).toMatchObject({ directory: '/from-env', wiki: 'from-env' });
});

test('a directory may be relative, or below the home directory', () => {
  const directory = (dir: string) => readPlace({ dir }, surroundings).directory;
  expect(directory('notes')).toBe('/place/notes');
  expect(directory('~/wikis')).toBe('/people/ada/wikis');
  expect(directory('~')).toBe('/people/ada');
  expect(directory('/a/~b')).toBe('/a/~b');
});

test('a scope that a client left blank is no limit', () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the text that clients pass, as it is
  for (const text of ['', ' ', '${user_config.scope}']) {
    const env = { PAGETREE_SCOPE: text, PAGETREE_WRITE_SCOPE: text };
    expect(readScope({}, { env }), text).toEqual({ kind: 'scope', scope: null });
  }
});

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: what a shell or a client did not fill in
test.each([
  [{ scope: '' }, {}],
  [{ scope: ' ' }, { PAGETREE_SCOPE: 'notes/' }],
  [{ scope: '${FOLDER}' }, {}],
  [{ scope: '${FOLDER}/' }, {}],
  [{ 'write-scope': '' }, {}],
  [{}, { PAGETREE_SCOPE: '${FOLDER},notes/' }],
  [{}, { PAGETREE_SCOPE: '${FOLDER}/' }],
  [{}, { PAGETREE_WRITE_SCOPE: '${ONE}/${OTHER}' }],
])('an invalid scope never becomes the whole wiki: %j %j', (options, env) => {
  expect(readScope(options, { env })).toMatchObject({
    kind: 'mistake',
    sentence: expect.stringMatching(/^The scope ".*" is no folder of a wiki/),
  });
});
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: what a shell or a client did not fill in

test('--connect takes a stack by name or ARN, and a function by ARN or with its alias', () => {
  const aws = (connect: string) => readPlace({ connect }, surroundings).aws;
  const stackArn = 'arn:aws:cloudformation:us-east-2:123456789012:stack/Pagetree/0001';
  for (const stack of ['Pagetree', stackArn]) expect(aws(stack)).toEqual({ stack });
  for (const name of [
    'arn:aws:lambda:us-east-2:123456789012:function:Pagetree',
    'arn:aws:lambda:us-east-2:123456789012:function:Pagetree:live',
    'arn:aws-cn:lambda:cn-north-1:123456789012:function:Pagetree-reader',
    'arn:aws-us-gov:lambda:us-gov-west-1:123456789012:function:Pagetree-reader:live',
    '123456789012:function:Pagetree',
    '123456789012:function:Pagetree:live',
    'Pagetree-reader:live',
    'Pagetree:$LATEST',
  ]) {
    expect(aws(name)).toEqual({ function: name });
    expect(readPlace({}, withEnv({ PAGETREE_FUNCTION: name }))).toMatchObject({
      aws: { function: name },
      problems: [],
    });
  }
});

// biome-ignore lint/suspicious/noTemplateCurlyInString: what a shell did not fill in
test.each(['', ' ', '${STACK}'])(
  'an empty --connect is a mistake, and opens no local wiki: %j',
  (connect) => {
    for (const env of [{}, { PAGETREE_FUNCTION: 'Pagetree' }]) {
      expect(readPlace({ connect }, withEnv(env))).toMatchObject({
        aws: null,
        problems: [expect.stringMatching(/^--connect is "[^"]*", but must name a stack or a function\./)],
      });
    }
  },
);

test('INIT_CWD counts only if a package manager runs the script of this repository', () => {
  const own = { npm_lifecycle_event: 'mcp', npm_package_name: 'pagetree-monorepo' };
  expect(callersDirectory({ ...own, INIT_CWD: '/caller' }, '/clone')).toBe('/caller');
  expect(callersDirectory({ ...own, npm_lifecycle_event: 'serve', INIT_CWD: '/caller' }, '/clone')).toBe(
    '/caller',
  );
  expect(callersDirectory(own, '/clone')).toBe('/clone');
  expect(callersDirectory({ ...own, npm_lifecycle_event: 'test', INIT_CWD: '/stale' }, '/here')).toBe(
    '/here',
  );
  expect(callersDirectory({ ...own, npm_package_name: 'client', INIT_CWD: '/stale' }, '/here')).toBe('/here');
  expect(callersDirectory({ INIT_CWD: '/stale' }, '/here')).toBe('/here');
});
