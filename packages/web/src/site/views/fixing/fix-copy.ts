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
import { pageNow } from '../writing/page-now.ts';
import { rewrittenLinks } from '../writing/rewritten-links.ts';
import { fixButtons, planSection, problemIsGone } from './fix-parts.ts';

/** Two pages of nearly the same text. */
interface Pair {
  path: string;
  copy: string;
}

/** Keeps one of two near-copies, after a look at how they differ and at the links that change. */
export async function answerCopy(
  context: Context,
  tools: ViewTools,
  wiki: string,
  pair: Pair,
): Promise<Response> {
  const { path, copy } = pair;
  requireForm(context, tools, wiki, tools.mayChange(wiki, path) ? path : copy);
  if (context.req.method !== 'POST') {
    const versions = { path: await versionNow(tools, wiki, path), copy: await versionNow(tools, wiki, copy) };
    return look(context, tools, { wiki, pair, kept: tools.mayChange(wiki, path) ? copy : path, versions });
  }
  const form = formOf(context);
  const versions = { path: fieldOf(form, 'version'), copy: fieldOf(form, 'copy_version') };
  const kept = fieldOf(form, 'kept') === path ? path : copy;
  const asked = { wiki, pair, kept, versions, message: fieldOf(form, 'message').trim() };
  if (fieldOf(form, 'do') !== 'fix' || fieldOf(form, 'seen') !== kept) return look(context, tools, asked);
  try {
    await tools.change('delete_page', {
      ...deletionOf(asked),
      message: asked.message || undefined,
      request_id: fieldOf(form, 'request_id'),
    });
    return context.redirect(pageAddress(wiki, kept), 303);
  } catch (error) {
    return lookAgain(context, tools, asked, faultOf(context, tools, error));
  }
}

interface Asked {
  wiki: string;
  pair: Pair;
  kept: string;
  /** The versions that a person looked at; empty if there is no page. */
  versions: { path: string; copy: string };
  message?: string;
}

interface Shown extends Asked {
  plan?: Output<'delete_page'>;
  fault?: Fault;
}

async function look(context: Context, tools: ViewTools, asked: Asked): Promise<Response> {
  const { path, copy } = asked.versions;
  if (path === '' || copy === '') return show(context, tools, asked);
  try {
    const plan = await tools.change('delete_page', { ...deletionOf(asked), dry_run: true });
    return await show(context, tools, { ...asked, plan });
  } catch (error) {
    return lookAgain(context, tools, asked, faultOf(context, tools, error));
  }
}

/** Shows the form for the pages as they are now. */
async function lookAgain(
  context: Context,
  tools: ViewTools,
  { wiki, pair, ...asked }: Asked,
  fault: Fault,
): Promise<Response> {
  const versions = {
    path: await versionNow(tools, wiki, pair.path),
    copy: await versionNow(tools, wiki, pair.copy),
  };
  return show(context, tools, { ...asked, wiki, pair, versions, fault });
}

function deletionOf({ wiki, pair: { path, copy }, kept, versions }: Asked): CallInput<'delete_page'> {
  const [version, keptVersion] =
    kept === copy ? [versions.path, versions.copy] : [versions.copy, versions.path];
  const gone = kept === copy ? path : copy;
  return { wiki, path: gone, version, links_to: kept, links_to_version: keptVersion };
}

async function versionNow(tools: ViewTools, wiki: string, path: string): Promise<string> {
  return (await pageNow(tools, wiki, path))?.page.version ?? '';
}

async function show(context: Context, tools: ViewTools, shown: Shown): Promise<Response> {
  const { wiki, pair, versions, fault } = shown;
  const { path, copy } = pair;
  const problems = viewAddress(wiki, 'problems', { kind: 'near_copy' });
  const choices = [copy, path].filter((kept) => tools.mayChange(wiki, kept === copy ? path : copy));
  const isThere = versions.path !== '' && versions.copy !== '';
  const main = html`${crumbs(wiki, path)}
<h1>Keep one of two near-copies</h1>
${faultNote(fault?.sentence ?? null)}
${
  isThere
    ? html`<p>The texts of <a href="${pageAddress(wiki, path)}">${path}</a> and <a href="${pageAddress(wiki, copy)}">${copy}</a> are nearly the same.</p>
${copyForm(context, shown, choices, problems)}`
    : problemIsGone('page', problems)
}`;
  return tools.show(context, { wiki, title: 'Keep one of two near-copies', main }, fault?.status ?? 200);
}

function copyForm(
  context: Context,
  { wiki, pair, kept, versions, message = '', plan }: Shown,
  choices: readonly string[],
  problems: string,
): Html {
  const { path, copy } = pair;
  const other = (one: string) => (one === copy ? path : copy);
  return html`<form class="write" method="post" action="${viewAddress(wiki, 'fix', { kind: 'near_copy', path, copy })}">
${hiddenFields(context, { version: versions.path, copy_version: versions.copy, seen: plan === undefined ? '' : kept })}
<fieldset><legend>Keep</legend>
${choices.map(
  (each) =>
    html`<label class="check"><input type="radio" name="kept" value="${each}"${each === kept ? html` checked` : ''}> <span><bdi>${each}</bdi>, and delete <bdi>${other(each)}</bdi></span></label>
`,
)}</fieldset>
${plan === undefined ? '' : planSection(showPlan(wiki, plan, kept))}
${messageField(message, `Delete ${other(kept)}`)}
${fixButtons(plan === undefined ? null : html`Delete <bdi>${other(kept)}</bdi>`, problems)}
</form>`;
}

function showPlan(wiki: string, plan: Output<'delete_page'>, kept: string): Html {
  const { updated_pages: pages = [], updated_total: total = 0, difference = '' } = plan;
  return html`<p><bdi>${plan.path}</bdi> goes. Its history stays, and it can be restored from there.</p>
${rewrittenLinks(wiki, { ...plan, updated_pages: pages, updated_total: total })}
<h3>What <bdi>${kept}</bdi> says otherwise</h3>
${difference === '' ? html`<p>Nothing: the texts are the same.</p>` : showDiff(difference)}`;
}
