import type { Task } from './task.ts';

const cake =
  '# Cake\n\n| part | g |\n| --- | --- |\n| flour | 200 |\n| sugar | 100 |\n\n## Oven\n\n180 degrees.\n';
const oneEdit = [{ old_string: '| sugar | 100 |', new_string: '| sugar | 80 |\n| salt | 2 |' }];
const commands = 'docs/user/features/commands';

/** Tasks that write. */
export const writingTasks: readonly Task[] = [
  {
    name: 'write a new page',
    async run(call) {
      await call('write_page', { path: 'Kitchen/Cake', content: cake, message: 'Begin with cake' });
    },
    filesystem: [
      ['create_directory', { path: 'Kitchen' }],
      ['write_file', { path: 'Kitchen/Cake.md', content: cake }],
    ],
    mcpvault: [['write_note', { path: 'Kitchen/Cake.md', content: cake }]],
  },
  {
    name: 'edit a table',
    async run(call) {
      const { version } = await call('read_page', { path: 'Kitchen/Cake' });
      await call('edit_page', { path: 'Kitchen/Cake', version, edits: oneEdit });
    },
    filesystem: [
      ['read_text_file', { path: 'Kitchen/Cake.md' }],
      [
        'edit_file',
        {
          path: 'Kitchen/Cake.md',
          edits: oneEdit.map(({ old_string, new_string }) => ({ oldText: old_string, newText: new_string })),
        },
      ],
    ],
    mcpvault: [
      ['read_note', { path: 'Kitchen/Cake.md' }],
      ['patch_note', { path: 'Kitchen/Cake.md', oldString: '| sugar | 100 |', newString: '| sugar | 80 |' }],
    ],
  },
  {
    name: 'append to a log',
    async run(call) {
      for (const day of ['Monday', 'Tuesday', 'Wednesday']) {
        await call('append_to_page', { path: 'Kitchen/Log', content: `- ${day}: cake` });
      }
    },
  },
  {
    name: 'edit a section and the frontmatter',
    async run(call) {
      const path = 'Kitchen/Cake';
      await call('edit_section', { path, heading: 'Oven', operation: 'append', content: 'Middle rack.' });
      await call('update_frontmatter', { path, set: { status: 'final', tags: ['baking'] } });
    },
    mcpvault: [
      ['update_frontmatter', { path: 'Kitchen/Cake.md', frontmatter: { status: 'final', tags: ['baking'] } }],
    ],
  },
  {
    name: 'refactor: move a page that others link to',
    async run(call) {
      await call('move_page', { path: commands, new_path: 'docs/user/reference/commands', dry_run: true });
      await call('move_page', { path: commands, new_path: 'docs/user/reference/commands' });
    },
    filesystem: [
      ['create_directory', { path: 'docs/user/reference' }],
      ['move_file', { source: `${commands}.md`, destination: 'docs/user/reference/commands.md' }],
    ],
    mcpvault: [['move_note', { oldPath: `${commands}.md`, newPath: 'docs/user/reference/commands.md' }]],
  },
  {
    name: 'refactor: split a page in one commit',
    async run(call) {
      const { version } = await call('read_page', { path: 'Kitchen/Cake' });
      await call('commit_changes', {
        message: 'Split cake',
        changes: [
          { op: 'write', path: 'Kitchen/Oven', content: '# Oven\n\n180 degrees.\n' },
          {
            op: 'edit',
            path: 'Kitchen/Cake',
            version,
            edits: [{ old_string: '180 degrees.', new_string: 'See [[Oven]].' }],
          },
          { op: 'append', path: 'Kitchen/Log', content: '- split' },
        ],
      });
    },
  },
  {
    name: 'resolve a conflict',
    async run(call) {
      const path = 'Kitchen/Cake';
      const { version } = await call('read_page', { path });
      await call('edit_page', { path, edits: [{ old_string: 'flour | 200', new_string: 'flour | 250' }] });
      const edits = [{ old_string: 'Middle rack.', new_string: 'Upper rack.' }];
      await call('write_page', { path, version, content: cake });
      const now = await call('read_page', { path });
      await call('edit_page', { path, version: now.version, edits });
    },
  },
  {
    name: 'fix broken links',
    async run(call) {
      await call('write_page', { path: 'Kitchen/Menu', content: '# Menu\n\n[[Caek]] and [[Ovens]]\n' });
      await call('check_wiki', { kinds: ['broken_link'], prefix: 'Kitchen/' });
      const edits = [
        { old_string: '[[Caek]]', new_string: '[[Cake]]' },
        { old_string: '[[Ovens]]', new_string: '[[Oven]]' },
      ];
      await call('edit_page', { path: 'Kitchen/Menu', edits });
    },
  },
  {
    name: 'undo: restore a page, revert a commit',
    async run(call) {
      const { entries } = await call('get_history', { path: 'Kitchen/Cake', limit: 5 });
      const commits = (entries as { commit: string }[]).map(({ commit }) => commit);
      await call('restore_page', { path: 'Kitchen/Cake', commit: commits.at(-1) });
      const { entries: all } = await call('get_history', { limit: 3 });
      await call('revert_commit', { commit: (all as { commit: string }[])[0]?.commit });
    },
  },
  {
    name: 'delete a page',
    async run(call) {
      const { version } = await call('read_page', { path: 'Kitchen/Oven' });
      await call('delete_page', { path: 'Kitchen/Oven', version });
    },
    mcpvault: [['delete_note', { path: 'Kitchen/Cake.md', confirmPath: 'Kitchen/Cake.md' }]],
  },
];
