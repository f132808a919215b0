import { expect, test } from 'vitest';
import { readConfig, type Surroundings, startCommand } from './config.ts';

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

test('the command that starts the server again has absolute paths', () => {
  const options = { dir: 'wikis', files: ['~/Notes', 'a'], wiki: 'notes' };
  expect(startCommand(options, surroundings).slice(2)).toEqual([
    '--dir',
    '/place/wikis',
    '--files',
    '/people/ada/Notes',
    '--files',
    '/place/a',
    '--wiki',
    'notes',
  ]);
});

test.each([
  ['/people/ada/.npm/_npx/9a8b/node_modules/.bin/pagetree', true],
  ['C:\\Users\\ada\\AppData\\Local\\npm-cache\\_npx\\9a8b\\node_modules\\x\\pagetree.js', true],
  ['/people/ada/.cache/pnpm/dlx/9a8b/1/node_modules/.bin/pagetree', true],
  ['/tmp/xfs-1/dlx-4711/node_modules/.bin/pagetree', true],
  ['/tmp/bunx-1000-@pagetree/mcp-server/node_modules/.bin/pagetree', true],
  ['/usr/local/bin/pagetree', false],
])('%s is started again by npx: %s', (script, isByNpx) => {
  const [node = ''] = process.argv;
  const start = startCommand({}, surroundings, [node, script]);
  expect(start).toEqual(isByNpx ? ['npx', '-y', '@pagetree/mcp-server'] : [node, script]);
});

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
