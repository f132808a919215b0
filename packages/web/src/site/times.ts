import { html } from 'hono/html';

/** In a form for people, in the time zone of the serving machine. */
export function showTime(iso: string) {
  return html`<time datetime="${iso}">${DATE_TIME.format(new Date(iso))}</time>`;
}

export function dayOf(iso: string): string {
  return DAY.format(new Date(iso));
}

export function showClock(iso: string) {
  return html`<time datetime="${iso}">${CLOCK.format(new Date(iso))}</time>`;
}

const DATE_TIME = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full' });
const CLOCK = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short' });
