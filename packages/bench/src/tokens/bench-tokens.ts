import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { table } from '../markdown-table.ts';
import { readOptions } from '../options.ts';
import { rivalProgram } from '../rival-program.ts';
import { corporaDirectory } from '../search/corpora-config.ts';
import type { Known, Step, Task } from './task.ts';
import { tasks } from './tasks.ts';
import { openToolClient, type ToolAnswer, type ToolClient } from './tool-client.ts';

/** Bytes that reach a model in one task. Null where a server cannot do it. */
export interface Row {
  name: string;
  /** The JSON form, which every client showed before the text had a form of its own. */
  before: number;
  after: number;
  filesystem: number | null;
  mcpvault: number | null;
}

/** `pnpm bench tokens [--rivals DIRECTORY]`: the bytes of the answers that a model reads, for 30 tasks. */
export async function benchTokens(args: readonly string[]): Promise<string> {
  const { rivals } = readOptions('tokens', args, { rivals: { type: 'string' } });
  return reportOf(await measureTokens(rivals));
}

/** `rivals`: where `npm install @modelcontextprotocol/server-filesystem @bitbonsai/mcpvault` was run. */
export async function measureTokens(rivals?: string): Promise<Row[]> {
  const place = await mkdtemp(join(tmpdir(), 'pagetree-bench-tokens-'));
  try {
    const bundle = join(corporaDirectory(), 'foam-docs.bundle');
    await mkdir(join(place, 'wikis'));
    const clone = (...given: string[]) => execFileSync('git', ['clone', '--quiet', ...given]);
    clone('--bare', bundle, join(place, 'wikis', 'main.git'));
    const main = resolve(import.meta.dirname, '../../../mcp-server/src/main.ts');
    const ours = await openToolClient([process.execPath, main, '--dir', join(place, 'wikis')]);
    const rows: Row[] = [];
    for (const task of tasks) rows.push(await measureTask(ours, task));
    await ours.close();
    if (rivals !== undefined) {
      for (const name of ['filesystem', 'mcpvault'] as const) {
        clone(bundle, join(place, name));
        const files = join(place, name);
        await measureRival(name, [process.execPath, rivalProgram(rivals, name), files], files, rows);
      }
    }
    return rows;
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

async function measureTask(ours: ToolClient, task: Task): Promise<Row> {
  const row: Row = { name: task.name, before: 0, after: 0, filesystem: null, mcpvault: null };
  await task.run(async (tool, args): Promise<Known> => {
    const answer = await ours.call(tool, args);
    const text = bytesOf(answer);
    const { structuredContent } = answer;
    row.after += text;
    row.before +=
      structuredContent === undefined ? text : Buffer.byteLength(JSON.stringify(structuredContent));
    if (answer.isError === true && !task.name.includes('conflict')) throw failure(tool, answer);
    return structuredContent ?? {};
  });
  return row;
}

async function measureRival(
  name: 'filesystem' | 'mcpvault',
  command: readonly string[],
  files: string,
  rows: Row[],
): Promise<void> {
  const rival = await openToolClient(command);
  for (const task of tasks) {
    const row = rows.find((each) => each.name === task.name);
    const steps = task[name];
    if (row === undefined || steps === undefined) continue;
    let bytes = 0;
    for (const [tool, args] of steps) {
      const answer = await rival.call(tool, name === 'filesystem' ? absolute(args, files) : args);
      if (answer.isError === true) throw failure(tool, answer);
      bytes += bytesOf(answer);
    }
    row[name] = bytes;
  }
  await rival.close();
}

/** server-filesystem takes paths from its own folder on. */
function absolute(args: Step[1], files: string): Record<string, unknown> {
  const at = (value: unknown) => join(files, String(value));
  return Object.fromEntries(
    Object.entries(args).map(([key, value]) => {
      if (['path', 'source', 'destination'].includes(key)) return [key, at(value)];
      return [key, key === 'paths' && Array.isArray(value) ? value.map(at) : value];
    }),
  );
}

/** The text alone: where a client shows `structuredContent` in its place, these servers send the same text in it. */
function bytesOf({ content }: ToolAnswer): number {
  return content.reduce((sum, { text = '' }) => sum + Buffer.byteLength(text), 0);
}

function failure(tool: string, { content }: ToolAnswer): Error {
  return new Error(`${tool}: ${content[0]?.text}`);
}

function reportOf(rows: readonly Row[]): string {
  const sum = (part: (row: Row) => number) => rows.reduce((total, row) => total + part(row), 0);
  const [before, after] = [sum((row) => row.before), sum((row) => row.after)];
  const saved = (from: number, to: number) => `${Math.round((1 - to / from) * 100)} %`;
  const head = ['task', 'before', 'after', 'fewer', 'server-filesystem', 'mcpvault'];
  const lines = rows.map((row) => [
    row.name,
    row.before,
    row.after,
    saved(row.before, row.after),
    row.filesystem ?? '',
    row.mcpvault ?? '',
  ]);
  const beside = (['filesystem', 'mcpvault'] as const).flatMap((name) => {
    const shared = rows.filter((row) => row[name] !== null);
    if (shared.length === 0) return [];
    const total = (part: (row: Row) => number) => shared.reduce((all, row) => all + part(row), 0);
    return [
      `On the ${shared.length} tasks of ${name}: ${total((row) => row.after)} bytes, it ${total((row) => row[name] ?? 0)}.`,
    ];
  });
  return [
    `${rows.length} tasks on foam-docs (86 pages, 405 commits), bytes of the answers that a model reads: ${after} in place of ${before}, ${saved(before, after)} fewer, and ${saved(2 * before, after)} in clients that show both forms.`,
    ...beside,
    '',
    table(head, [...lines, ['**sum**', before, after, saved(before, after), '', '']]),
  ].join('\n');
}
