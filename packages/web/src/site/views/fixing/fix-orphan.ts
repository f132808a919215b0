import type { CallInput, Output } from '@pagetree/wiki/contract';
import type { Context } from 'hono';
import { html } from 'hono/html';
import { pageAddress, viewAddress } from '../../addresses.ts';
import type { Html } from '../../layout.ts';
import { fieldOf, formOf } from '../../posts/own-posts.ts';
import type { ViewTools } from '../../view-tools.ts';
import { showDiff } from '../history/show-rows.ts';
import { crumbs } from '../tree.ts';
import { type Fault, faultOf } from '../writing/faults.ts';
import { faultNote, hiddenFields, messageField, requireForm } from '../writing/form-parts.ts';
import { fixButtons, fixLinkOnceSeen, planSection, problemIsGone } from './fix-parts.ts';

/** Links an orphan page from a line that mentions it, after a look at that change. */
export async function answerOrphan(
  context: Context,
  tools: ViewTools,
  wiki: string,
  path: string,
): Promise<Response> {
  requireForm(context, tools, wiki, path);
  if (context.req.method !== 'POST') return showOrphan(context, tools, { wiki, path });
  const form = formOf(context);
  const choice = fieldOf(form, 'mention');
  const message = fieldOf(form, 'message').trim();
  const input: CallInput<'fix_link'> = { wiki, ...readMention(choice), mention: true, to: path };
  try {
    const done = await fixLinkOnceSeen(tools, form, input, choice);
    return 'fixed' in done
      ? context.redirect(pageAddress(wiki, done.fixed.path), 303)
      : await showOrphan(context, tools, { wiki, path, choice, message, ...done });
  } catch (error) {
    return showOrphan(context, tools, { wiki, path, choice, message, fault: faultOf(context, tools, error) });
  }
}

type Mention = Output<'list_mentions'>['mentions'][number];

interface Shown {
  wiki: string;
  path: string;
  choice?: string;
  message?: string;
  plan?: Output<'fix_link'>;
  fault?: Fault;
}

async function showOrphan(context: Context, tools: ViewTools, shown: Shown): Promise<Response> {
  const { wiki, path, plan, fault } = shown;
  const problems = viewAddress(wiki, 'problems', { kind: 'orphan' });
  const { exists, linked_from: linking } = await tools.ask('get_links', { wiki, path });
  const isOrphan = exists && linking.every((each) => each === path);
  const main = html`${crumbs(wiki, path)}
<h1>Link an orphan page</h1>
${faultNote(fault?.sentence ?? null)}
${
  isOrphan || plan !== undefined
    ? html`<p>No other page links to <a href="${pageAddress(wiki, path)}">${path}</a>.</p>
${orphanForm(context, shown, await tools.ask('list_mentions', { wiki, path }))}
<p>Or <a href="${pageAddress(wiki, path, { view: 'delete' })}">delete the page</a>.</p>`
    : problemIsGone('page', problems)
}`;
  return tools.show(context, { wiki, title: 'Link an orphan page', main }, fault?.status ?? 200);
}

function orphanForm(
  context: Context,
  { wiki, path, choice, message = '', plan }: Shown,
  { mentions, truncated }: Output<'list_mentions'>,
): Html {
  const more = truncated ? html`<p>There may be more.</p>` : '';
  if (mentions.length === 0) {
    return html`<p role="status">No line that can be changed mentions it by its title, its name or an alias.</p>
${more}`;
  }
  const values = mentions.map(writeMention);
  const chosen = values.find((each) => each === choice) ?? values[0];
  const problems = viewAddress(wiki, 'problems', { kind: 'orphan' });
  return html`<form class="write" method="post" action="${viewAddress(wiki, 'fix', { kind: 'orphan', path })}">
${hiddenFields(context, { seen: plan === undefined ? '' : (choice ?? '') })}
<fieldset><legend>Make a link of the words</legend>
${mentions.map(
  (each, index) =>
    html`<label class="check"><input type="radio" name="mention" value="${values[index]}"${values[index] === chosen ? html` checked` : ''}> <span>${lineOf(each)}</span></label>
`,
)}</fieldset>
${more}
${plan === undefined ? '' : planSection(showDiff(plan.diff))}
${messageField(message, 'Add a link of …')}
${fixButtons(plan === undefined ? null : 'Fix it', problems)}
</form>`;
}

function lineOf({ path, line, before, text, after }: Mention): Html {
  return html`<bdi>${path}</bdi>, line ${line}: <bdi>${before}<mark>${text}</mark>${after}</bdi>`;
}

/** A mention as the value of a choice. */
function writeMention({ path, version, line, text }: Mention): string {
  return new URLSearchParams({ path, version, line: String(line), text }).toString();
}

function readMention(value: string) {
  const fields = new URLSearchParams(value);
  const field = (name: string) => fields.get(name) ?? '';
  return {
    path: field('path'),
    version: field('version'),
    line: Number(field('line')),
    target: field('text'),
  };
}
