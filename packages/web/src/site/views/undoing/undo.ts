import { type CallInput, type Output, toWikiError } from '@pagetree/wiki/contract';
import type { Context } from 'hono';
import { html } from 'hono/html';
import { commitAddress, viewAddress } from '../../addresses.ts';
import { fieldOf, formOf } from '../../posts/own-posts.ts';
import { startOfDay } from '../../times.ts';
import type { ViewTools } from '../../view-tools.ts';
import { type Fault, faultOf } from '../writing/faults.ts';
import { faultNote } from '../writing/form-parts.ts';
import { chooserForm, undoForm, type Wanted } from './show-undo.ts';

/** Undoes one commit, or all that somebody did since a moment, after a look at what that changes. */
export async function answerUndo(context: Context, tools: ViewTools, wiki: string): Promise<Response> {
  if (context.req.method !== 'POST') return showUndo(context, tools, wiki, { wanted: wantedIn(context) });
  const form = formOf(context);
  const field = (name: string) => fieldOf(form, name);
  const wanted = {
    commit: field('commit'),
    agent: field('agent'),
    author: field('author'),
    since: field('since'),
  };
  const message = field('message').trim();
  const leave = form.getAll('leave').filter((path) => typeof path === 'string');
  if (field('do') !== 'undo') return showUndo(context, tools, wiki, { wanted, message, leave });
  try {
    const done = await tools.change('undo_changes', {
      ...inputFor(wiki, wanted),
      leave,
      as_of: field('as_of') || undefined,
      message: message || undefined,
      request_id: field('request_id'),
    });
    if (done.changed && done.commit !== null) return context.redirect(commitAddress(wiki, done.commit), 303);
    return await showUndo(context, tools, wiki, { wanted, message, leave });
  } catch (error) {
    const fault = faultOf(context, tools, error);
    return showUndo(context, tools, wiki, { wanted, message, leave, fault });
  }
}

function wantedIn(context: Context): Wanted {
  const { commit = '', agent = '', author = '', since = '' } = context.req.query();
  return { commit, agent, author, since: startOfDay(since.trim()) };
}

function inputFor(wiki: string, { commit, agent, author, since }: Wanted): CallInput<'undo_changes'> {
  return {
    wiki,
    commit: commit || undefined,
    agent: agent || undefined,
    author: author || undefined,
    since: since || undefined,
  };
}

interface Shown {
  wanted: Wanted;
  message?: string;
  /** The files that stay as they are; without it those that cannot be undone. */
  leave?: string[];
  fault?: Fault;
}

async function showUndo(
  context: Context,
  tools: ViewTools,
  wiki: string,
  { wanted, message = '', leave, fault }: Shown,
): Promise<Response> {
  const isAsked = Object.values(wanted).some((value) => value !== '');
  const looked = isAsked ? await look(context, tools, inputFor(wiki, wanted), leave) : null;
  const [plan, problem] = looked === null || 'sentence' in looked ? [null, looked] : [looked, null];
  const shown = fault ?? problem;
  const main = html`<h1>Undo ${wanted.commit === '' ? 'what somebody did' : 'a change'}</h1>
${faultNote(shown?.sentence ?? null)}
${wanted.commit === '' ? chooserForm(viewAddress(wiki, 'undo'), wanted) : ''}
${plan === null ? '' : undoForm(context, wiki, { plan, wanted, message, leave })}`;
  return tools.show(context, { wiki, title: 'Undo', main }, shown?.status ?? 200);
}

/** What the undo would change, or why it cannot be said. */
async function look(
  context: Context,
  tools: ViewTools,
  input: CallInput<'undo_changes'>,
  leave: string[] | undefined,
): Promise<Output<'undo_changes'> | Fault> {
  try {
    return await tools.change('undo_changes', { ...input, leave, dry_run: true });
  } catch (error) {
    if (toWikiError(error).code !== 'invalid_input') throw error;
    const fault = faultOf(context, tools, error);
    const fields = toWikiError(error).data.fields;
    if (!Array.isArray(fields) || !fields.includes('since')) return fault;
    return {
      ...fault,
      sentence: 'This moment is not understood. Write a day, yesterday, or the id of a change.',
    };
  }
}
