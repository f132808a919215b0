/** The requests of one NFS mount to its server, since it was mounted or between two readings. */
export interface MountStatistics {
  /** Finished RPCs by the kernel's name of the operation (`OPEN`, `READ`, ...); unused ones are absent. */
  readonly rpcs: Readonly<Record<string, number>>;
  /** Bytes of file content that the server sent in answer to READ. */
  readonly bytesRead: number;
  /** Bytes of file content that WRITE sent to the server. */
  readonly bytesWritten: number;
}

/** Renews the lease of an idle client on a timer of its own: no operation's cost. */
export const LEASE_RENEWAL = 'SEQUENCE';

/**
 * The statistics of the mount at `mountPoint`, from the text of `/proc/self/mountstats`. Reading that file costs
 * no RPC.
 * @throws Error if no NFS mount is at `mountPoint` or its statistics are incomplete.
 */
export function parseMountStatistics(text: string, mountPoint: string): MountStatistics {
  const lines = nfsMountSection(text, mountPoint);
  // https://elixir.bootlin.com/linux/v6.1/source/include/linux/nfs_iostat.h#L38: normal read and written, direct
  // read and written, then what went over the wire.
  const bytes =
    lines
      .find((line) => line.startsWith('bytes:'))
      ?.match(/\d+/g)
      ?.map(Number) ?? [];
  const [, , , , bytesRead, bytesWritten] = bytes;
  const perOperation = lines.indexOf('per-op statistics');
  if (bytesRead === undefined || bytesWritten === undefined || perOperation === -1) {
    throw new Error(`The statistics of the NFS mount at ${mountPoint} are incomplete.`);
  }
  const counts = lines.slice(perOperation + 1).flatMap((line) => {
    const [, operation, requests] = /^([A-Z_]+): (\d+) /.exec(line) ?? [];
    return operation !== undefined && Number(requests) > 0 ? [[operation, Number(requests)] as const] : [];
  });
  return { rpcs: Object.fromEntries(counts), bytesRead, bytesWritten };
}

/** The difference between two readings of one mount. */
export function mountStatisticsBetween(earlier: MountStatistics, later: MountStatistics): MountStatistics {
  const counts = Object.entries(later.rpcs).flatMap(([operation, count]) => {
    const difference = count - (earlier.rpcs[operation] ?? 0);
    return difference > 0 ? [[operation, difference] as const] : [];
  });
  return {
    rpcs: Object.fromEntries(counts),
    bytesRead: later.bytesRead - earlier.bytesRead,
    bytesWritten: later.bytesWritten - earlier.bytesWritten,
  };
}

/** The number of RPCs, without the renewals of the lease. */
export function totalRpcs(statistics: MountStatistics): number {
  return Object.entries(statistics.rpcs)
    .filter(([operation]) => operation !== LEASE_RENEWAL)
    .reduce((sum, [, count]) => sum + count, 0);
}

/** The trimmed lines that describe the mount, from its `device` line on. A later mount hides an earlier one. */
function nfsMountSection(text: string, mountPoint: string): string[] {
  const section = text
    .split(/^(?=device )/m)
    .findLast((candidate) => candidate.includes(` mounted on ${mountPoint} with fstype nfs4`));
  if (section === undefined) throw new Error(`No NFS mount at ${mountPoint}.`);
  return section.split('\n').map((line) => line.trim());
}
