import { table } from '../markdown-table.ts';
import { percentile } from '../percentile.ts';
import type { Watcher } from './watcher.ts';

export interface Written {
  writer: number;
  /** The number of this change among those of the writer. */
  count: number;
  commit: string;
  /** The time at which the writer had its answer. */
  atMs: number;
}

export interface Measured {
  written: readonly Written[];
  watchers: readonly Pick<Watcher, 'events' | 'seen' | 'away'>[];
  /** The commits of the wiki, oldest first. */
  order: readonly string[];
  memory: { beginBytes: number; endBytes: number };
  processorMs: number;
  seconds: number;
}

export interface Latencies {
  /** The times of watchers that were connected. */
  event: number[];
  shown: number[];
  /** From the time at which a watcher came back to the change that it had missed. */
  back: number[];
  lostEvents: number;
  lostShown: number;
}

/** The times from a change to each watcher, in milliseconds. */
export function latenciesOf({ written, watchers, order }: Measured): Latencies {
  const places = new Map(order.map((commit, place) => [commit, place]));
  const found: Latencies = { event: [], shown: [], back: [], lostEvents: 0, lostShown: 0 };
  for (const { events, seen, away } of watchers) {
    for (const { writer, count, commit, atMs } of written) {
      const place = places.get(commit) ?? Number.POSITIVE_INFINITY;
      const event = events.find((each) => (places.get(each.commit) ?? -1) >= place);
      const shown = seen.find(({ counts }) => (counts[writer] ?? 0) >= count);
      if (event === undefined) found.lostEvents += 1;
      if (shown === undefined) found.lostShown += 1;
      if (event === undefined || shown === undefined) continue;
      const missed = away.find(({ fromMs, untilMs }) => fromMs - EVENT_MS <= atMs && atMs <= untilMs);
      if (missed !== undefined) found.back.push(Math.max(0, shown.atMs - missed.untilMs));
      else {
        // A watcher may see a change before its writer has the answer.
        found.event.push(Math.max(0, event.atMs - atMs));
        found.shown.push(Math.max(0, shown.atMs - atMs));
      }
    }
  }
  return found;
}

/** A change this long before a connection broke may not have been sent by then. */
const EVENT_MS = 1_000;

export function reportLive(measured: Measured): string {
  const { written, watchers, memory, seconds, processorMs } = measured;
  const { event, shown, back, lostEvents, lostShown } = latenciesOf(measured);
  const reconnects = watchers.reduce((sum, { away }) => sum + away.length, 0);
  const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`;
  const row = (name: string, values: readonly number[], aim: string) => [
    name,
    aim,
    ...[0.5, 0.95, 1].map((share) => `${percentile(values, share).toFixed(0)} ms`),
  ];
  return [
    `${watchers.length} watchers of one page, ${written.length} changes in ${seconds.toFixed(0)} s, ${reconnects} reconnects.`,
    '',
    table(
      ['from the change', 'p95 aimed at', 'p50', 'p95', 'max'],
      [
        row('to the event', event, '1000 ms'),
        row('to the page that shows it', shown, '1000 ms'),
        row('from coming back to the page that shows what was missed', back, ''),
      ],
    ),
    '',
    table(
      ['', ''],
      [
        ['updates lost, as events', lostEvents],
        ['updates lost, as pages', lostShown],
        ['memory of the server at the beginning', megabytes(memory.beginBytes)],
        ['memory of the server at the end', megabytes(memory.endBytes)],
        ['processor of the server', `${(processorMs / seconds / 10).toFixed(0)} %`],
      ],
    ),
  ].join('\n');
}
