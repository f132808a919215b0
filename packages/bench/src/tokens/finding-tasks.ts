import type { Task } from './task.ts';

const tags = 'docs/user/features/tags';
const templates = 'docs/user/features/templates';
const recipes = 'docs/user/recipes/recipes';

/** Tasks that only read. Paths of the other servers are those of files. */
export const findingTasks: readonly Task[] = [
  {
    name: 'orient: what is this wiki',
    async run(call) {
      await call('wiki_status', {});
      await call('list_folders', {});
      await call('read_page', { path: 'docs/user/index' });
    },
    filesystem: [
      ['list_directory', { path: 'docs' }],
      ['read_text_file', { path: 'docs/user/index.md' }],
    ],
    mcpvault: [
      ['list_directory', { path: 'docs' }],
      ['read_note', { path: 'docs/user/index.md' }],
    ],
  },
  {
    name: 'list all pages',
    async run(call) {
      await call('list_pages', { limit: 200 });
    },
    filesystem: [['search_files', { path: '.', pattern: '**/*.md' }]],
  },
  {
    name: 'list a folder',
    async run(call) {
      await call('list_pages', { prefix: 'docs/user/features/' });
    },
    filesystem: [['list_directory', { path: 'docs/user/features' }]],
    mcpvault: [['list_directory', { path: 'docs/user/features' }]],
  },
  {
    name: 'list the newest pages',
    async run(call) {
      await call('list_pages', { sort: 'updated', limit: 20 });
    },
  },
  {
    name: 'list the tags',
    async run(call) {
      await call('list_tags', {});
    },
    mcpvault: [['list_all_tags', {}]],
  },
  {
    name: 'read a page',
    async run(call) {
      await call('read_page', { path: tags });
    },
    filesystem: [['read_text_file', { path: `${tags}.md` }]],
    mcpvault: [['read_note', { path: `${tags}.md` }]],
  },
  {
    name: 'read a long page in parts',
    async run(call) {
      let { next_start_line } = await call('read_page', { path: templates, max_lines: 120 });
      while (typeof next_start_line === 'number') {
        const next = { path: templates, max_lines: 120, start_line: next_start_line };
        ({ next_start_line } = await call('read_page', next));
      }
    },
  },
  {
    name: 'look at the outline, read a section',
    async run(call) {
      const { outline } = await call('read_page', { path: templates, mode: 'outline' });
      const [, second] = outline as { text: string }[];
      await call('read_page', { path: templates, heading: second?.text ?? '' });
    },
  },
  {
    name: 'read three pages at once',
    async run(call) {
      await call('read_pages', { paths: [tags, recipes, 'docs/principles'] });
    },
    filesystem: [['read_multiple_files', { paths: [`${tags}.md`, `${recipes}.md`, 'docs/principles.md'] }]],
    mcpvault: [['read_multiple_notes', { paths: [`${tags}.md`, `${recipes}.md`, 'docs/principles.md'] }]],
  },
  {
    name: 'search a word',
    async run(call) {
      await call('search_pages', { query: 'wikilinks' });
    },
    mcpvault: [['search_notes', { query: 'wikilinks', limit: 10 }]],
  },
  {
    name: 'search several words, read the best page',
    async run(call) {
      const { hits } = await call('search_pages', { query: 'publish github pages', limit: 5 });
      await call('read_page', { path: (hits as { path: string }[])[0]?.path });
    },
    mcpvault: [
      ['search_notes', { query: 'publish github pages', limit: 5 }],
      ['read_note', { path: 'docs/user/publishing/publish-to-github-pages.md' }],
    ],
  },
  {
    name: 'search by an expression, with context',
    async run(call) {
      await call('search_pages', { query: 'foam\\.[a-z]+\\.[a-z]+', mode: 'regex', context_lines: 1 });
    },
  },
  {
    name: 'answer a question from passages',
    async run(call) {
      await call('search_pages', { query: 'how do I sync notes between devices', mode: 'passages' });
    },
  },
  {
    name: 'follow the links of a page',
    async run(call) {
      await call('get_links', { path: recipes });
    },
  },
  {
    name: 'what does this page rest on',
    async run(call) {
      await call('get_links', { path: 'docs/user/features/wikilinks' });
      await call('read_page', { path: 'docs/user/features/wikilinks' });
    },
  },
  {
    name: 'history of the wiki',
    async run(call) {
      await call('get_history', {});
    },
  },
  {
    name: 'catch up: what changed in a page',
    async run(call) {
      const { entries } = await call('get_history', { path: tags, limit: 5 });
      const commits = (entries as { commit: string }[]).map(({ commit }) => commit);
      await call('diff_page', { path: tags, from: commits.at(-1) });
    },
  },
  {
    name: 'who wrote this',
    async run(call) {
      await call('blame_page', { path: 'docs/principles' });
    },
  },
  {
    name: 'check the wiki',
    async run(call) {
      await call('check_wiki', {});
    },
  },
  {
    name: 'list the attachments',
    async run(call) {
      await call('list_attachments', {});
    },
  },
];
