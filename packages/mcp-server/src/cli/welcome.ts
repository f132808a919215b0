import type { Backend } from '@pagetree/backends/backend';
import { nextAtTerminal, toWikiError } from '@pagetree/wiki/contract';
import type { Config } from './config.ts';

/**
 * The text for a person who started the server in a terminal: what it is, where the wiki is, what to do with
 * it.
 */
export async function welcome(
  backend: Backend,
  config: Pick<Config, 'author' | 'missingIdentity'>,
  command: string[],
): Promise<string> {
  const [program, ...args] = command;
  const settings = { mcpServers: { pagetree: { command: program, args } } };
  return `
Pagetree: a wiki in git for AI agents. It speaks MCP on standard input and output; an AI client starts it.

${await describeWiki(backend, config)}

Add it to the AI clients on this machine:  ${[...command, 'setup'].map(shellQuoted).join(' ')}
To Claude Code by hand:  claude mcp add pagetree -- ${command.map(shellQuoted).join(' ')}
To Claude Desktop, Cursor and others by hand, in their settings file:
  ${JSON.stringify(settings)}

It waits for a client now. Ctrl-C ends it.
`;
}

async function describeWiki(
  backend: Backend,
  { author, missingIdentity }: Pick<Config, 'author' | 'missingIdentity'>,
): Promise<string> {
  const own = missingIdentity === null ? [] : [missingIdentity];
  try {
    const status = await backend.wiki.wiki_status({}, { caller: { author, agent: null } });
    const lines = [
      `Wiki:       ${status.wiki}, ${status.pages} pages, in ${backend.place}`,
      ...(status.clone === null ? [] : [`Its files:  ${status.clone}`]),
      ...[...own, ...status.problems].map((problem) => `Problem:    ${problem}`),
    ];
    return lines.join('\n');
  } catch (error) {
    const { text } = toWikiError(error);
    return [...own, `${text.happened} ${nextAtTerminal(text)}`]
      .map((problem) => `Problem:    ${problem}`)
      .join('\n');
  }
}

function shellQuoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
