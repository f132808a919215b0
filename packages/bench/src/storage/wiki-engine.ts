import { createInterface } from 'node:readline';
import { type OpenedWiki, openWiki } from '@pagetree/wiki';
import { operations } from '@pagetree/wiki/contract';
import type { Answer, Command } from './protocol.ts';

/** Pagetree as an engine of the benchmark; its one argument is where the wiki is placed, `local` or `shared`. */
const placement = process.argv[2] === 'shared' ? 'shared' : 'local';
const call = { caller: { author: { name: 'Bench', email: 'bench@example.org' }, agent: null } };
const state: { opened: OpenedWiki | null } = { opened: null };

for await (const line of createInterface({ input: process.stdin })) {
  const start = performance.now();
  const text = await run(JSON.parse(line));
  const answer: Answer = {
    milliseconds: performance.now() - start,
    peakRssMegabytes: process.resourceUsage().maxRSS / 1024,
    ...(text !== undefined && { text }),
  };
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
await state.opened?.close();

async function run(command: Command): Promise<string | undefined> {
  if (command.do === 'open') {
    const host = { backend: 'bench', versions: {}, problems: [] };
    state.opened = await openWiki({ directory: command.directory, wiki: 'main', placement, host });
    return undefined;
  }
  if (!state.opened) throw new Error('The wiki is not open.');
  return operate(state.opened, command);
}

async function operate({ wiki, settle }: OpenedWiki, command: Exclude<Command, { do: 'open' }>) {
  switch (command.do) {
    case 'read': {
      const input = operations.read_page.input.parse({ path: pageOf(command.path) });
      return (await wiki.read_page(input, call)).content;
    }
    case 'append': {
      const { path, text } = command;
      const input = operations.append_to_page.input.parse({ path: pageOf(path), content: text });
      await wiki.append_to_page(input, call);
      return undefined;
    }
    case 'list':
      await wiki.list_pages(operations.list_pages.input.parse({ limit: 200 }), call);
      return undefined;
    case 'recent':
      await wiki.get_history(operations.get_history.input.parse({ limit: 50 }), call);
      return undefined;
    case 'settle':
      await settle();
      return undefined;
  }
}

function pageOf(path: string): string {
  return path.replace(/\.md$/, '');
}
