import { spawn } from 'node:child_process';
import { copyFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { PROGRAM_FILE } from '../../build.ts';
import { builtServer, temporaryDirectory } from '../built-server.ts';
import { ENVELOPE } from '../raw-server.ts';

/** The built server, its program alone, and its entry without the program. */
let [bundle, program, entry] = ['', '', ''];
let directory: string;

beforeAll(async () => {
  bundle = await builtServer();
  program = join(dirname(bundle), PROGRAM_FILE);
  entry = join(await temporaryDirectory(), 'pagetree.mjs');
  await copyFile(bundle, entry);
  directory = await temporaryDirectory();
});

interface Outcome {
  output: string;
  log: string;
  code: number | null;
}

/** Starts a server, sends it these texts one after another, and the end of the input. */
async function answers(
  script: string,
  sent: readonly string[],
  options: readonly string[] = [],
  env: Record<string, string> = {},
): Promise<Outcome> {
  const server = spawn(process.execPath, [script, '--dir', directory, ...options], {
    env: { ...process.env, ...env },
  });
  const code = new Promise<number | null>((resolve) => server.once('close', resolve));
  server.stdin.on('error', () => {});
  const [output, log] = [text(server.stdout), text(server.stderr)];
  for (const [at, each] of sent.entries()) {
    if (at > 0) await setTimeout(150);
    server.stdin.write(each);
  }
  server.stdin.end();
  return { output: await output, log: await log, code: await code };
}

const VERSION = 'io.modelcontextprotocol/protocolVersion';
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
const CLIENT = 'io.modelcontextprotocol/clientInfo';

function line(message: object): string {
  return `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;
}

function probe(meta: object = {}, more: object = {}): string {
  return line({ id: 1, method: 'server/discover', params: { _meta: { ...ENVELOPE, ...meta } }, ...more });
}

const allCapabilities = {
  roots: { listChanged: true },
  sampling: { context: {}, tools: {} },
  elicitation: { form: { applyDefaults: true }, url: {} },
  experimental: { other: { a: [1] } },
  extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html'] } },
};

test.each([
  ['as the SDK sends it', probe()],
  ['a text as its id', probe({}, { id: 'probe-"1"' })],
  ['an id of zero', probe({}, { id: -0 })],
  ['no client named', probe({ [CLIENT]: undefined })],
  [
    'a client with all its names',
    probe({ [CLIENT]: { name: 'a', version: '1', title: 'A', description: 'd', websiteUrl: 'w' } }),
  ],
  ['many capabilities', probe({ [CAPABILITIES]: allCapabilities })],
  ['empty capabilities', probe({ [CAPABILITIES]: { roots: {}, sampling: {}, elicitation: {} } })],
  ['a line end of Windows', probe().replace('\n', '\r\n')],
])(
  'a first server/discover is answered without the program and as the program does it: %s',
  async (_, sent) => {
    const answered = await answers(entry, [sent]);
    expect(answered).toEqual({ output: expect.stringContaining('"2026-07-28"'), log: '', code: 0 });
    expect(answered).toEqual(await answers(program, [sent]));
  },
);

test.each([
  ['another version', probe({ [VERSION]: '2027-01-01' })],
  ['no envelope', line({ id: 1, method: 'server/discover' })],
  ['no capabilities', probe({ [CAPABILITIES]: undefined })],
  ['capabilities that do not fit', probe({ [CAPABILITIES]: { roots: { listChanged: 'yes' } } })],
  ['a client without a version', probe({ [CLIENT]: { name: 'a' } })],
  ['an id that is none', probe({}, { id: 1.5 })],
  ['another version of JSON-RPC', probe({}, { jsonrpc: '1.0' })],
  ['a token for progress', probe({ progressToken: {} })],
  ['a separator of lines in the id', probe({}, { id: '\u2028' })],
  ['a notification', probe({}, { id: undefined })],
  ['a batch', `[${probe().trim()}]\n`],
  ['more than a line', probe() + line({ id: 2, method: 'ping' })],
  ['a line without an end', probe().trim()],
  ['an empty line before', `\n${probe()}`],
  ['more than 1,000 values', probe({ [CAPABILITIES]: { extensions: { a: { b: Array(1_500).fill(1) } } } })],
  ['another method', line({ id: 1, method: 'tools/list', params: { _meta: ENVELOPE } })],
  ['no JSON', 'hello\n'],
  ['nothing', ''],
])('any other first message is for the program: %s', async (_, sent) => {
  expect(await answers(entry, [sent])).toMatchObject({
    output: '',
    log: expect.stringContaining(PROGRAM_FILE),
    code: 1,
  });
});

test.each([
  ['a message after the probe', [probe() + line({ id: 2, method: 'ping' })]],
  ['a line without an end', [line({ id: 1, method: 'ping' }) + probe().trim()]],
  ['a message in parts', [probe().slice(0, 50), probe().slice(50)]],
  ['a character in parts', ['{"id":"ä', '"}\n']],
  ['a late message', ['', line({ id: 1, method: 'ping' })]],
  ['many messages at once', [Array.from({ length: 50 }, (_, id) => line({ id, method: 'ping' })).join('')]],
])('no byte is lost: %s', async (_, sent) => {
  const answered = await answers(bundle, sent);
  expect(answered).toEqual(await answers(program, sent));
  expect(answered.output).not.toBe('');
});

const initialize = line({
  id: 2,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'a', version: '1' } },
});
const list = line({ id: 2, method: 'prompts/list', params: { _meta: ENVELOPE } });

test.each([
  ['an older version', [initialize]],
  ['the same version', [list]],
  ['a second probe', [probe({}, { id: 2 })]],
  ['a part of a message', [list.slice(0, 9), list.slice(9)]],
])('after the first answer the program goes on: %s', async (_, sent) => {
  const answered = await answers(bundle, [probe(), ...sent]);
  expect(answered).toEqual(await answers(program, [probe(), ...sent]));
  expect(answered.output.split('\n')).toHaveLength(3);
});

test.each([
  ['--scope', ['--scope', 'notes/'], {}],
  ['PAGETREE_SCOPE', [], { PAGETREE_SCOPE: 'notes/' }],
  ['PAGETREE_WRITE_SCOPE', [], { PAGETREE_WRITE_SCOPE: 'notes/' }],
])('the answer of a limited server says so: %s', async (_, options, env) => {
  const { output } = await answers(bundle, [probe()], options, env);
  expect(output).toContain('This server is limited: ');
});

test.each([
  ['an unknown tool', ['--tools', 'no-such'], {}, 'There is no tool'],
  ['an unknown tool in the environment', [], { PAGETREE_TOOLS: 'no-such' }, 'There is no tool'],
  ['no tool left', [], { PAGETREE_EXCEPT_TOOLS: 'all' }, 'leave no tool'],
  ['a scope that is none', [], { PAGETREE_SCOPE: 'notes' }, 'is no folder'],
  ['an unknown option', ['--nonsense'], {}, 'Unknown option'],
  ['an unknown command', ['nonsense'], {}, 'Unexpected argument'],
])('a mistake stops the start before any answer: %s', async (_, options, env, sentence) => {
  const { output, log, code } = await answers(bundle, [probe()], options, env);
  expect({ output, code }).toEqual({ output: '', code: 2 });
  expect(log).toContain(sentence);
});

test('the settings of the bundle for Claude Desktop that were left blank change nothing', async () => {
  const env = {
    PAGETREE_TOOLS: 'all',
    PAGETREE_EXCEPT_TOOLS: '',
    PAGETREE_SCOPE: '',
    PAGETREE_WRITE_SCOPE: '',
  };
  expect(await answers(entry, [probe()], [], env)).toMatchObject({ log: '', code: 0 });
});

test('the entry holds nothing that takes long to load', async () => {
  expect((await stat(entry)).size).toBeLessThan(10_000);
});

test('a client that does not read the first answer ends the server quietly', async () => {
  const server = spawn(process.execPath, [bundle, '--dir', directory]);
  const [log, code] = [text(server.stderr), new Promise((resolve) => server.once('close', resolve))];
  server.stdout.destroy();
  server.stdin.on('error', () => {}).write(probe());
  expect([await code, await log]).toEqual([0, '']);
});
