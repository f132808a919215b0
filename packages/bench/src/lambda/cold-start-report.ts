import { type MountStatistics, totalRpcs } from '../../../../labs/nfs-lab/mount-statistics.ts';
import { table } from '../markdown-table.ts';
import type { ColdStart } from './cold-starts.ts';

/** So far away that waits for the network are longer than everything else. */
export const FAR_MS = 50;

/** The parts that ask the file server, of a start and of the call after it. */
type AskingPart = 'open' | 'read' | 'warmRead';

/**
 * Tells cold starts on the local disk beside those on NFS. In nfs-lab every system call takes longer, so its figures
 * are compared only with each other: what NFS adds is the number of its round trips.
 */
export function reportColdStarts(
  local: readonly ColdStart[],
  nfs: readonly ColdStart[],
  pages: number,
): string {
  const whole = nfs.filter(({ way }) => way === 'whole');
  const near = whole.filter(({ roundTripMs }) => roundTripMs === 0);
  const far = whole.filter(({ roundTripMs }) => roundTripMs === 1);
  const waits = (part: AskingPart) => roundTripsOf(nfs, part);
  const row = (label: string, part: NumberPart, roundTrips: string) => [
    label,
    shown(local, part),
    shown(near, part),
    shown(far, part),
    roundTrips,
  ];
  const waited = waits('open') + waits('read');
  const start = medianOf(local, 'total');
  const [counted] = nfs.filter(({ asked }) => asked !== null);
  return [
    `Cold starts, median of ${local.length} and the least, ${pages} pages, 512 MB:`,
    '',
    table(
      ['ms', 'local disk', 'nfs-lab, +0 ms', 'nfs-lab, +1 ms', 'round trips, one after another'],
      [
        row('runtime', 'runtime', '0'),
        row('import', 'import', '0'),
        row('open', 'open', waits('open').toFixed(0)),
        row('rest of the init phase', 'rest', '0'),
        row('first read', 'read', waits('read').toFixed(0)),
        row('all, as the caller sees it', 'total', waited.toFixed(0)),
        row('second read', 'warmRead', waits('warmRead').toFixed(0)),
        row('peak memory, MiB', 'memoryMib', ''),
      ],
    ),
    '',
    `Local disk and ${waited.toFixed(0)} round trips of 1 ms: ${(start + waited).toFixed(0)} ms.`,
    `RPCs to open: ${byKind(counted?.asked?.open)}.`,
    `RPCs of the first read: ${byKind(counted?.asked?.read)}.`,
  ].join('\n');
}

type NumberPart = Exclude<keyof ColdStart, 'asked' | 'way' | 'roundTripMs'>;

/**
 * The number of round trips in a part: computed from how much longer it takes if each round trip takes FAR_MS
 * longer.
 */
function roundTripsOf(starts: readonly ColdStart[], part: AskingPart): number {
  const parted = starts.filter(({ way }) => way === 'parted');
  const near = parted.filter(({ roundTripMs }) => roundTripMs === 0);
  const far = parted.filter(({ roundTripMs }) => roundTripMs === FAR_MS);
  return (leastOf(far, part) - leastOf(near, part)) / FAR_MS;
}

/** The median, and in brackets the least: what else a machine does makes a start slower, never faster. */
function shown(starts: readonly ColdStart[], part: NumberPart): string {
  return `${medianOf(starts, part).toFixed(0)} (${leastOf(starts, part).toFixed(0)})`;
}

function medianOf(starts: readonly ColdStart[], part: NumberPart): number {
  const sorted = starts.map((start) => start[part]).toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

function leastOf(starts: readonly ColdStart[], part: NumberPart): number {
  return Math.min(...starts.map((start) => start[part]));
}

function byKind(asked: MountStatistics | undefined): string {
  if (asked === undefined) return 'not counted';
  const kinds = Object.entries(asked.rpcs).map(([kind, count]) => `${kind} ${count}`);
  return `${totalRpcs(asked)} (${kinds.join(', ')}; ${(asked.bytesRead / 1e6).toFixed(2)} MB)`;
}
