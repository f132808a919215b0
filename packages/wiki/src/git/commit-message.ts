import type { Author } from '../contract/wiki.ts';

/**
 * The message of a commit that the wiki makes: what the author says, then one paragraph of trailers. Git takes
 * trailers from the last paragraph only, so that nothing an author writes can pass for one of ours.
 */
export function composeMessage(text: string, agent: string | null, trailers: readonly string[]): string {
  const name = agent === null ? '' : oneLine(agent);
  const ours = name === '' ? trailers : [`${AGENT}${name}`, ...trailers];
  const said = cleanText(text);
  return ours.length === 0 ? `${said}\n` : `${said}\n\n${ours.join('\n')}\n`;
}

/** What a message says without the trailers that composeMessage adds, and the agent that they name. */
export function splitMessage(message: string): { text: string; agent: string | null } {
  const text = message.replace(/\s+$/, '');
  const lines = text.split('\n');
  const start = lines.lastIndexOf('') + 1;
  const last = lines.slice(start);
  // The first paragraph is what the commit is called, never trailers.
  if (start === 0 || !last.every((line) => TRAILER.test(line))) return { text, agent: null };
  const agent = last.findLast((line) => line.startsWith(AGENT))?.slice(AGENT.length) ?? null;
  const kept = last.filter((line) => !OUR_TRAILER.test(line));
  return { text: [...lines.slice(0, start), ...kept].join('\n').trimEnd(), agent };
}

/** An author as git can store it: one line each, without the signs that part name from email from date. */
export function cleanAuthor({ name, email }: Author): Author {
  return { name: identityPart(name) || 'Unknown', email: identityPart(email) };
}

function identityPart(text: string): string {
  // Git cuts the same signs off both ends.
  return oneLine(text)
    .replace(/[<>]/g, '')
    .replace(/^[\s.,:;"'\\]+|[\s,:;"'\\]+$/g, '');
}

function oneLine(text: string): string {
  const line = text.toWellFormed().replace(CONTROLS, ' ').replace(/\s+/g, ' ').trimStart();
  return bounded(line, ONE_LINE_MOST).trimEnd();
}

function cleanText(text: string): string {
  const lines = bounded(text.toWellFormed(), TEXT_MOST)
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
/** Git takes such lines for the end of a message: where a patch begins, or what `commit --verbose` cuts off. */
const MESSAGE_END = /^(?:---(?:\s|$)|.{1,4} -{24} >8 -{24}$)/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out.
const CONTROLS = /[\x00-\x08\x0a-\x1f\x7f]/g;
const TEXT_MOST = 20_000;
const ONE_LINE_MOST = 200;
