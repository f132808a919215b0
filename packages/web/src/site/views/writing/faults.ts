import { type ErrorCode, toWikiError, type WikiError } from '@pagetree/wiki/contract';
import type { Context } from 'hono';
import { type ErrorStatus, statusOfFailure } from '../../error-page.ts';
import type { ViewTools } from '../../view-tools.ts';

/** The reason why a change was refused, in the words of a person: the errors of the wiki are for agents. */
export interface Fault {
  sentence: string;
  status: ErrorStatus;
}

export function faultOf(context: Context, tools: ViewTools, thrown: unknown): Fault {
  const error = toWikiError(thrown);
  const status = statusOfFailure(context, tools, error);
  return { sentence: SENTENCES[error.code] ?? sentenceOf(error), status };
}

const SENTENCES: Partial<Record<ErrorCode, string>> = {
  busy: 'The wiki is busy, and nothing was changed. Send the form again in a moment.',
  backend_unavailable: 'The wiki cannot be reached. Send the form again in a moment.',
  write_state_unknown:
    'The wiki does not know whether this was saved. Send the form again: nothing is saved twice.',
  internal: 'The wiki failed. Send the form again; the terminal in which the server runs says more.',
};

function sentenceOf({ code, text, data }: WikiError): string {
  if (data.reason === 'request_reused')
    return 'This form was sent before, with something else. Send it again.';
  const fields = Array.isArray(data.fields) ? data.fields.map(String) : [];
  if (code !== 'invalid_input' || fields.length === 0) return text.happened;
  if (fields.includes('message')) return 'The reason for the history is too long.';
  if (fields.includes('path') || fields.includes('new_path')) return 'This name is too long, or empty.';
  return 'A part of this form does not fit. Open it again, and copy your text into it.';
}
