import type { BrokenLine } from '../log-lines.ts';

/** The opening of every report: its subject, the place and time of the measurement, and the substitutes. */
export function opening(parts: {
  readonly title: string;
  readonly command: string;
  readonly began: string;
  readonly ended: string;
  /** Undefined if nobody wrote it down. */
  readonly machine: string | undefined;
  readonly standIns: readonly string[];
}): string {
  const { title, command, began, ended, machine, standIns } = parts;
  return [
    `# ${title}`,
    `    ${command}`,
    `Measured from ${minute(began)} to ${minute(ended)} (UTC)${machine === undefined ? '' : ` on ${machine}`}.`,
    ...(standIns.length > 0
      ? ['What stands for what here:', standIns.map((each) => `- ${each}`).join('\n')]
      : []),
  ].join('\n\n');
}

/** A report of nothing says so. */
export function nothingMeasured(title: string, file: string): string {
  return `# ${title}\n\n${file} holds no result, so there is nothing to report.\n`;
}

/** Names each line that was no record; empty if there is none. */
export function brokenLines(file: string, broken: readonly BrokenLine[]): string {
  if (broken.length === 0) return '';
  const lines = broken.map(({ number, reason }) => `- line ${number}: ${reason}`);
  return `\n## Lines that could not be read\n\n${file} has ${broken.length}, which count for nothing here:\n\n${lines.join('\n')}\n`;
}

function minute(time: string): string {
  return time.slice(0, 16).replace('T', ' ');
}
