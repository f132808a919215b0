import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { openBackend } from '@pagetree/backends/open-backend';
import { errorCodes, limits, type OperationName, operations } from '@pagetree/wiki/contract';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { z } from 'zod';
import { sampled } from '../../../../labs/sample.ts';
import { callTool, type ToolHost } from '../../src/mcp/call-tool.ts';
import { toolNames } from '../../src/mcp/tool-selection.ts';
import { temporaryDirectory } from '../built-server.ts';
import { git, gitFsck } from '../git.ts';
import { hostilePaths, hostileTexts, hostileWikis } from './hostile-values.ts';

const sequences = sampled(250, 60);
const callsInASequence = 8;
/** Fixed: in CI a change fails for what it changed. */
const SEED = 20_261_122;

let parent: string;
let directory: string;
let host: ToolHost;
let backend: ReturnType<typeof openBackend>;

beforeAll(async () => {
  parent = await temporaryDirectory();
  directory = join(parent, 'wikis');
  await mkdir(join(parent, 'outside'));
  await writeFile(join(parent, 'outside', 'secret.md'), 'secret');
  await writeFile(join(parent, 'secret.md'), 'secret');
  const author = { name: 'Fuzz', email: 'fuzz@example.org' };
  backend = openBackend(
    { directory, wiki: null, problems: [], aws: null, embeddings: null },
    {},
    { makes: 'default wiki' },
  );
  host = {
    wiki: backend.wiki,
    tools: toolNames,
    author,
    scope: null,
    log: (line) => logged.push(line),
    reportFailure: () => {},
    now: Date.now,
    randomBytes,
  };
});

afterAll(() => backend.close());

const logged: string[] = [];
/** Values from earlier answers, so that calls get past the validation of their arguments. */
const known = { path: ['Home'], version: ['0'.repeat(40)], commit: ['0'.repeat(40)], cursor: [''] };

test(`${sequences * callsInASequence} calls with any arguments answer by the contract, and touch nothing outside the wiki`, async () => {
  const outside = await filesOutside();
  const codes = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyCall(), { minLength: callsInASequence, maxLength: callsInASequence }),
      async (calls) => {
        for (const { name, args } of calls) {
          const code = await checkedCall(name, args);
          codes.set(code, (codes.get(code) ?? 0) + 1);
        }
      },
    ),
    { numRuns: sequences, endOnFailure: true, seed: SEED },
  );
  // If validation had refused nearly every call, little would have been tested.
  expect(codes.get('ok')).toBeGreaterThan(sampled(300, 80));
  expect(codes.get('internal') ?? 0, logged.join('\n')).toBe(0);
  await gitFsck(join(directory, 'main.git'));
  expect(await filesOutside()).toEqual(outside);
}, 1_800_000);

test('each hostile path is refused or becomes a page inside the wiki', async () => {
  const outside = await filesOutside();
  for (const path of hostilePaths) await checkedCall('write_page', { path, content: 'x' });
  for (const wiki of hostileWikis) await checkedCall('write_page', { path: 'A', content: 'x', wiki });
  await gitFsck(join(directory, 'main.git'));
  expect(await filesOutside()).toEqual(outside);
  const files = (await git(join(directory, 'main.git'), 'ls-tree', '-r', '-z', '--name-only', 'main')).split(
    '\0',
  );
  for (const file of files.filter((name) => name !== '')) {
    expect(file, JSON.stringify(file)).toMatch(/^[^/].*\.[^/.]+$/s);
    expect(file.normalize('NFC')).toBe(file);
  }
});

test('a path in NFD is the same page as in NFC', async () => {
  await checkedCall('write_page', { path: 'Crème/Brûlée'.normalize('NFD'), content: 'x' });
  expect(await checkedCall('read_page', { path: 'Crème/Brûlée'.normalize('NFC') })).toBe('ok');
  expect(await checkedCall('write_page', { path: 'Crème/Brûlée'.normalize('NFC'), content: 'x' })).toBe(
    'already_exists',
  );
});

/** Calls the tool, checks the answer against the contract, and returns `ok` or the code. */
async function checkedCall(name: string, args: unknown): Promise<string> {
  const toolCall = { name, arguments: resolveKnown(args), agent: 'fuzz/1', isStructured: true };
  const result = await callTool(host, toolCall);
  const text = result.content[0]?.text ?? '';
  if (result.isError) {
    const code = /^([a-z_]+): \S/.exec(text)?.[1] ?? text;
    expect(errorCodes).toContain(code);
    expect(result).not.toHaveProperty('structuredContent');
    expect(text.length).toBeLessThan(11_000);
    expect(text, 'a stack trace').not.toMatch(/\n\s+at |node:|\.ts:\d/);
    return code;
  }
  expect(text.length).toBeLessThanOrEqual(limits.replyCharacters);
  operations[name as OperationName].output.parse(result.structuredContent);
  remember(result.structuredContent ?? {});
  return 'ok';
}

