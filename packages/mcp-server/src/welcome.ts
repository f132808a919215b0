import { type Author, toWikiError } from '@pagetree/wiki/contract';
import type { Backend } from './backend.ts';

/** What a person reads who started the server in a terminal: what it is, where the wiki is, what to do with it. */
export async function welcome(backend: Backend, author: Author, command: string[]): Promise<string> {
  const [program, ...args] = command;
  const settings = { mcpServers: { pagetree: { command: program, args } } };
  return `
Pagetree: a wiki in git for AI agents. It speaks MCP on standard input and output; an AI client starts it.

${await describeWiki(backend, author)}

Add it to Claude Code:  claude mcp add pagetree -- ${command.map(shellQuoted).join(' ')}
To Claude Desktop, Cursor and others, in their settings file:
  ${JSON.stringify(settings)}

It waits for a client now. Ctrl-C ends it.
`;
}

async function describeWiki(backend: Backend, author: Author): Promise<string> {
  try {
    const status = await backend.wiki.wiki_status({}, { caller: { author, agent: null } });
    const lines = [
      `Wiki:       ${status.wiki}, ${status.pages} pages, in ${backend.place}`,
      ...(status.clone === null ? [] : [`Its files:  ${status.clone}`]),
      ...status.problems.map((problem) => `Problem:    ${problem}`),
    ];
    return lines.join('\n');
  } catch (error) {
    const { text } = toWikiError(error);
    return `Problem:    ${text.happened} ${text.next}`;
  }
}

function shellQuoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
