import { setTimeout } from 'node:timers/promises';
import { openWiki } from '@pagetree/wiki';
import { callOperation } from '@pagetree/wiki/contract';

/**
 * One writer, in a process of its own: counts up its line of the page, about once a second, and prints for each change
 * its commit, its number and the time at which it was acknowledged.
 */
const [directory = '', path = '', name = '', changes = '0'] = process.argv.slice(2);
const host = { backend: 'local', versions: {}, problems: [] };
const opened = await openWiki({ directory, wiki: 'main', placement: 'local', host });
const caller = { author: { name: `Writer ${name}`, email: 'writer@example.org' }, agent: 'bench/1' };
for (let count = 1; count <= Number(changes); count += 1) {
  await setTimeout(500 + Math.random() * 1_000);
  const edits = [{ old_string: lineOf(count - 1), new_string: lineOf(count) }];
  const written = await callOperation(opened.wiki, 'edit_page', { wiki: 'main', path, edits }, { caller });
  const { commit } = written as { commit: string };
  process.stdout.write(`${JSON.stringify({ commit, count, atMs: Date.now() })}\n`);
}
await opened.close();

function lineOf(count: number): string {
  return `Writer ${name}: change ${count}.`;
}
