import { cpus, loadavg, totalmem } from 'node:os';
import type { BrokenLine } from '../log-lines.ts';

/** How every report begins: what it is, where and when it was measured, and what stood for what. */
export function opening(parts: {
  readonly title: string;
  readonly command: string;
  readonly began: string;
  readonly ended: string;
  readonly standIns: readonly string[];
}): string {
  const { title, command, began, ended, standIns } = parts;
  return [
    `# ${title}`,
    `    ${command}`,
    `Measured from ${minute(began)} to ${minute(ended)} (UTC), reported on ${machine()}.`,
    ...(standIns.length > 0
      ? ['What stands for what here:', standIns.map((each) => `- ${each}`).join('\n')]
      : []),
  ].join('\n\n');
}

/** A report of nothing says so. */
export function nothingMeasured(title: string, file: string): string {
  return `# ${title}\n\n${file} holds no result, so there is nothing to report.\n`;
}

/** Names each line that was no record; empty where there is none. */
export function brokenLines(file: string, broken: readonly BrokenLine[]): string {
  if (broken.length === 0) return '';
  const lines = broken.map(({ number, reason }) => `- line ${number}: ${reason}`);
  return `\n## Lines that could not be read\n\n${file} has ${broken.length}, which count for nothing here:\n\n${lines.join('\n')}\n`;
}

function minute(time: string): string {
  return time.slice(0, 16).replace('T', ' ');
}

function machine(): string {
  const [first] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  return `a machine with ${cpus().length} processors (${first?.model.trim() ?? 'unknown'}), ${memory} GiB of memory, Node ${process.version}, at a load of ${loadavg()[2]?.toFixed(1)} in the last quarter of an hour`;
}
