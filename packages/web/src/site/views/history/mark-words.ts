import { html } from 'hono/html';
import type { Html } from '../../layout.ts';

/** The text with the words of a query marked, in any case; `word*` marks the beginning of longer words. */
export function markWords(text: string, query: string): Html {
  const words = query.match(/[\p{L}\p{N}]+/gu) ?? [];
  if (words.length === 0) return html`${text}`;
  const longestFirst = words.toSorted((a, b) => b.length - a.length).slice(0, MAX_WORDS);
  // Letters and digits only: no character has a special meaning in a regular expression.
  const parts = text.split(new RegExp(`(${longestFirst.join('|')})`, 'giu'));
  return html`${parts.map((part, index) => (index % 2 === 1 ? html`<mark>${part}</mark>` : part))}`;
}

const MAX_WORDS = 20;
