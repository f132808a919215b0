import type { Output } from '@pagetree/wiki/contract';
import type { Context } from 'hono';
import { html } from 'hono/html';
import { fileAddress, pageAddress } from '../../addresses.ts';
import type { Html } from '../../layout.ts';
import { fieldOf, formOf } from '../../posts/own-posts.ts';
import type { ViewTools } from '../../view-tools.ts';
import { crumbs } from '../tree.ts';
import { type Fault, faultOf } from './faults.ts';
import { faultNote, hiddenFields, messageField } from './form-parts.ts';
import { andMore, rewrittenLinks } from './rewritten-links.ts';

/** Moves or renames a page, after a look at everything else that changes with it. */
export async function answerMove(
  context: Context,
  tools: ViewTools,
  wiki: string,
  path: string,
): Promise<Response> {
  if (context.req.method !== 'POST') {
    const { page } = await tools.ask('view_page', { wiki, path });
    return showMove(context, tools, { wiki, path, to: path, message: '', version: page?.version ?? '' });
  }
  const form = formOf(context);
  const asked = {
    wiki,
    path,
    to: fieldOf(form, 'new_path').trim(),
    message: fieldOf(form, 'message').trim(),
    version: fieldOf(form, 'version'),
  };
  const input = { wiki, path, new_path: asked.to, version: asked.version };
  try {
    // A person sees what changes before it does, also if they wrote another path since.
    if (fieldOf(form, 'do') !== 'move' || fieldOf(form, 'seen') !== asked.to) {
      const plan = await tools.change('move_page', { ...input, dry_run: true });
      return await showMove(context, tools, { ...asked, plan });
    }
    const moved = await tools.change('move_page', {
      ...input,
      message: asked.message || undefined,
      request_id: fieldOf(form, 'request_id'),
    });
    return context.redirect(pageAddress(wiki, moved.path), 303);
  } catch (error) {
    return showMove(context, tools, { ...asked, fault: faultOf(context, tools, error) });
  }
}

interface Shown {
  wiki: string;
  path: string;
  to: string;
  message: string;
  version: string;
  plan?: Output<'move_page'>;
  fault?: Fault;
}

async function showMove(
  context: Context,
  tools: ViewTools,
  { wiki, path, to, message, version, plan, fault }: Shown,
): Promise<Response> {
  const main = html`${crumbs(wiki, path)}
<h1>Move <a href="${pageAddress(wiki, path)}">${path.split('/').at(-1) ?? path}</a></h1>
${faultNote(fault?.sentence ?? null)}
<form class="write" method="post" action="${pageAddress(wiki, path, { view: 'move' })}">
${hiddenFields(context, { version, seen: plan === undefined ? '' : to })}
<label for="ui.to">New path, with its folders</label>
<input id="ui.to" name="new_path" value="${to}" required autocomplete="off">
${messageField(message, `Move ${path} to …`)}
${plan === undefined ? '' : showPlan(wiki, plan)}
<p class="buttons">${
    plan === undefined
      ? ''
      : html`<button name="do" value="move">Move</button>
`
  }<button${plan === undefined ? '' : html` class="second"`} name="do" value="look">See what changes</button>
<a href="${pageAddress(wiki, path)}">Cancel</a></p>
</form>`;
  return tools.show(context, { wiki, title: `Move ${path}`, main }, fault?.status ?? 200);
}

/** What a move would change, from a dry run. */
function showPlan(wiki: string, plan: Output<'move_page'>): Html {
  const { moved_files: files = [] } = plan;
  return html`<section aria-labelledby="ui.plan"><h2 id="ui.plan">What changes</h2>
<p><bdi>${plan.previous_path}</bdi> becomes <bdi>${plan.path}</bdi>.</p>
${rewrittenLinks(wiki, plan)}
${
  files.length === 0
    ? ''
    : html`<h3>Files that move along</h3>
<ul>${files.map((file) => html`<li><a href="${fileAddress(wiki, file.previous_path)}">${file.previous_path}</a> becomes ${file.path}</li>`)}</ul>${andMore((plan.moved_files_total ?? 0) - files.length)}`
}
</section>`;
}
