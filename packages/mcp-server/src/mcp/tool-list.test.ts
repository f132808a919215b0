import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { limits, operationNames, operations } from '@pagetree/wiki/contract';
import { expect, test } from 'vitest';
import { instructionsFor } from './instructions.ts';
import { listTools } from './tool-list.ts';
import { presets, toolNames } from './tool-selection.ts';

const tools = listTools(toolNames);

test('every operation of the contract is a tool, except those for programs', () => {
  expect(operationNames.filter((name) => !tools.some((tool) => tool.name === name))).toEqual([
    'view_page',
    'preview_page',
    'view_commit',
    'view_conflict',
    'undo_changes',
    'list_mentions',
    'fix_link',
    'list_changed',
    'list_folder',
    'view_graph',
    'list_files',
    'read_files',
    'commit_files',
    'list_refs',
    'send_objects',
    'receive_push',
    'get_remote',
    'list_remotes',
    'set_remote',
    'report_sync',
    'merge_commits',
    'upload_part',
  ]);
});

test('the list fits into 24,000 bytes, as documents say, the essential one into 8,000', () => {
  const essential = listTools(presets.essential ?? []);
  expect(Buffer.byteLength(JSON.stringify({ tools }))).toBeLessThanOrEqual(24_000);
  for (const document of [
    'CONTRIBUTING.md',
    'docs/adr/0011-pages-for-people.md',
    'docs/tool-descriptions-trial.md',
  ])
    expect(readFileSync(join(import.meta.dirname, '../../../..', document), 'utf8')).toMatch(
      /(?:may (?:take|have)|stays below) 24,000 bytes/,
    );
  expect(Buffer.byteLength(JSON.stringify({ tools: essential }))).toBeLessThanOrEqual(8_000);
});

test.each(tools)('$name has all four hints, a flat input and a description that no client cuts', (tool) => {
  expect(Object.values(tool.annotations).map((hint) => typeof hint)).toEqual(Array(4).fill('boolean'));
  expect(Object.keys(tool.annotations).sort()).toEqual([
    'destructiveHint',
    'idempotentHint',
    'openWorldHint',
    'readOnlyHint',
  ]);
  expect(tool.inputSchema).toMatchObject({ type: 'object' });
  expect(Object.keys(tool.inputSchema)).not.toContain('anyOf');
  expect(Object.keys(tool.inputSchema)).not.toContain('oneOf');
  if (tool.name !== 'list_wikis') expect(tool.inputSchema.properties).toHaveProperty('wiki');
  expect(tool.description.length).toBeLessThanOrEqual(2_000);
});

test('the schemas contain nothing superfluous', () => {
  // A tool without arguments has no properties; clients require that to be stated.
  const text = JSON.stringify(tools).replaceAll('"properties":{}', '');
  for (const noise of [
    '$schema',
    String(Number.MAX_SAFE_INTEGER),
    'propertyNames',
    '"type":[',
    ':{}',
    'additionalProperties',
    '"default":false',
    '"description":""',
  ]) {
    expect(text, noise).not.toContain(noise);
  }
});

test('the schemas have each argument of the contract but those that only programs send', () => {
  const hidden = tools.flatMap(({ name, inputSchema }) => {
    const shown = Object.keys(inputSchema.properties ?? {});
    return Object.keys(operations[name as keyof typeof operations].input.shape)
      .filter((argument) => !shown.includes(argument))
      .map((argument) => [name, argument]);
  });
  expect(hidden).toEqual([
    ['delete_page', 'links_to_version'],
    ['check_wiki', 'line'],
    ['put_attachment', 'content'],
    ['maintain_wiki', 'once_a_night'],
    ['list_wikis', 'wiki'],
    ['import_wiki', 'content'],
    ['export_wiki', 'part_from'],
  ]);
  expect(JSON.stringify(tools)).not.toContain('internal');
});

test('the schemas keep the bounds of the contract', () => {
  const list = tools.find((tool) => tool.name === 'list_pages');
  expect(list?.inputSchema.properties).toMatchObject({
    limit: { type: 'integer', minimum: 1, maximum: limits.listMost, default: limits.listDefault },
  });
});

test('the instructions explain every argument that tools leave undescribed because many have it', () => {
  const shared = [
    'path',
    'wiki',
    'version',
    'message',
    'request_id',
    'dry_run',
    'cursor',
    'tag',
    'property',
    'at',
  ];
  for (const name of shared) expect(instructionsFor(null)).toMatch(new RegExp(`\\b${name}\\b`));
});

test('a list and a search show the same filters', () => {
  const filters = ['prefix', 'tag', 'property', 'updated_since', 'updated_until', 'author', 'agent', 'at'];
  for (const name of ['list_pages', 'search_pages']) {
    const properties = tools.find((tool) => tool.name === name)?.inputSchema.properties ?? {};
    expect(Object.keys(properties)).toEqual(expect.arrayContaining(filters));
  }
});

test('the instructions are between 100 and 2,048 characters', () => {
  const folders = Array.from({ length: 50 }, (_, number) => `${'folder'.repeat(20)}${number}/`);
  for (const scope of [null, { read: folders, write: folders.slice(1) }]) {
    expect(instructionsFor(scope).length).toBeGreaterThanOrEqual(100);
    expect(instructionsFor(scope).length).toBeLessThanOrEqual(2_048);
  }
});

test('the instructions never name a page that the scope hides', () => {
  const whole = ['', 'notes/'].map((folder) => instructionsFor({ read: [folder], write: ['notes/'] }));
  expect([instructionsFor(null), ...whole].map((text) => text.includes('Home'))).toEqual([true, true, false]);
});

test('put_attachment, import_wiki and export_wiki require a path on this machine', () => {
  const needed = tools.filter((tool) =>
    (tool.inputSchema.required as string[] | undefined)?.includes('local_path'),
  );
  expect(needed.map(({ name }) => name)).toEqual(['put_attachment', 'import_wiki', 'export_wiki']);
  expect(JSON.stringify(tools)).not.toContain('neededByTools');
});
