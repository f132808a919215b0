import type { Output } from '@pagetree/wiki/contract';
import type { Context } from 'hono';
import { html } from 'hono/html';
import { pageAddress, viewAddress } from '../../addresses.ts';
import type { Html } from '../../layout.ts';
import { fieldOf, formOf } from '../../posts/own-posts.ts';
import type { ViewTools } from '../../view-tools.ts';
import { diffRows } from '../history/diff-rows.ts';
import { showRows } from '../history/show-rows.ts';
import { type Draft, showEditForm } from './edit-form.ts';
import { type Fault, faultOf } from './faults.ts';
import { hiddenFields } from './form-parts.ts';

/** Settles a conflict that a sync left: a person keeps the wiki's version, takes the other one, or edits the merge. */
export async function answerSettle(
  context: Context,
  tools: ViewTools,
  wiki: string,
  path: string,
): Promise<Response> {
  if (context.req.method !== 'POST') return showConflict(context, tools, wiki, path);
  const form = formOf(context);
  const version = fieldOf(form, 'version') || undefined;
  const asked = { wiki, path, request_id: fieldOf(form, 'request_id') };
  try {
    if (fieldOf(form, 'do') === 'delete') {
      await tools.change('delete_page', { ...asked, version: version ?? '' });
      return context.redirect(pageAddress(wiki, path, { view: 'history' }), 303);
    }
    const isKept = fieldOf(form, 'do') === 'keep';
    const restored = await tools.change('restore_page', {
      ...asked,
      version,
      commit: fieldOf(form, isKept ? 'ours' : 'theirs'),
      message: isKept ? `Keep ${path} as it is` : `Take the other version of ${path}`,
    });
    return context.redirect(pageAddress(wiki, restored.path), 303);
  } catch (error) {
    return showConflict(context, tools, wiki, path, faultOf(context, tools, error));
  }
}

type Conflict = NonNullable<Output<'view_conflict'>['conflict']>;

async function showConflict(
  context: Context,
  tools: ViewTools,
  wiki: string,
  path: string,
  fault?: Fault,
): Promise<Response> {
  const { commit, conflict } = await tools.ask('view_conflict', { wiki, path });
  const shown = { wiki, path, ...(fault && { fault }) };
  if (commit === null || conflict === null) {
    const others = viewAddress(wiki, 'problems', { kind: 'conflict' });
    const intro = html`<p role="status">This page has no conflict any more. <a href="${others}">See the others</a>.</p>`;
    return showEditForm(context, tools, { ...shown, draft: null, intro });
  }
  const { diff, ...counted } = await tools.ask('diff_page', {
    wiki,
    path,
    from: commit,
    to: conflict.theirs_commit,
  });
  const details = html`<h2>What the other version has otherwise</h2>
${showRows({ ...counted, rows: diffRows(diff) })}`;
  const intro = choices(context, wiki, path, { commit, conflict });
  return showEditForm(context, tools, { ...shown, draft: draftOf(commit, conflict), intro, details });
}

function draftOf(commit: string, { ours, merged }: Conflict): Draft | null {
  if (ours === null || merged === null) return null;
  const { content, conflicts } = merged;
  return { content, message: '', version: ours, at: commit, marked: conflicts > 0 };
}

function choices(
  context: Context,
  wiki: string,
  path: string,
  { commit, conflict }: { commit: string; conflict: Conflict },
): Html {
  const { ours, theirs, theirs_commit: at, merged } = conflict;
  const other = html`<a href="${pageAddress(wiki, path, { at })}">the other version</a>`;
  const said =
    ours === null
      ? html`This page was deleted here, and changed on the other side: see ${other}. To keep it deleted, take that version and delete it.`
      : theirs === null
        ? 'This page was changed here, and deleted on the other side.'
        : html`This page was changed here and on the other side: see ${other}.${merged === null ? '' : ' The form below has both: where they differ, each side stands between lines of marks.'}`;
  const button = (
    action: string,
    name: string,
  ) => html`<button class="second" name="do" value="${action}">${name}</button>
`;
  return html`<p>${said}</p>
<form method="post" action="${pageAddress(wiki, path, { view: 'conflict' })}">
${hiddenFields(context, { version: ours ?? '', ours: commit, theirs: at })}
<p class="buttons">${ours === null ? '' : button('keep', 'Keep the version here')}${
    theirs === null ? button('delete', 'Delete the page') : button('take', 'Take the other version')
  }</p>
</form>`;
}
