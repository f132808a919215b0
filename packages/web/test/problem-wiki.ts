import { openWiki } from '@pagetree/wiki';
import { type CallInput, callOperation, type OperationName, type Output } from '@pagetree/wiki/contract';

/** Adds pages with every kind of problem that check_wiki finds, a deleted page, and a page with diagrams. */
export async function addProblems(directory: string): Promise<void> {
  const host = { backend: 'local', versions: {}, problems: [] };
  const { wiki, close } = await openWiki({ directory, wiki: null, placement: 'local', host });
  const caller = { author: { name: 'Ada Lovelace', email: 'team@example.org' }, agent: 'claude-code/2.1' };
  async function run<Name extends OperationName>(name: Name, input: CallInput<Name>): Promise<Output<Name>> {
    return (await callOperation(wiki, name, input, { caller })) as Output<Name>;
  }
  try {
    for (const [path, content] of Object.entries(PAGES)) await run('write_page', { path, content });
    const { version } = await run('write_page', { path: 'Gone', content: '# Gone\n\nLast words.\n' });
    await run('delete_page', { path: 'Gone', version: version ?? '', message: 'Take it away' });
  } finally {
    await close();
  }
}

const COPY = Array.from(
  { length: 12 },
  (_, at) => `Step ${at}: check the number of machine ${at * 7}, and write it beside its name in the list.`,
).join('\n\n');

const PAGES: Readonly<Record<string, string>> = {
  'A/Twin': '# Twin\n\nThe one.\n',
  'B/Twin': '# Twin\n\nThe other.\n',
  'Rules 1': '---\nsuperseded_by: Rules 2\n---\n# Rules 1\n\nOld.\n',
  'Rules 2': '# Rules 2\n\nNew.\n',
  Copy: `# Copy\n\n${COPY}\n`,
  'Copy again': `# Copy again\n\n${COPY}\n\nThe end, lonely.\n`,
  Lonely: '# Lonely\n\nNobody links here.\n',
  Wrong:
    '# Wrong\n\n[[Accounts#No such place]], [[Twin]] and [[Rules 1]].\n\n![[Guides/Getting Started#Install]]\n',
  Diagrams: '# Diagrams\n\n```mermaid\ngraph LR\nA[First] --> B[Second]\n```\n',
};
