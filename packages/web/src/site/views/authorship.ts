import { html } from 'hono/html';
import type { Html } from '../layout.ts';

/** The author of a change and the agent used. */
export function showAuthor({ author, agent }: { author: string; agent: string | null }): Html {
  const name = author.replace(/ <[^>]*>$/, '');
  return html`<span class="author">${name}</span>${
    agent === null ? '' : html` <span class="agent">through ${agent}</span>`
  }`;
}

export function firstLine(message: string): string {
  return message.split('\n')[0] ?? '';
}

/** The reason for a change: the first line, which may be a link to it, and the rest of the message. */
export function showMessage(message: string, address?: string): Html {
  const first = firstLine(message);
  const more = message.slice(first.length).trim();
  return html`<p class="message">${address === undefined ? first : html`<a href="${address}">${first || 'No message'}</a>`}</p>${more === '' ? '' : html`<p class="reason">${more}</p>`}`;
}
