/**
 * A time in people's words, from its first to its last millisecond. Days are UTC days; weeks begin on Monday.
 */
export interface Period {
  start: Date;
  end: Date;
}

/**
 * Parses `2026`, `2026-10`, `2026-10-05`, a date and time in ISO 8601, `now`, `yesterday`, `Monday` (the newest one, today
 * included), `last Monday` (the one before today), `last week`, `3 days ago` or `last seven days`. Returns null for anything else: JavaScript's own parser reads `foo 1` as a day in 2001.
 */
export function readPeriod(text: string, now: Date): Period | null {
  const wanted = text.trim().replace(/\s+/g, ' ').toLowerCase();
  return readIso(wanted) ?? readNamed(wanted, now) ?? readAgo(wanted, now) ?? readLast(wanted, now);
}

/** The beginning of a time that a caller gave. Its schema has validated it. */
export function startOf(text: string | undefined, now: Date): Date | undefined {
  return text === undefined ? undefined : readPeriod(text, now)?.start;
}

/** The end of a time that a caller gave. */
export function endOf(text: string | undefined, now: Date): Date | undefined {
  return text === undefined ? undefined : readPeriod(text, now)?.end;
}

function readIso(text: string): Period | null {
  const [, year, month, day, time, zone = 'z'] = ISO.exec(text) ?? [];
  if (year === undefined) return null;
  if (time !== undefined) {
    const instant = new Date(`${year}-${month}-${day}T${time}${zone}`.toUpperCase());
    return isDay(Number(year), Number(month), Number(day)) ? periodOf(instant, instant) : null;
  }
  const at = { year: Number(year), month: Number(month ?? 1) - 1, day: Number(day ?? 1) };
  if (!isDay(at.year, at.month + 1, at.day)) return null;
  const unit = day !== undefined ? 'day' : month !== undefined ? 'month' : 'year';
  return whole(unit, new Date(Date.UTC(at.year, at.month, at.day)));
}

const ISO = /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:[t ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(z|[+-]\d\d:\d\d)?)?)?)?$/;

/** True if the calendar has the day: JavaScript reads 30 February as 2 March. */
function isDay(year: number, month: number, day: number): boolean {
  return new Date(Date.UTC(year, month - 1, day)).getUTCMonth() === month - 1;
}

function readNamed(text: string, now: Date): Period | null {
  if (text === 'now') return periodOf(now, now);
  if (text === 'today') return whole('day', now);
  if (text === 'yesterday') return whole('day', back(now, 'day', 1));
  const [, before, weekday = ''] = /^(last )?([a-z]+day)$/.exec(text) ?? [];
  if (WEEKDAYS.includes(weekday)) {
    const days = (now.getUTCDay() - WEEKDAYS.indexOf(weekday) + 7) % 7;
    return whole('day', back(now, 'day', days === 0 && before !== undefined ? 7 : days));
  }
  const [, which, unit] = /^(this|last) (week|month|year)$/.exec(text) ?? [];
  if (unit === undefined) return null;
  const current = whole(unit as Unit, now);
  return which === 'this' ? current : whole(unit as Unit, new Date(current.start.getTime() - 1));
}

function readAgo(text: string, now: Date): Period | null {
  const [, written = '', unit] = AGO.exec(text) ?? [];
  const count = countOf(written);
  if (count === null) return null;
  const then = back(now, unit as Unit, count);
  return unit === 'minute' || unit === 'hour' ? periodOf(then, then) : whole('day', then);
}

const AGO = /^(\w+) (minute|hour|day|week|month|year)s? ago$/;

/** `last 7 days`: from the day or the minute so long ago until now. */
function readLast(text: string, now: Date): Period | null {
  const [, written = '', unit] = LAST.exec(text) ?? [];
  const count = countOf(written);
  if (count === null) return null;
  const then = back(now, unit as Unit, count);
  const isTime = unit === 'minute' || unit === 'hour';
  const start = isTime ? periodOf(then, then) : whole('day', then);
  return start === null ? null : periodOf(start.start, now);
}

const LAST = /^(?:the )?(?:last|past) (\w+) (minute|hour|day|week|month|year)s?$/;

function countOf(written: string): number | null {
  if (/^\d{1,4}$/.test(written)) return Number(written);
  if (written === 'a' || written === 'an') return 1;
  const place = NUMBERS.indexOf(written);
  return place === -1 ? null : place + 1;
}

const NUMBERS = [
  ...['one', 'two', 'three', 'four', 'five', 'six'],
  ...['seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'],
];
const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

type Unit = 'minute' | 'hour' | 'day' | 'week' | 'month' | 'year';

function back(now: Date, unit: Unit, count: number): Date {
  const milliseconds = MILLISECONDS[unit];
  if (milliseconds !== undefined) return new Date(now.getTime() - count * milliseconds);
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth() - count * (unit === 'year' ? 12 : 1)];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return new Date(Date.UTC(year, month, Math.min(now.getUTCDate(), lastDay)));
}

const DAY = 86_400_000;
const MILLISECONDS: Partial<Record<Unit, number>> = {
  minute: 60_000,
  hour: 3_600_000,
  day: DAY,
  week: 7 * DAY,
};

/** The day, week, month or year that contains `date`. */
function whole(unit: Unit, date: Date): Period {
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  const monday = day - ((date.getUTCDay() + 6) % 7);
  if (unit === 'year') return between([year, 0, 1], [year + 1, 0, 1]);
  if (unit === 'month') return between([year, month, 1], [year, month + 1, 1]);
  if (unit === 'week') return between([year, month, monday], [year, month, monday + 7]);
  return between([year, month, day], [year, month, day + 1]);
}

type Day = readonly [year: number, month: number, day: number];

function between(start: Day, next: Day): Period {
  return { start: new Date(Date.UTC(...start)), end: new Date(Date.UTC(...next) - 1) };
}

function periodOf(start: Date, end: Date): Period | null {
  return Number.isNaN(start.getTime()) ? null : { start, end };
}
