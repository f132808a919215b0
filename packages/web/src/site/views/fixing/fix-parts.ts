import { html } from 'hono/html';
import type { Html } from '../../layout.ts';

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
