import { nextAtTerminal, toWikiError } from '@pagetree/wiki/contract';

/** An answer by a status of HTTP. Git shows the sentence after `remote: `. */
export class Refusal extends Error {
  readonly status: number;
  readonly headers: Record<string, string>;

  constructor(status: number, sentence: string, headers: Record<string, string> = {}) {
    super(sentence);
    this.status = status;
    this.headers = headers;
  }

  response(): Response {
    const headers = {
      'Content-Type': 'text/plain; charset=utf-8',
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    };
    return new Response(`${this.message}\n`, {
      status: this.status,
      headers: { ...headers, ...this.headers },
    });
  }
}

/** The refusal of a request whose operation failed. */
export function refusalFor(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  return new Refusal(STATUSES[toWikiError(error).code] ?? 500, wordsOf(error));
}

/** An error in the words for a person at a terminal, in one line. */
export function wordsOf(error: unknown): string {
  const { code, text } = toWikiError(error);
  // The next step after "There is no wiki" is a command line of ours, and git has another one.
  const last = code === 'not_found' ? text.now : nextAtTerminal(text);
  return `${text.happened} ${last}`.replaceAll(/\s+/g, ' ');
}

const STATUSES: Partial<Record<string, number>> = {
  not_found: 404,
  forbidden: 403,
  invalid_input: 400,
  too_large: 413,
  busy: 503,
  backend_unavailable: 503,
};
