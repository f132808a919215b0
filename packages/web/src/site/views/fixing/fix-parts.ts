import type { CallInput, Output } from '@pagetree/wiki/contract';
import { html } from 'hono/html';
import type { Html } from '../../layout.ts';
import { fieldOf, type formOf } from '../../posts/own-posts.ts';
import type { ViewTools } from '../../view-tools.ts';

/** Fixes a link if the person has seen what this choice changes; otherwise says what it would change. */
export async function fixLinkOnceSeen(
  tools: ViewTools,
  form: ReturnType<typeof formOf>,
  input: CallInput<'fix_link'>,
  choice: string,
): Promise<{ plan: Output<'fix_link'> } | { fixed: Output<'fix_link'> }> {
  if (fieldOf(form, 'do') !== 'fix' || fieldOf(form, 'seen') !== choice)
    return { plan: await tools.change('fix_link', { ...input, dry_run: true }) };
  const message = fieldOf(form, 'message').trim() || undefined;
  const request_id = fieldOf(form, 'request_id');
  return { fixed: await tools.change('fix_link', { ...input, message, request_id }) };
}

/** The buttons of a form that fixes a problem: nothing is fixed before a person has seen what changes. */
export function fixButtons(fix: Html | string | null, problems: string): Html {
  return html`<p class="buttons">${
    fix === null
      ? ''
      : html`<button name="do" value="fix">${fix}</button>
`
  }<button${fix === null ? '' : html` class="second"`} name="do" value="look">See what changes</button>
<a href="${problems}">Cancel</a></p>`;
}

export function planSection(plan: Html): Html {
  return html`<section aria-labelledby="ui.plan"><h2 id="ui.plan">What changes</h2>${plan}</section>`;
}

/** For an address of a problem that somebody has fixed since. */
export function problemIsGone(what: 'link' | 'page', problems: string): Html {
  return html`<p role="status">The ${what} does not have this problem any more. <a href="${problems}">See the others</a>.</p>`;
}
