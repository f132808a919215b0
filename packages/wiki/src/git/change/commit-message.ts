import type { Author } from '../../contract/wiki.ts';

/**
 * The message of a commit that the wiki makes: the author's text, then one paragraph of trailers. Git takes
 * trailers from the last paragraph only, so text of an author can never pass for one of ours.
 */
export function composeMessage(text: string, agent: string | null, trailers: readonly string[]): string {
  const name = agent === null ? '' : oneLine(agent);
  const ours = name === '' ? trailers : [`${AGENT}${name}`, ...trailers];
  const said = cleanText(text);
  return ours.length === 0 ? `${said}\n` : `${said}\n\n${ours.join('\n')}\n`;
}

/** The message without the trailers that composeMessage adds, and the agent that they name. */
export function splitMessage(message: string): { text: string; agent: string | null } {
  const text = message.replace(/\s+$/, '');
  const lines = text.split('\n');
  const start = lines.lastIndexOf('') + 1;
  const last = lines.slice(start);
  // The first paragraph is the subject of the commit, never trailers.
  if (start === 0 || !last.every((line) => TRAILER.test(line))) return { text, agent: null };
  const agent = last.findLast((line) => line.startsWith(AGENT))?.slice(AGENT.length) ?? null;
  const kept = last.filter((line) => !OUR_TRAILER.test(line));
  return { text: [...lines.slice(0, start), ...kept].join('\n').trimEnd(), agent };
}

/**
 * An author in a form that git can store: one line each, without the characters that separate name, email and
 * date.
 */
export function cleanAuthor({ name, email }: Author): Author {
  return { name: identityPart(name) || 'Unknown', email: identityPart(email) };
}

function identityPart(text: string): string {
  // Git cuts the same characters off both ends.
  return oneLine(text)
    .replace(/[<>]/g, '')
    .replace(/^[\s.,:;"'\\]+|[\s,:;"'\\]+$/g, '');
}

function oneLine(text: string): string {
  const visible = text.toWellFormed().replace(CONTROLS, ' ').replace(INVISIBLE, '');
  const line = visible.replace(/\s+/g, ' ').trimStart();
  return bounded(line, MAX_ONE_LINE).trimEnd();
}

function cleanText(text: string): string {
  const lines = bounded(text.toWellFormed(), MAX_TEXT)
    .replace(/\r\n?/g, '\n')
    .split('\n')
    .map((line) => line.replace(CONTROLS, ' ').trimEnd())
    .map((line) => (MESSAGE_END.test(line) ? ` ${line}` : line));
  const said = lines
    .join('\n')
    .replace(/^\n+|\n+$/g, '')
    .replace(/\n{3,}/g, '\n\n');
  return said === '' ? 'Change the wiki' : said;
}

function bounded(text: string, most: number): string {
  // Cut between characters, not within a surrogate pair.
  return text.length <= most ? text : text.slice(0, most).replace(/[\ud800-\udbff]$/, '');
}

const AGENT = 'Agent: ';
const TRAILER = /^[A-Za-z0-9-]+: /;
const OUR_TRAILER = /^(?:Agent|Request-Id|Request-Digest|Nonce): /;
/**
 * Git treats such lines as the end of a message: the begin of a patch, or the part that `commit --verbose`
 * cuts off.
 */
const MESSAGE_END = /^(?:---(?:\s|$)|.{1,4} -{24} >8 -{24}$)/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove.
const CONTROLS = /[\x00-\x08\x0a-\x1f\x7f]/g;
/**
 * Characters that turn the text after them around, or make two names look the same. Joiners stay, which some scripts need.
 */
const INVISIBLE =
  /[\u0080-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/gu;
const MAX_TEXT = 20_000;
const MAX_ONE_LINE = 200;
