import type { Output } from '@pagetree/wiki/contract';
import type { Context } from 'hono';
import { html } from 'hono/html';
import { commitAddress, fileAddress, pageAddress, viewAddress } from '../../addresses.ts';
import type { Html } from '../../layout.ts';
import { showTime } from '../../times.ts';
import { showAuthor, showMessage } from '../authorship.ts';
import { showDiff } from '../history/show-rows.ts';
import { hiddenFields, messageField } from '../writing/form-parts.ts';

/** The commits that a person wants to undo; empty for none. */
export interface Wanted {
  commit: string;
  agent: string;
  author: string;
  since: string;
}

type Plan = Output<'undo_changes'>;
type File = Plan['files'][number];

/** Asks whose changes since when. It changes nothing. */
export function chooserForm(address: string, { agent, author, since }: Wanted): Html {
  return html`<form class="filters" action="${address}">
<label>Agent <input name="agent" value="${agent}"></label>
<label>Author <input name="author" value="${author}"></label>
<label>Since <input name="since" value="${since}" required placeholder="yesterday" autocomplete="off"></label>
<button class="second">See what that undoes</button>
</form>
<p class="hint">Since is a day such as 2026-10-05, a time in words such as yesterday or 3 days ago, or the id of the last change that stays.</p>`;
}

interface ShownPlan {
  plan: Plan;
  wanted: Wanted;
  message: string;
  leave: readonly string[] | undefined;
}

/** The commits and what undoing them changes, with the button that does. */
export function undoForm(context: Context, wiki: string, { plan, wanted, message, leave }: ShownPlan): Html {
  const { commits, files, files_total: total } = plan;
  const inTheWay = files.filter(({ state }) => state === 'conflict');
  const others = files.filter(({ state }) => state === 'undone' || state === 'merged');
  const isDone = total > 0 && files.length === total && inTheWay.length + others.length === 0;
  const { commit, agent, author } = wanted;
  const hidden = { commit, agent, author, since: plan.since ?? '', as_of: plan.as_of ?? '' };
  // A file that cannot be undone is left unless the person says otherwise.
  const isLeft = (file: File) => leave?.includes(file.path) ?? file.state === 'conflict';
  const show = (file: File) => oneFile(wiki, plan, file, isLeft(file));
  return html`<section aria-labelledby="ui.undone"><h2 id="ui.undone">${commits.length === 1 ? 'This will be undone' : html`These ${commits.length} changes will be undone`}</h2>
${commits.length === 0 ? html`<p role="status">There are none.</p>` : ''}
<ol class="changes">${commits.map((each) => oneCommit(wiki, each))}</ol>
${plan.merges_left_out === 0 ? '' : html`<p class="notice">${plan.merges_left_out} merges of others' work are left as they are.</p>`}
${plan.leaves_out_files ? html`<p class="notice">Files that you cannot change from here were changed too. They stay as they are.</p>` : ''}
</section>
${isDone ? html`<p role="status">All of it is undone already.</p>` : ''}
${
  inTheWay.length + others.length === 0
    ? ''
    : html`<form class="write" method="post" action="${viewAddress(wiki, 'undo')}">
${hiddenFields(context, hidden)}
${list('What stands in the way', inTheWay, show)}
${list('What changes', others, show)}
${total > files.length ? html`<p class="notice">And ${total - files.length} more files, which are not shown.</p>` : ''}
${retargeted(wiki, plan)}
${messageField(message, commits.length === 1 ? 'Undo a change' : `Undo ${commits.length} changes`)}
<p class="buttons"><button name="do" value="undo">Undo</button>
<button class="second" name="do" value="look">Look again</button>
<a href="${commit === '' ? viewAddress(wiki, 'changes') : commitAddress(wiki, commit)}">Cancel</a></p>
</form>`
}`;
}

function oneCommit(wiki: string, commit: Plan['commits'][number]): Html {
  return html`<li>${showMessage(commit.message, commitAddress(wiki, commit.commit))}
<p class="who">${showTime(commit.date)} · ${showAuthor(commit)}</p></li>
`;
}

function list(title: string, files: readonly File[], show: (file: File) => Html): Html | '' {
  if (files.length === 0) return '';
  return html`<h2>${title}</h2>
<ul class="undone">${files.map(show)}</ul>`;
}

function oneFile(wiki: string, plan: Plan, file: File, isLeft: boolean): Html {
  const { path, action, state, is_page: isPage, diff, theirs, others } = file;
  const address = isPage ? pageAddress(wiki, path, { view: 'history' }) : fileAddress(wiki, path);
  return html`<li><p><span class="action ${action}">${action}</span> <a href="${address}">${path}</a></p>
${state === 'conflict' ? html`<p class="hint">${whyNot(plan, file)}</p>` : ''}
${state === 'merged' ? html`<p class="hint">What others changed here since stays.</p>` : ''}
${others.length === 0 ? '' : html`<ul class="touched">${others.map((each) => html`<li><a href="${commitAddress(wiki, each.commit)}">${each.message || 'A change'}</a> · ${showTime(each.date)} · ${showAuthor(each)}</li>`)}</ul>`}
<label class="check"><input type="checkbox" name="leave" value="${path}"${isLeft ? html` checked` : ''}> Leave <bdi>${path}</bdi> as it is</label>
${
  diff === '' && theirs === ''
    ? ''
    : html`<details${state === 'conflict' ? html` open` : ''}><summary>The change</summary><div class="both">
<div><h3>What undoing changes</h3>${showDiff(diff)}</div>
${theirs === '' ? '' : html`<div><h3>What others changed since</h3>${showDiff(theirs)}</div>`}</div></details>`
}</li>
`;
}

function whyNot({ leaves_out_files: leavesOut }: Plan, { is_page: isPage, action, theirs }: File): string {
  if (leavesOut && action === 'deleted' && theirs === '') {
    return 'It may have come from a place that you cannot change from here. Delete it by hand if it is not needed.';
  }
  if (!isPage) return 'The file was replaced since.';
  if (action === 'modified' && theirs !== '') return 'Others changed the same lines since.';
  return 'Others changed, moved or deleted the page since.';
}

function retargeted(wiki: string, { retargeted: links = [], retargeted_total: total }: Plan): Html | '' {
  if (links.length === 0) return '';
  return html`<h2>Links that will lead elsewhere</h2>
<ul>${links.map((each) => html`<li><code>${each.link}</code> on <a href="${pageAddress(wiki, each.page)}">${each.page}</a>, to ${each.new_target ?? 'nowhere'}</li>`)}</ul>
${(total ?? 0) > links.length ? html`<p>And ${(total ?? 0) - links.length} more.</p>` : ''}`;
}