function remember(output: Record<string, unknown>): void {
  for (const [field, values] of Object.entries(known)) {
    const value = output[field === 'cursor' ? 'next_cursor' : field];
    if (typeof value === 'string') values.push(value);
  }
}

type Argument = fc.Arbitrary<unknown>;

function anyCall(): fc.Arbitrary<{ name: string; args: unknown }> {
  const fitting = fc
    .constantFrom(...toolNames)
    .chain((name) => anyArguments(name).map((args) => ({ name, args })));
  const wild = fc.record({
    name: fc.oneof(fc.constantFrom<string>(...toolNames, '__proto__', 'toString'), fc.string()),
    args: fc.jsonValue(),
  });
  return fc.oneof({ weight: 19, arbitrary: fitting }, { weight: 1, arbitrary: wild });
}

/**
 * Fields of the tool, each mostly as intended, sometimes arbitrary, sometimes missing. Most calls leave out
 * the optional ones that validation would refuse, so that more of the operation itself is tested.
 */
function anyArguments(name: OperationName): Argument {
  const fields = Object.keys(operations[name].input.shape);
  const required = operations[name].input.toJSONSchema({ io: 'input' }).required ?? [];
  const model = fields.map((field) => [
    field,
    fc.oneof({ weight: 14, arbitrary: argument(field) }, { weight: 1, arbitrary: fc.jsonValue() }),
  ]);
  const all = fc.record(Object.fromEntries(model) as Record<string, Argument>, { requiredKeys: required });
  const fitting = all.map((args) =>
    Object.fromEntries(
      Object.entries(args).filter(([field, value]) => required.includes(field) || fits(name, field, value)),
    ),
  );
  return fc.oneof({ weight: 9, arbitrary: fitting }, { weight: 1, arbitrary: all });
}

function fits(name: OperationName, field: string, value: unknown): boolean {
  const shape: Record<string, z.ZodType> = operations[name].input.shape;
  return value instanceof Known || shape[field]?.safeParse(value).success === true;
}

function argument(field: string): Argument {
  const path = fc.oneof(knownValue('path'), fc.constantFrom(...hostilePaths), fc.string({ unit: 'binary' }));
  const text = fc.oneof(fc.constantFrom(...hostileTexts), fc.string({ unit: 'binary', maxLength: 300 }));
  const commit = fc.oneof(knownValue('commit'), fc.constantFrom(...hostileTexts));
  const count = fc.oneof(fc.integer({ min: 0, max: 60 }), fc.double());
  const edit = fc.record({ old_string: text, new_string: text, replace_all: fc.boolean() });
  const arbitraries: Record<string, Argument> = {
    wiki: fc.oneof({ weight: 8, arbitrary: fc.constant('main') }, fc.constantFrom(...hostileWikis)),
    path,
    new_path: path,
    prefix: path,
    heading: text,
    paths: fc.array(path, { maxLength: 22 }),
    version: knownValue('version'),
    cursor: fc.oneof(knownValue('cursor'), text),
    ...{ at: commit, from: commit, to: commit, commit },
    edits: fc.array(edit, { minLength: 1, maxLength: 3 }),
    mode: fc.constantFrom('content', 'outline', 'metadata', 'words', 'regex'),
    sort: fc.constantFrom('path', 'updated', 'title'),
    request_id: fc.oneof(fc.uuid(), fc.constantFrom('1', 'a b', '\n', 'é')),
    ...{ limit: count, start_line: count, start_char: count, max_lines: count, context_lines: count },
    ...{ replace_all: fc.boolean(), dry_run: fc.boolean(), create: fc.boolean(), update_links: fc.boolean() },
    allow_shrink: fc.boolean(),
  };
  return arbitraries[field] ?? text;
}

/** A placeholder for a value that is known only when the call is made. */
function knownValue(field: keyof typeof known): Argument {
  return fc.nat(1_000).map((index) => new Known(field, index));
}

class Known {
  readonly field: keyof typeof known;
  readonly index: number;

  constructor(field: keyof typeof known, index: number) {
    this.field = field;
    this.index = index;
  }
}

function resolveKnown(value: unknown): unknown {
  if (value instanceof Known) return known[value.field].at(-1 - (value.index % known[value.field].length));
  if (Array.isArray(value)) return value.map(resolveKnown);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, nested]) => [key, resolveKnown(nested)]));
}

/** Every file outside of the wiki itself, with its content. */
async function filesOutside(): Promise<Record<string, string>> {
  const entries = await readdir(parent, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !wikiOf.test(relative(directory, file)));
  const contents = files.map(async (file) => [relative(parent, file), await readFile(file, 'utf8')]);
  return Object.fromEntries(await Promise.all(contents));
}

/** create_wiki makes others beside main, with only these names; files name the default one and the last round. */
const wikiOf = /^([a-z0-9-]{1,64}\.git\/|default-wiki$|\.maintenance$)/;
