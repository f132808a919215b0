import { openWiki } from '@pagetree/wiki';
import { type CallInput, callOperation, type OperationName } from '@pagetree/wiki/contract';

/** A wiki like a team's, with an example of everything that pages show. */
export async function fillWiki(directory: string): Promise<void> {
  const host = { backend: 'local', versions: {}, problems: [] };
  const opened = await openWiki({ directory, wiki: null, placement: 'local', host });
  const as =
    (name: string, agent: string | null) =>
    async <Name extends OperationName>(operation: Name, input: CallInput<Name>): Promise<void> => {
      const author = { name, email: 'team@example.org' };
      await callOperation(opened.wiki, operation, input, { caller: { author, agent } });
    };
  const [ada, grace, alan] = [
    as('Ada Lovelace', 'claude-code/2.1'),
    as('Grace Hopper', null),
    as('Alan Turing', 'cursor/1.4'),
  ];
  try {
    await ada('write_page', {
      path: 'Guides/Getting Started',
      content: GETTING_STARTED,
      message: 'Write down how to begin\n\nThree people asked the same questions last week.',
    });
    await grace('write_page', { path: 'Guides/Style', content: STYLE, message: 'Say how we write' });
    await ada('write_page', { path: 'Accounts', content: ACCOUNTS, message: 'Describe accounts' });
    await alan('write_page', {
      path: 'Tools/Editor',
      content: '# Editor\n\nAny. #guide\n',
      message: 'Add editors',
    });
    await ada('write_page', { path: 'Guides/Everything', content: EVERYTHING, message: 'Show every form' });
    const content = Buffer.from(DIAGRAM).toString('base64');
    await ada('put_attachment', { path: 'diagram.svg', content, message: 'Draw the way of a call' });
    await grace('edit_page', {
      path: 'Guides/Getting Started',
      edits: [
        { old_string: 'a machine with **Node 24**.', new_string: 'a laptop with **Node 24** or later.' },
        {
          old_string: 'choose another one.',
          new_string: 'choose another one: `--port 8000`.\n\nElse look at the log.',
        },
      ],
      message: 'Say what to do if the port is taken',
    });
  } finally {
    await opened.close();
  }
}

const GETTING_STARTED = `---
tags: [guide, onboarding]
owner: Grace Hopper
aliases: [Start here]
---
# Getting Started

Everything that a new colleague needs in the first week. It is kept short on purpose. If you find a gap, close it.

## Before you begin

You need an account and a machine with **Node 24**. See [[Accounts]] for the first and [[Tools/Editor]] for the rest.

- Ask in the channel for an invitation
- Read [[Home]] and [[Guides/Style]]
- [ ] Say hello to the others

## Install

\`\`\`sh
npx -y pnpm@12 mcp --dir ~/wiki
\`\`\`

> A conflict is an answer, never a silent overwrite.

| Command | What it does |
| --- | --- |
| \`serve\` | shows the wiki in the browser |
| \`mcp\` | lets agents read and write |

### What can go wrong

If the port is taken, choose another one.

## Where to go next

Go on with [[Guides/Style]] and [[Nowhere Yet]]. ![[diagram.svg]]
`;

const STYLE = '# Style\n\nShort sentences. See [[Getting Started]] for an example of a page.\n';
const ACCOUNTS = '# Accounts\n\nAfter [[Guides/Getting Started]], ask for an account.\n';

const EVERYTHING = `# Everything

> [!warning] Careful
> This is a callout.

> [!note]- Folded
> This one is closed.

A ==mark==, a footnote[^1], math $a^2 + b^2$, a [foreign link](https://example.org/), an image from elsewhere
![cat](https://example.org/cat.png), and ![[Guides/Style]]

\`\`\`ts
// A comment
export const answer: number = 42; const text = 'string';
\`\`\`

1. one
   1. two

| left | right |
| :--- | ---: |
| ${'long cell '.repeat(12)} | ${'another '.repeat(12)} |

${'averyveryverylongword'.repeat(12)}

A formula in a line that is wider than a phone: $${'a_i + '.repeat(16)}z^{2^2}$, and text after it.

- [x] done
- [ ] to do

[^1]: The note.
`;

const DIAGRAM =
  '<svg xmlns="http://www.w3.org/2000/svg" width="480" height="120" viewBox="0 0 480 120"><g fill="none" stroke="#2a8a74" stroke-width="3"><rect x="10" y="35" width="120" height="50" rx="8"/><rect x="180" y="35" width="120" height="50" rx="8"/><rect x="350" y="35" width="120" height="50" rx="8"/><path d="M130 60h50M300 60h50"/></g></svg>';
