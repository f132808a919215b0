import './small-heap.ts';
import { type OpenedWiki, openWiki } from '@pagetree/wiki';
import { operations } from '@pagetree/wiki/contract';
import type { Command } from './protocol.ts';
import { serve } from './serve.ts';

/** Pagetree as an engine of the benchmark; its one argument is where the wiki is placed, `local` or `shared`. */
const placement = process.argv[2] === 'shared' ? 'shared' : 'local';
const call = { caller: { author: { name: 'Bench', email: 'bench@example.org' }, agent: null } };
const state: { opened: OpenedWiki | null } = { opened: null };

await serve(run);
await state.opened?.close();

async function run(command: Command): Promise<string | undefined> {
  if (command.do === 'open') {
    const { directory, workDirectory } = command;
    const host = { backend: 'bench', versions: {}, problems: [] };
    state.opened = await openWiki({ directory, wiki: 'main', placement, workDirectory, host });
    return undefined;
  }
  if (!state.opened) throw new Error('The wiki is not open.');
  return operate(state.opened, command);
}

async function operate(
  { wiki, settle }: OpenedWiki,
  command: Exclude<Command, { do: 'open' }>,
): Promise<string | undefined> {
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
    case 'history': {
      const input = operations.get_history.input.parse({ path: pageOf(command.path), limit: 20 });
      await wiki.get_history(input, call);
      return undefined;
    }
    case 'diff': {
      const { path, from } = command;
      const input = operations.diff_page.input.parse({ path: pageOf(path), from });
      return (await wiki.diff_page(input, call)).diff;
    }
    case 'settle':
      await settle();
      return undefined;
  }
}

function pageOf(path: string): string {
  return path.replace(/\.md$/, '');
}
