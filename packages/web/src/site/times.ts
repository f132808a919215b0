import { html } from 'hono/html';

/** In a form for people, in the time zone of the serving machine. */
export function showTime(iso: string) {
  return html`<time datetime="${iso}">${DATE_TIME.format(new Date(iso))}</time>`;
}

/** In a form that is the same on every machine, for pages that are files. */
export function showTimeAnywhere(iso: string) {
  return html`<time datetime="${iso}">${iso.slice(0, 10)}</time>`;
}

export function dayOf(iso: string): string {
  return DAY.format(new Date(iso));
}

export function showClock(iso: string) {
  return html`<time datetime="${iso}">${CLOCK.format(new Date(iso))}</time>`;
}

/** The first millisecond of a day such as 2026-10-05, where the server is. Any other text is left as it is. */
export function startOfDay(text: string): string {
  return startAfter(text, 0)?.toISOString() ?? text;
}

/** The last millisecond of such a day. A day is not always 24 hours long. */
export function endOfDay(text: string): string {
  const next = startAfter(text, 1);
  return next === null ? text : new Date(next.getTime() - 1).toISOString();
}

/** Null for a text that is no day, such as 2026-02-30. */
function startAfter(text: string, days: number): Date | null {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text)?.map(Number) ?? [];
  if (year === undefined || month === undefined || day === undefined) return null;
  const first = new Date(year, month - 1, day);
  const isDay = first.getFullYear() === year && first.getMonth() === month - 1 && first.getDate() === day;
  if (!isDay) return null;
  return new Date(year, month - 1, day + days);
}

const DATE_TIME = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full' });
const CLOCK = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short' });
