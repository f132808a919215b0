import type { Clause } from './words-query.ts';

/** A clause in the language of FTS5. Terms contain no quotation marks, so they need no escaping. */
export function phrase({ terms, prefix }: Clause): string {
  return `"${terms.join(' ')}"${prefix ? ' *' : ''}`;
}
