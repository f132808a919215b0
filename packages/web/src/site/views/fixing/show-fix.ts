import type { Output } from '@pagetree/wiki/contract';
import type { Context } from 'hono';
import { html } from 'hono/html';
import { pageAddress, viewAddress } from '../../addresses.ts';
import type { Html } from '../../layout.ts';
import { showDiff } from '../history/show-rows.ts';
import { crumbs } from '../tree.ts';
import type { Fault } from '../writing/faults.ts';
import { faultNote, hiddenFields, messageField } from '../writing/form-parts.ts';
import { fixButtons, planSection, problemIsGone } from './fix-parts.ts';

/** A link with a problem, as check_wiki answers it. */
export interface Asked {
  kind: 'broken_link' | 'ambiguous_link' | 'superseded_link';
  path: string;
  line: number;
  target: string;
}

export interface Shown {
  choice?: string;
  message?: string;
  /** The version of the page for which the plan was made; without it the form is for the page as it is now. */
  version?: string;
  plan?: Output<'fix_link'>;
  fault?: Fault;
}

type Finding = Output<'check_wiki'>['findings'][number];

/** The value of the choice that makes a link plain text. No page has such a path. */
export const PLAIN_TEXT = '/';

interface Form {
  asked: Asked;
  /** Undefined if the link is not as it was any more. */
  finding: Finding | undefined;
  shown: Shown;
  /** The version of the page; null if there is none. */
  version: string | null;
}

/** The likely targets of a link, and what choosing one changes. */
export function fixForm(context: Context, wiki: string, { asked, finding, shown, version }: Form): Html {
  const { kind, path, line, target } = asked;
  const { choice, message = '', plan, fault } = shown;
  const problems = viewAddress(wiki, 'problems', { kind });
  const isThere = version !== null && (finding !== undefined || plan !== undefined);
  return html`${crumbs(wiki, path)}
<h1>Fix a link</h1>
${faultNote(fault?.sentence ?? null)}
<p>Line ${line} of <a href="${pageAddress(wiki, path)}">${path}</a> links to <code>${target}</code>.</p>
${
  isThere
    ? html`<form class="write" method="post" action="${viewAddress(wiki, 'fix', { kind, path, line: String(line), target })}">
${hiddenFields(context, { version, seen: plan === undefined ? '' : (choice ?? '') })}
${choices(finding, choice)}
${plan === undefined ? '' : planSection(showDiff(plan.diff))}
${messageField(message, `Fix a link of ${path}`)}
${fixButtons(plan === undefined ? null : 'Fix it', problems)}
</form>
${finding?.missing === undefined ? '' : html`<p>Or <a href="${pageAddress(wiki, finding.missing, { view: 'edit' })}">write the missing page</a>.</p>`}`
    : problemIsGone('link', problems)
}`;
}

function choices(finding: Finding | undefined, choice: string | undefined): Html {
  const { leads_to: leadsTo, suggestions = [] } = finding ?? {};
  const paths = [...(leadsTo === undefined ? [] : [leadsTo]), ...suggestions];
  const chosen = choice ?? paths[0] ?? PLAIN_TEXT;
  const isOther = chosen !== PLAIN_TEXT && !paths.includes(chosen);
  const option = (value: string, label: Html | string) =>
    html`<label class="check"><input type="radio" name="to" value="${value}"${value === chosen ? html` checked` : ''}> ${label}</label>
`;
  return html`<fieldset><legend>Let it lead to</legend>
${paths.map((each) => option(each, html`<bdi>${each}</bdi>${each === leadsTo ? ', as now' : ''}`))}${option(PLAIN_TEXT, 'nothing: make it plain text')}</fieldset>
<label for="ui.other">Or to another page or file, by its path</label>
<input id="ui.other" name="other" value="${isOther ? chosen : ''}" autocomplete="off">`;
}
