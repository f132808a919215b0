import { decodeString } from 'micromark-util-decode-string';
import { withoutEmphasis } from './emphasis.ts';

/** Text of one line as a reader sees it: without marks, tags and addresses of links, escapes and entities resolved. */
export function shownText(written: string): string {
  const held = new HeldText();
  const withoutTokens = written.replace(token, (found, ...groups) => {
    const { code, name, alias, address } = groups.at(-1) as Tokens;
    if (code !== undefined) return held.hold(/^ .*[^ ].* $/.test(code) ? code.slice(1, -1) : code, '`');
    if (alias !== undefined)
      return held.hold(
        withoutEmphasis(alias, (character) => character),
        ']',
      );
    if (name !== undefined) return held.hold(name, ']');
    if (address !== undefined) return held.hold(address, '>');
    if (found.startsWith('<')) return held.hold('', '>');
    return held.hold(decodeString(found), found.at(-1));
  });
  const shownPart = (part: string) => held.release(withoutEmphasis(part, (each) => held.outside(each)));
  const shownLink = (link: string, part: string | undefined) =>
    part === undefined ? link : held.hold(shownPart(part), ']');
  // An image may be in the text of a link.
  const text = withoutTokens.replace(inlineLink, shownLink).replace(inlineLink, shownLink);
  return shownPart(text).replace(/\s+/g, ' ').trim();
}

type Tokens = Partial<Record<'code' | 'name' | 'alias' | 'address', string>>;

/**
 * What the search for emphasis must not see: escapes, entities, code, links, addresses and tags. The names of
 * wikilinks match as in the inline scanner.
 */
const token = new RegExp(
  [
    String.raw`\\[!-/:-@[-\`{-~]`,
    String.raw`&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});`,
    '(?<!`)(?<ticks>`+)(?!`)(?<code>.*?[^`])\\k<ticks>(?!`)',
    String.raw`!?\[\[(?:(?<name>(?:[^[\]|\r\n]|\](?![\](]))+)|(?:[^[\]|\r\n]|\](?![\](]))*\|(?<alias>(?:[^[\]\r\n]|\](?![\](]))*))\]\]`,
    String.raw`<(?<address>[a-z][a-z\d+.-]{1,31}:[^\s<>]*|[\w.+-]+@[\w.-]+)>`,
    String.raw`</?[a-z][a-z\d-]*(?:\s[^<>]*)?/?>|<!--[^<>]*-->`,
    '[\\ue000-\\uf8ff]',
  ].join('|'),
  'gi',
);

/** Also matches an escaped character: a search that began at each of them would take quadratic time. */
const inlineLink =
  /\\.|!?\[((?:\\.|[^[\]\\]|\[(?:\\.|[^[\]\\])*\](?!\())*)\]\((?:<[^<>]*>|\([^()]*\)|[^()<]|<(?![^<>]*>))*\)/g;

/**
 * Parts of a text that stay as they are, each with a character of the private use area in its place. It has 6,400 of
 * them: `plainText` cuts longer lines.
 */
class HeldText {
  readonly #parts: { text: string; outside: string }[] = [];

  /** @param outside The character that a neighbour sees here: of code the backtick. */
  hold(text: string, outside: string | undefined): string {
    this.#parts.push({ text, outside: outside ?? ']' });
    return String.fromCharCode(FIRST + this.#parts.length - 1);
  }

  outside(character: string): string {
    return this.#parts[character.charCodeAt(0) - FIRST]?.outside ?? character;
  }

  release(text: string): string {
    return text.replace(
      /[\ue000-\uf8ff]/g,
      (character) => this.#parts[character.charCodeAt(0) - FIRST]?.text ?? character,
    );
  }
}

const FIRST = 0xe000;
