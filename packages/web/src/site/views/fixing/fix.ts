import { type CallInput, limits } from '@pagetree/wiki/contract';
import type { Context } from 'hono';
import { pageAddress } from '../../addresses.ts';
import { fieldOf, formOf } from '../../posts/own-posts.ts';
import type { ViewTools } from '../../view-tools.ts';
import { faultOf } from '../writing/faults.ts';
import { requireForm } from '../writing/form-parts.ts';
import { pageNow } from '../writing/page-now.ts';
import { answerCopy } from './fix-copy.ts';
import { answerOrphan } from './fix-orphan.ts';
import { fixLinkOnceSeen } from './fix-parts.ts';
import { type Asked, fixForm, PLAIN_TEXT, type Shown } from './show-fix.ts';

/** Fixes a problem that check_wiki found, after a look at what that changes. */
export function answerFix(context: Context, tools: ViewTools, wiki: string): Promise<Response> | Response {
  const { kind, path = '', copy = '' } = context.req.query();
  if (kind === 'orphan' && path !== '') return answerOrphan(context, tools, wiki, path);
  if (kind === 'near_copy' && path !== '' && copy !== '')
    return answerCopy(context, tools, wiki, { path, copy });
  return answerLink(context, tools, wiki);
}

async function answerLink(context: Context, tools: ViewTools, wiki: string): Promise<Response> {
  const asked = askedIn(context);
  if (asked === null) return tools.notFound(context);
  requireForm(context, tools, wiki, asked.path);
  if (context.req.method !== 'POST') return showFix(context, tools, wiki, asked, {});
  const form = formOf(context);
  const written = fieldOf(form, 'other').trim();
  const choice = written || fieldOf(form, 'to');
  const message = fieldOf(form, 'message').trim();
  const input: CallInput<'fix_link'> = {
    wiki,
    path: asked.path,
    line: asked.line,
    target: asked.target,
    version: fieldOf(form, 'version'),
    to: choice === PLAIN_TEXT ? undefined : choice,
  };
  try {
    const done = await fixLinkOnceSeen(tools, form, input, choice);
    return 'fixed' in done
      ? context.redirect(pageAddress(wiki, done.fixed.path), 303)
      : await showFix(context, tools, wiki, asked, { choice, message, version: input.version, ...done });
  } catch (error) {
    return showFix(context, tools, wiki, asked, { choice, message, fault: faultOf(context, tools, error) });
  }
}

const KINDS: readonly Asked['kind'][] = ['broken_link', 'ambiguous_link', 'superseded_link'];

function askedIn(context: Context): Asked | null {
  const { kind, path = '', line, target = '' } = context.req.query();
  const known = KINDS.find((each) => each === kind);
  const number = Number(line);
  if (known === undefined || path === '' || !Number.isSafeInteger(number) || number < 1) return null;
  return { kind: known, path, line: number, target };
}

async function showFix(
  context: Context,
  tools: ViewTools,
  wiki: string,
  asked: Asked,
  shown: Shown,
): Promise<Response> {
  const { kind, path, line, target } = asked;
  const version = shown.version ?? (await pageNow(tools, wiki, path))?.page.version ?? null;
  const limit = limits.listMost;
  const { findings } = await tools.ask('check_wiki', { wiki, kinds: [kind], prefix: path, line, limit });
  const finding = findings.find((each) => each.path === path && each.line === line && each.target === target);
  const main = fixForm(context, wiki, { asked, finding, shown, version });
  return tools.show(context, { wiki, title: 'Fix a link', main }, shown.fault?.status ?? 200);
}
