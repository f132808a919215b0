import { type Fault, fault } from './fault.ts';

/**
 * A fault in the headers of a commit or a tag as a whole: each must be a line, and no line may hold a NUL
 * byte.
 */
export function headersFault(bytes: Buffer): Fault | null {
  const blank = bytes.indexOf('\n\n');
  const end = blank < 0 ? bytes.length : blank;
  const nul = bytes.indexOf(0);
  if (nul >= 0 && nul < end) return fault('nulInHeader', 'its headers hold a NUL byte');
  if (blank < 0 && bytes.at(-1) !== LINE_FEED) {
    return fault('unterminatedHeader', 'its last header does not end with a line feed');
  }
  return null;
}

/** A fault in the name, email or date of an author, committer or tagger. */
export function identityFault(line: string, who: string): Fault | null {
  const open = line.search(/[<>]/);
  if (open === 0 && line.startsWith('<')) {
    return fault('missingNameBeforeEmail', `its ${who} has no space before the email`);
  }
  if (line[open] === '>') return fault('badName', `the name of its ${who} holds ">"`);
  if (open < 0) return fault('missingEmail', `its ${who} has no email`);
  if (line[open - 1] !== ' ') {
    return fault('missingSpaceBeforeEmail', `its ${who} has no space before the email`);
  }
  const length = line.slice(open + 1).search(/[<>]/);
  const close = open + 1 + length;
  if (length < 0 || line[close] === '<') return fault('badEmail', `the email of its ${who} does not end`);
  if (line[close + 1] !== ' ')
    return fault('missingSpaceBeforeDate', `its ${who} has no space before the date`);
  return dateFault(line.slice(close + 2), who);
}

function dateFault(date: string, who: string): Fault | null {
  const [, seconds, zone] = /^(\d+) (.*)$/s.exec(date) ?? [];
  if (/^0[^ ]/.test(date)) return fault('zeroPaddedDate', `the date of its ${who} begins with a zero`);
  if (seconds === undefined || zone === undefined)
    return fault('badDate', `the date of its ${who} is no number`);
  if (
    seconds.length > MAX_SECONDS.length ||
    (seconds.length === MAX_SECONDS.length && seconds > MAX_SECONDS)
  ) {
    return fault('badDateOverflow', `the date of its ${who} is too large`);
  }
  return /^[+-]\d{4}$/.test(zone) ? null : fault('badTimezone', `the time zone of its ${who} is none`);
}

/** The largest number of seconds that fits into 63 bits. */
const MAX_SECONDS = '9223372036854775807';
export const LINE_FEED = 0x0a;
