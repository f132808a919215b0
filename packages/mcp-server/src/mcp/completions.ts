import type { Call, Wiki } from '@pagetree/wiki/contract';

/** MCP's maximum for one answer. */
const valuesMost = 100;

/** A type, not an interface, so that it has the index signature that MCP asks for. */
export type Completion = {
  values: string[];
  total?: number;
  hasMore: boolean;
};

/** Completions for an argument of a prompt or of a resource's address, by the argument's name. */
export async function complete(
  wiki: Wiki,
  call: Call,
  argument: { name: string; value: string },
  others: Readonly<Record<string, string>>,
): Promise<Completion> {
  switch (argument.name) {
    case 'wiki': {
      const { wikis } = await wiki.wiki_status({}, call);
      return firstOf(wikis.filter((name) => name.startsWith(argument.value)));
    }
    case 'path':
    case 'prefix': {
      const scope = { wiki: others.wiki, prefix: argument.value, sort: 'path', limit: valuesMost } as const;
      const { pages, total } = await wiki.list_pages(scope, call);
      return { values: pages.map(({ path }) => path), total, hasMore: total > pages.length };
    }
    case 'commit': {
      const query = { wiki: others.wiki, path: others.path, limit: valuesMost };
      const { entries } = await wiki.get_history(query, call);
      return firstOf(
        entries.map(({ commit }) => commit).filter((commit) => commit.startsWith(argument.value)),
      );
    }
    default:
      return { values: [], hasMore: false };
  }
}

function firstOf(values: string[]): Completion {
  return { values: values.slice(0, valuesMost), total: values.length, hasMore: values.length > valuesMost };
}
