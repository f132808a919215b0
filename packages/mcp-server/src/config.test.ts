import { expect, test } from 'vitest';
import { readConfig, readScope, type Surroundings } from './config.ts';

const surroundings: Surroundings = {
  env: {},
  platform: 'linux',
  home: '/people/ada',
  workingDirectory: '/place',
  authorSources: async () => ({
    git: { name: 'Ada', email: 'ada@example.org' },
    user: 'ada',
    host: 'engine',
  }),
};

function withEnv(env: Surroundings['env'], rest: Partial<Surroundings> = {}): Surroundings {
  return { ...surroundings, env, ...rest };
}

test("without settings wikis lie under the platform's data directory", async () => {
  const directoryOn = async (platform: string, env = {}) =>
    (await readConfig({}, withEnv(env, { platform }))).directory;
  expect(await directoryOn('linux')).toBe('/people/ada/.local/share/pagetree');
  expect(await directoryOn('linux', { XDG_DATA_HOME: '/data' })).toBe('/data/pagetree');
  expect(await directoryOn('darwin')).toBe('/people/ada/Library/Application Support/Pagetree');
  expect(await directoryOn('win32', { APPDATA: '/roaming' })).toBe('/roaming/Pagetree');
});

test('an option comes before the environment', async () => {
  const env = { PAGETREE_DIR: '/from-env', PAGETREE_WIKI: 'from-env' };
  expect(await readConfig({ dir: '/wikis', wiki: 'help' }, withEnv(env))).toMatchObject({
    directory: '/wikis',
    wiki: 'help',
    problems: [],
  });
  expect(await readConfig({}, withEnv(env))).toMatchObject({ directory: '/from-env', wiki: 'from-env' });
});

test('a directory may be relative, or below the home directory', async () => {
  const directory = async (dir: string) => (await readConfig({ dir }, surroundings)).directory;
  expect(await directory('notes')).toBe('/place/notes');
  expect(await directory('~/wikis')).toBe('/people/ada/wikis');
  expect(await directory('~')).toBe('/people/ada');
  expect(await directory('/a/~b')).toBe('/a/~b');
});

test('a setting that a client left blank counts as not given', async () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the text that clients pass, as it is
  const blank = { PAGETREE_DIR: '', PAGETREE_WIKI: '${user_config.wiki}', PAGETREE_AUTHOR: ' ' };
  expect(await readConfig({}, withEnv(blank))).toMatchObject({
    directory: '/people/ada/.local/share/pagetree',
    wiki: null,
    author: { name: 'Ada', email: 'ada@example.org' },
    problems: [],
  });
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
])('a scope that went wrong never is the whole wiki: %j %j', (options, env) => {
  expect(readScope(options, { env })).toMatchObject({
    kind: 'mistake',
    sentence: expect.stringMatching(/^The scope ".*" is no folder of a wiki/),
  });
});
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: what a shell or a client did not fill in

test('PAGETREE_AUTHOR says who writes', async () => {
  const { author } = await readConfig({}, withEnv({ PAGETREE_AUTHOR: 'Grace <grace@example.org>' }));
  expect(author).toEqual({ name: 'Grace', email: 'grace@example.org' });
});

test('every mistake is named, and none throws', async () => {
  const env = { PAGETREE_AUTHOR: 'Grace', PAGETREE_WIKI: 'My Wiki', PAGETREE_DIR: 'a\0b' };
  const { problems } = await readConfig({}, withEnv(env));
  expect(problems).toHaveLength(3);
  expect(problems.join('\n')).toContain('My Wiki');
  expect(problems.join('\n')).toContain('PAGETREE_AUTHOR is "Grace"');
  expect(problems.join('\n')).toContain('NUL');
});
