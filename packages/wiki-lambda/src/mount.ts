/** The mount that a directory lies on, as Linux lists it in /proc/self/mountinfo. */
export interface Mount {
  point: string;
  /** Such as `nfs4`. */
  type: string;
  /** Options of the mount and of its file system; null for an option without a value. */
  options: ReadonlyMap<string, string | null>;
}

/** Null if the text lists no mount above the directory. */
export function findMount(mountinfo: string, directory: string): Mount | null {
  const above = mountinfo
    .split('\n')
    .map(parseLine)
    .filter((mount) => mount !== null)
    .filter(({ point }) => directory === point || directory.startsWith(point === '/' ? '/' : `${point}/`));
  // If mounts are stacked, the last one counts.
  return above.reduce<Mount | null>(
    (deepest, mount) => (deepest === null || mount.point.length >= deepest.point.length ? mount : deepest),
    null,
  );
}

/** One line for wiki_status: the type and the options that matter. */
export function describeMount({ type, options }: Mount): string {
  const shown = [...options]
    .filter(([name]) => SHOWN_OPTIONS.has(name))
    .map(([name, value]) => (value === null ? name : `${name}=${value}`));
  return [type, ...shown].join(' ');
}

/** Faults of the mount for a wiki that many environments share, each in a sentence. */
export function mountProblems(mount: Mount | null, directory: string, readOnly: boolean): string[] {
  if (mount === null || !mount.type.startsWith('nfs')) return [notShared(mount, directory)];
  const { point, options } = mount;
  const problems: string[] = [];
  if (!options.has('hard')) {
    problems.push(`${point} is mounted "soft", so that a slow network can lose a write: mount it "hard".`);
  }
  if (options.get('vers') !== '4.1') {
    problems.push(
      `${point} is mounted with NFS ${options.get('vers')}, but only 4.1 is known to keep the wiki whole.`,
    );
  }
  if (!options.has('noresvport')) {
    problems.push(
      `${point} is mounted without "noresvport", so that it may hang after the network was interrupted.`,
    );
  }
  for (const option of ['rsize', 'wsize']) {
    const bytes = Number(options.get(option));
    if (bytes >= TRANSFER_BYTES) continue;
    problems.push(
      `${point} is mounted with ${option}=${bytes}, which costs time; ${TRANSFER_BYTES} is best.`,
    );
  }
  if (options.has('ro') && !readOnly) {
    problems.push(`${point} is mounted read-only, but PAGETREE_READ_ONLY is not set: every write will fail.`);
  }
  return problems;
}

/** The value that EFS recommends, and the maximum for one round trip. */
const TRANSFER_BYTES = 1_048_576;

const SHOWN_OPTIONS = new Set([
  'rw',
  'ro',
  'vers',
  'rsize',
  'wsize',
  'hard',
  'soft',
  'noresvport',
  'timeo',
  'retrans',
]);

function notShared(mount: Mount | null, directory: string): string {
  const type = mount?.type ?? 'an unknown file system';
  return `${directory} lies on ${type}, not on NFS: other machines do not see this wiki, and on Lambda it is lost with its environment.`;
}

/** proc(5) has the fields: the mount point is the fifth, and ` - ` stands before the file system's own. */
function parseLine(line: string): Mount | null {
  const [own = '', system = ''] = line.split(' - ');
  const [, , , , point, mountOptions] = own.split(' ');
  const [type, , superOptions] = system.split(' ');
  if (point === undefined || type === undefined) return null;
  // "rw" of the file system means nothing if the mount itself is read-only, so the mount's own options come
  // last.
  const options = [superOptions, mountOptions].flatMap((list) => list?.split(',') ?? []).map(parseOption);
  const merged = new Map(options);
  if (options.some(([name]) => name === 'ro')) merged.delete('rw');
  return { point: decodeOctal(point), type, options: merged };
}

function parseOption(option: string): [string, string | null] {
  const at = option.indexOf('=');
  return at === -1 ? [option, null] : [option.slice(0, at), option.slice(at + 1)];
}

/** Blanks, tabs, line ends and backslashes are written there in octal. */
function decodeOctal(text: string): string {
  return text.replaceAll(/\\([0-7]{3})/g, (_, octal: string) =>
    String.fromCharCode(Number.parseInt(octal, 8)),
  );
}
