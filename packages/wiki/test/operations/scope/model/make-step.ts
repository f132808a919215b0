import { type ErrorCode, WikiError } from '../../../../src/contract/errors.ts';
import type { ScopedWiki } from './model-wiki.ts';
import type { Push, Step } from './random-steps.ts';
import { callOf } from './step-calls.ts';
import { type State, stateOf } from './wiki-state.ts';

/** Makes a step. A refusal is fine: a path may be taken, or lie outside of the scope. */
export async function makeStep(wiki: ScopedWiki, step: Step): Promise<void> {
  const state = await stateOf(wiki);
  if (step.by === 'git') return pushFiles(wiki, state, step.change);
  const question = callOf(state, step.change);
  if (question === null) return;
  await wiki.call(step.by, question).catch((error: unknown) => {
    if (!(error instanceof WikiError && REFUSALS.has(error.code))) throw error;
  });
}

const REFUSALS = new Set<ErrorCode>([
  'already_exists',
  'invalid_path',
  'invalid_input',
  'version_conflict',
  'not_found',
  'no_match',
  'ambiguous_match',
  'forbidden',
  'would_truncate',
]);

/** As a clone pushes: on the newest commit, or on the one before it, so that the wiki has to merge. */
async function pushFiles(wiki: ScopedWiki, { commits }: State, { files, beside }: Push): Promise<void> {
  const [head = '', before = head] = commits;
  const parent = beside ? before : head;
  await wiki.git(['read-tree', parent]);
  const lines: string[] = [];
  for (const { path, content } of files) {
    const blob = content && (await wiki.git(['hash-object', '-w', '--stdin'], { input: content }));
    const mode = path.endsWith('link') ? '120000' : '100644';
    lines.push(blob === null ? `0 ${'0'.repeat(40)}\t${path}\0` : `${mode} ${blob}\t${path}\0`);
  }
  await wiki.git(['update-index', '-z', '--index-info'], { input: lines.join('') });
  const tree = await wiki.git(['write-tree']);
  const pushed = await wiki.git(['commit-tree', '-m', 'Pushed with zebras', '-p', parent, tree]);
  await wiki.git(['update-ref', 'refs/heads/main', pushed]);
  // Before the wiki is asked, it has not brought in what was pushed.
  await wiki.call('everybody', { name: 'list_folder', input: {} });
}
