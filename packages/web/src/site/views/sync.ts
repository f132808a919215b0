import { type ShownSync, toWikiError } from '@pagetree/wiki/contract';
import type { Context } from 'hono';
import { html } from 'hono/html';
import { viewAddress } from '../addresses.ts';
import { isolated } from '../error-page.ts';
import type { Html } from '../layout.ts';
import { showTime } from '../times.ts';
import type { ViewTools } from '../view-tools.ts';
import { hiddenFields } from './writing/form-parts.ts';

/** The remote of a wiki, for those who may know of it: how the last sync went, and the button that asks for one. */
export async function showSync(context: Context, tools: ViewTools, wiki: string): Promise<Html | ''> {
  if (tools.isStatic) return '';
  const { sync } = await tools.ask('wiki_status', { wiki });
  if (sync === null) return '';
  const { remote, state, words, in_step_at: inStepAt } = sync;
  return html`<section class="sync" aria-labelledby="ui.sync">
<h2 id="ui.sync">Sync with ${isolated(remote)}</h2>
<p>${isolated(words)}</p>
<p class="hint">${state === 'in_step' ? 'Both sides were in step' : 'Both sides were last in step'} ${inStepAt === null ? 'never' : showTime(inStepAt)}. ${nextOf(sync)} <a href="${viewAddress(wiki, 'problems', { kind: 'conflict' })}">Conflicts</a></p>
${
  tools.mayChange(wiki, '')
    ? html`<form method="post" action="${viewAddress(wiki, 'sync')}">
${hiddenFields(context)}
<p class="buttons"><button class="second">Sync now</button></p>
</form>
`
    : ''
}</section>
`;
}

function nextOf({ next_at: next }: ShownSync): Html | string {
  if (next === null || Date.parse(next) <= Date.now())
    return 'A sync is due, and begins soon: reload this page to see how it went.';
  return html`The next sync is ${showTime(next)}.`;
}

/** Asks for a sync, and shows the page that says how the last one went. */
export async function answerSync(context: Context, tools: ViewTools, wiki: string): Promise<Response> {
  if (context.req.method === 'POST' && !(await askAsOwner(tools, wiki)))
    await tools.change('sync_wiki', { wiki });
  return context.redirect(viewAddress(wiki, 'problems'), 303);
}

/**
 * The owner may have cured why syncs fail, and need not wait for the pause after that. False for others, who may ask where
 * agents may.
 */
async function askAsOwner(tools: ViewTools, wiki: string): Promise<boolean> {
  try {
    const { remote, report } = await tools.ask('get_remote', { wiki });
    if (remote === null || report === null || ASKED_TO_WAIT.has(report.state)) return true;
    await tools.change('report_sync', {
      wiki,
      url: remote.url,
      report: { ...report, next_at: Math.min(report.next_at ?? 0, Date.now()) },
    });
    return true;
  } catch (error) {
    if (toWikiError(error).code === 'forbidden') return false;
    throw error;
  }
}

/** States in which the remote itself may have asked for the pause. */
const ASKED_TO_WAIT: ReadonlySet<string> = new Set(['rate_limited', 'server_error']);
