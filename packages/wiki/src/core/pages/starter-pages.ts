/** The first pages of a new wiki, by tree path. People and agents change them like any other page. */
export const starterPages: readonly { path: string; content: string }[] = [
  {
    path: 'Home.md',
    content: `# Home

This wiki is new. Everyone who can read it can also write it, people and agents alike, and every change is kept.

- [[How this wiki works]]: read this before you write.

Put links to the most important pages here, so that the next reader finds them.
`,
  },
  {
    path: 'How this wiki works.md',
    content: `# How this wiki works

Each page is a Markdown file in a git repository, and each change is a commit. Nothing that was written is lost.

## Find

- \`search_pages\` finds words in any language, \`list_pages\` lists what there is (newest first with \`sort: updated\`).
- \`read_page\` gives a page with its \`version\`. A long page comes in parts, and each answer names the next call.
- Look before you write: a second page about the same thing helps nobody.

## Write

- One subject a page. Its path is its address: \`Guides/Getting Started\`, without \`.md\`.
- Change a part with \`edit_page\`, add at the end with \`append_to_page\`. To replace a whole page, pass \`write_page\` the
  \`version\` that you read.
- \`version_conflict\` means that someone else was faster. The answer holds the page as it is now: make your change on that.
- Say in \`message\` why you change something. It is what people read in the history.
- After a timeout repeat the call with the same \`request_id\`: it is never applied twice.

## Link

- \`[[Page]]\`, \`[[Folder/Page|other text]]\`, \`[[Page#Heading]]\`, or ordinary Markdown links.
- A link to a page that does not exist yet is an invitation to write it. \`get_links\` finds these, and who links to a page.
- Rename with \`move_page\`, which rewrites the links to a page. Do not copy and delete.
- Frontmatter may give a page \`tags\` and \`aliases\`:

\`\`\`yaml
---
tags: [guide]
aliases: [Handbook]
---
\`\`\`

## Undo

\`get_history\` shows who changed what, \`diff_page\` shows the change, and \`restore_page\` brings a page back as it stood after
any commit, deleted pages too.
`,
  },
];
