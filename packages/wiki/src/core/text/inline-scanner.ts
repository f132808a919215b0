import { firstAfter, positionsByLength } from './backticks.ts';
import { type FoundDestination, findDestination } from './link-destination.ts';
import { parseDestination, parseWikiTarget } from './link-target.ts';
import type { Link, LinkTarget, Span, Tag } from './markdown.ts';

type FoundLink = Omit<Link, 'line'>;

/** An opening bracket that may become a link's. */
interface Bracket {
  /** Of `[`, or of `!` before it. */
  start: number;
  textStart: number;
  image: boolean;
}

/**
 * Finds links and tags in spans of prose. Linear in their length: what is looked for and missed once (the end
 * of a code span or comment) is not looked for again in the same span.
 */
export class InlineScanner {
  readonly links: FoundLink[] = [];
  readonly tags: Tag[] = [];
  private readonly page: string;

  private text = '';
  private base = 0;
  private at = 0;
  private brackets: Bracket[] = [];
  /** Brackets below this cannot be links any more, since a link within them was found; images can. */
  private linkless = 0;
  private backticks: Map<number, number[]> | null = null;
  private readonly missing = new Set<string>();

  constructor(page: string) {
    this.page = page;
  }

  scan({ start, end }: Span): void {
    this.text = this.page.slice(start, end);
    this.base = start;
    this.at = 0;
    this.brackets = [];
    this.linkless = 0;
    this.backticks = null;
    this.missing.clear();
    while (this.scanDefinition());
    const special = /[\\`<!#[\]]/g;
    for (;;) {
      special.lastIndex = this.at;
      const found = special.exec(this.text);
      if (found === null) return;
      this.at = found.index;
      this.scanSpecial(found[0]);
    }
  }

  private scanSpecial(character: string): void {
    if (character === '\\') this.at += 2;
    else if (character === '`') this.skipCodeSpan();
    else if (character === '<') this.skipHtml();
    else if (character === '#') this.scanTag();
    else if (character === ']') this.closeBracket();
    else this.openBracket();
  }

  private skipCodeSpan(): void {
    const { length } = this.match(/`+/y) ?? '`';
    this.backticks ??= positionsByLength(this.text);
    const positions = this.backticks.get(length) ?? [];
    const next = firstAfter(positions, this.at);
    this.at = (next ?? this.at) + length;
  }

  /** Comments, tags, autolinks and what HTML shows as code. */
  private skipHtml(): void {
    if (this.text.startsWith('<!--', this.at)) {
      this.skipPast('-->', this.at + 4);
      return;
    }
    const tag = this.match(htmlTag) ?? '<';
    this.at += tag.length;
    const raw = /^<(code|pre|script|style|textarea)\b/i.exec(tag)?.[1];
    if (raw !== undefined && !tag.endsWith('/>')) this.skipPast(`</${raw.toLowerCase()}`, this.at);
  }

  /** To the end of `closing`, or on to the next character where there is none. */
  private skipPast(closing: string, from: number): void {
    const found = this.missing.has(closing) ? -1 : this.indexOfIgnoringCase(closing, from);
    if (found === -1) this.missing.add(closing);
    this.at = found === -1 ? Math.max(this.at + 1, from) : found + closing.length;
  }

  private indexOfIgnoringCase(closing: string, from: number): number {
    const pattern = new RegExp(closing.replace(/[^a-z]/g, '\\$&'), 'gi');
    pattern.lastIndex = from;
    return pattern.exec(this.text)?.index ?? -1;
  }

  private scanTag(): void {
    const before = this.at === 0 ? ' ' : (this.text[this.at - 1] ?? ' ');
    const tag = /\s/.test(before) ? this.match(tagSyntax) : null;
    const name = tag?.slice(1).normalize('NFC') ?? '';
    const start = this.base + this.at;
    this.at += tag?.length ?? 1;
    if (tag !== null && /[^\d/_-]/.test(name)) this.tags.push({ name, start, end: this.base + this.at });
  }

  private openBracket(): void {
    const image = this.text[this.at] === '!';
    const open = image ? this.at + 1 : this.at;
    if (this.text[open] !== '[') {
      this.at += 1;
      return;
    }
    if (this.text[open + 1] === '[' && this.scanWikilink(this.at, open, image)) return;
    this.brackets.push({ start: this.at, textStart: open + 1, image });
    this.at = open + 1;
  }

  private scanWikilink(start: number, open: number, embed: boolean): boolean {
    wikilink.lastIndex = open;
    const content = wikilink.exec(this.text)?.[1];
    if (content === undefined || content.trim() === '') return false;
    // In a table the bar before the alias is escaped.
    const bar = content.indexOf('|');
    const written = bar === -1 ? content : content.slice(0, content[bar - 1] === '\\' ? bar - 1 : bar);
    this.at = open + content.length + 4;
    const target = parseWikiTarget(written.trim());
    if (target === null) return true;
    const from = this.base + open + 2 + (written.length - written.trimStart().length);
    this.links.push({
      kind: 'wiki',
      embed,
      ...target,
      alias: bar === -1 ? null : content.slice(bar + 1).trim(),
      start: this.base + start,
      end: this.base + this.at,
      destination: { start: from, end: from + written.trim().length },
      angle: false,
    });
    return true;
  }

  private closeBracket(): void {
    const close = this.at;
    this.at += 1;
    const bracket = this.brackets.pop();
    if (bracket === undefined || this.text[close + 1] !== '(') return;
    if (!bracket.image && this.brackets.length < this.linkless) return;
    const found = findDestination(this.text, close + 2, /[ \t\r\n]*\)/y);
    if (found === null) return;
    this.at = found.end;
    if (!bracket.image) this.linkless = this.brackets.length;
    this.addLink('inline', bracket, this.text.slice(bracket.textStart, close), found);
  }

  /** `[label]: destination "title"`, which only begins a paragraph. */
  private scanDefinition(): boolean {
    const label = this.match(/[ \t>]*\[(?!\^)((?:[^[\]\\]|\\[\s\S]){1,999})\]:[ \t]*(?:\r?\n[ \t>]*)?/y);
    if (label === null) return false;
    const start = this.at + label.indexOf('[');
    const found = findDestination(this.text, this.at + label.length, /[ \t]*(?:\r?\n|$)/y);
    if (found === null || found.start === found.end) return false;
    this.at = found.end;
    const text = label.slice(label.indexOf('[') + 1, label.lastIndexOf(']:'));
    this.addLink('definition', { start, image: false }, text, found);
    return true;
  }

  private addLink(
    kind: 'inline' | 'definition',
    { start, image }: Pick<Bracket, 'start' | 'image'>,
    alias: string,
    { start: from, destinationEnd, end, angle }: FoundDestination,
  ): void {
    const target: LinkTarget | null = parseDestination(this.text.slice(from, destinationEnd));
    if (target === null || (target.target === '' && !target.anchor)) return;
    const lineBreak = kind === 'definition' ? /\r?\n$/.exec(this.text.slice(start, end))?.[0].length : 0;
    this.links.push({
      kind,
      embed: image,
      ...target,
      alias,
      start: this.base + start,
      end: this.base + end - (lineBreak ?? 0),
      destination: { start: this.base + from, end: this.base + destinationEnd },
      angle,
    });
  }

  private match(sticky: RegExp): string | null {
    sticky.lastIndex = this.at;
    return sticky.exec(this.text)?.[0] ?? null;
  }
}

const tagSyntax = /#(?:[\p{L}\p{N}\p{M}\p{Extended_Pictographic}_/-]|\u200d)+/uy;

/** `[[x]]` on one line; `](` inside it is the end of an inline link instead. */
const wikilink = /\[\[((?:[^[\]\r\n]|\](?![\](]))+)\]\]/y;

const htmlTag =
  /<(?:[a-z][a-z0-9+.-]+:[^\s<>]*|\/?[a-z][a-z0-9-]*(?:\s+[a-z_:][\w.:-]*(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+))?)*\s*\/?)>/iy;
