/**
 * The factor by which work takes longer here and now than on an idle machine of 2 cores, at least 1: on busy
 * cores the same work takes up to four times the CPU time. Multiply a bound in CPU time by it.
 */
export function slowness(): number {
  // The first run of a process compiles it.
  return Math.max(1, Math.min(cpuMsOf(fixedWork), cpuMsOf(fixedWork)) / IDLE_MS);
}

/**
 * CPU time that the work would take on an idle machine, in milliseconds. It is for bounds of at least ten times what the
 * work usually takes: these fail if the work grows with the square of its input, and never on a slow or busy machine.
 */
export function idleCpuMsOf(work: () => unknown): number {
  const before = slowness();
  const used = cpuMsOf(work);
  return used / Math.max(before, slowness());
}

/** CPU time of this thread: what else runs on the machine does not count, but for what it does to the caches. */
export function cpuMsOf(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

/** CPU time of `fixedWork` on the idle machine, once it is compiled: the least of many runs. */
const IDLE_MS = 20;

/** The kind of work that pages cause: strings, regular expressions, and many small objects. */
function fixedWork(): number {
  let found = 0;
  for (let round = 0; round < 4; round += 1) {
    const rows = Array.from({ length: 10_000 }, (_, at) => ({
      at,
      text: `# Heading ${at} of [[${round}]]\n`,
    }));
    const text = rows.map((row) => row.text).join('');
    for (const match of text.matchAll(/\[\[(\d+)\]\]/g)) found += Number(match[1]);
    found += text.split('\n').length + new Set(rows.map((row) => row.text)).size;
  }
  return found;
}
