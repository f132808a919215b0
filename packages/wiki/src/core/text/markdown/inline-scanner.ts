import type { Steps } from '../../../scheduling/in-turns.ts';
import { linksOfTag } from '../links/html-links.ts';
import { type FoundDestination, findDestination } from '../links/link-destination.ts';
import { parseDestination, parseWikiTarget } from '../links/link-target.ts';
import { normalForm } from '../normal-form.ts';
import { firstAfter, positionsByLength } from './backticks.ts';
import { blanked, htmlTag, special, tagSyntax, wikilink } from './inline-syntax.ts';
import type { Label, Link, LinkTarget, Prose, Tag } from './markdown.ts';

type FoundLink = Omit<Link, 'line'>;

/** An opening bracket that may become a link. */
interface Bracket {
  /** Offset of `[`, or of `!` before it. */
  start: number;
  textStart: number;
  image: boolean;
}

/**
 * Finds links and tags in spans of prose. Linear in their length: if the end of a code span or comment was
 * once searched in vain, it is not searched again in the same span.
 */
export class InlineScanner {
  readonly links: FoundLink[] = [];
  readonly tags: Tag[] = [];
  /** Definitions; uses too, if it is known what is defined. */
  readonly labels: Label[] = [];
  private readonly page: string;
  private readonly isDefined: ((label: string) => boolean) | null;

  private text = '';
  private base = 0;
  private at = 0;
  private brackets: Bracket[] = [];
  /** Brackets below this one cannot be links any more, since a link was found within them; images can. */
  private linkless = 0;
  private hasLabels = false;
  private backticks: Map<number, number[]> | null = null;
  private readonly missing = new Set<string>();
  private pieces = 0;

  /** Without `isDefined`, all references are text. */
  constructor(page: string, isDefined: ((label: string) => boolean) | null = null) {
    this.page = page;
    this.isDefined = isDefined;
  }

  *scan(spans: readonly Prose[]): Steps<void> {
    for (const span of spans) {
      this.begin(span);
      if (span.kind === undefined) while (this.scanDefinition()) if (this.isStepDone()) yield;
      while (this.findSpecial()) if (this.isStepDone()) yield;
      if (this.isStepDone()) yield;
    }
  }

  /** The offset behind the definitions with which a paragraph begins. */
  endOfDefinitions(paragraph: Prose): number {
    this.begin(paragraph);
    while (this.scanDefinition());
    return this.base + this.at;
  }

  private begin({ start, end, marks = [], kind }: Prose): void {
    this.text = blanked(this.page, start, end, marks);
    this.base = start;
    this.at = 0;
    this.brackets = [];
    this.linkless = 0;
    this.hasLabels = this.isDefined !== null && kind !== 'html';
    this.backticks = null;
    this.missing.clear();
  }

  private isStepDone(): boolean {
    this.pieces += 1;
    return this.pieces % PIECES_AT_ONCE === 0;
  }

  private findSpecial(): boolean {
    special.lastIndex = this.at;
    const found = special.exec(this.text);
    if (found === null) return false;
    this.at = found.index;
    this.scanSpecial(found[0]);
    return true;
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

  /** Skips comments, tags, autolinks and HTML code elements. */
  private skipHtml(): void {
    const comment = this.match(/<!--(?:-?>)?/y);
    if (comment !== null) {
      if (comment === '<!--') this.skipPast('-->', this.at + 4);
      else this.at += comment.length;
      return;
    }
    const tag = this.match(htmlTag) ?? '<';
    this.links.push(...linksOfTag(tag, this.base + this.at));
    this.at += tag.length;
    const raw = /^<(code|pre|script|style|textarea)\b/i.exec(tag)?.[1];
    if (raw !== undefined && !tag.endsWith('/>')) this.skipPast(`</${raw.toLowerCase()}`, this.at);
  }

  /** Skips to the end of `closing`, or to `from` if there is none. */
  private skipPast(closing: string, from: number): void {
    const found = this.missing.has(closing) ? -1 : this.indexOfIgnoringCase(closing, from);
    if (found === -1) this.missing.add(closing);
    this.at = found === -1 ? from : found + closing.length;
  }

  private indexOfIgnoringCase(closing: string, from: number): number {
    const pattern = new RegExp(closing.replace(/[^a-z]/g, '\\$&'), 'gi');
    pattern.lastIndex = from;
    return pattern.exec(this.text)?.index ?? -1;
  }

  private scanTag(): void {
    const start = this.base + this.at;
    const isInWord = /\S/.test(this.text[this.at - 1] ?? '');
    const tag = (isInWord ? null : this.match(tagSyntax)) ?? '#';
    const name = normalForm(tag.slice(1));
    this.at += tag.length;
    if (/[^\d/_-]/.test(name)) this.tags.push({ name, start, end: this.base + this.at });
  }

  private openBracket(): void {
    const image = this.text[this.at] === '!';
    const open = image ? this.at + 1 : this.at;
    if (this.text[open] !== '[') {
      this.at += 1;
      return;
    }
    if (this.scanWikilink(this.at, open, image)) return;
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
      property: null,
      angle: false,
    });
    return true;
  }

  private closeBracket(): void {
    const close = this.at;
    this.at += 1;
    const bracket = this.brackets.pop();
    if (bracket === undefined) return;
    const mayLink = bracket.image || this.brackets.length >= this.linkless;
    // Those that are opened from here on are other brackets.
    this.linkless = Math.min(this.linkless, this.brackets.length);
    if (this.closeFootnote(bracket, close)) return;
    const isInline = this.text[close + 1] === '(' && mayLink;
    const found = isInline ? findDestination(this.text, close + 2, /[ \t\r\n]*\)/y) : null;
    if (found === null) {
      if (mayLink) this.closeReference(bracket, close);
      return;
    }
    this.at = found.end;
    if (!bracket.image) this.linkless = this.brackets.length;
    const text = this.page.slice(this.base + bracket.textStart, this.base + close);
    this.addLink('inline', bracket, text, found);
  }

  /** `[text][label]`, `[label][]` or `[label]`, which is also the form of a footnote: `[^label]`. */
  private closeReference({ textStart, image }: Bracket, close: number): void {
    if (!this.hasLabels) return;
    const next = this.match(/\[((?:[^[\]\\]|\\[\s\S]){0,999})\]/y);
    const isFull = next !== null && next.slice(1, -1).trim() !== '';
    const form = isFull ? 'full' : next === '[]' ? 'collapsed' : 'shortcut';
    const [start, end] = isFull ? [close + 2, close + next.length] : [textStart, close];
    const text = this.labelIn(start, end);
    if (text === null) return;
    const last = this.labels.at(-1);
    const isFootnote = last?.shown.start === this.base + textStart && last.start === this.base + start;
    if (isFootnote) return;
    const isLink = this.pushUse({ text, form, start, end }, textStart, close);
    if (!isLink) return;
    if (form !== 'shortcut') this.at += next?.length ?? 0;
    if (!image) this.linkless = this.brackets.length;
  }

  /** `[^label]` uses a footnote even if an address or another label follows it. */
  private closeFootnote({ textStart: start }: Bracket, close: number): boolean {
    const text = this.hasLabels && this.text[start] === '^' ? this.labelIn(start, close) : null;
    if (text === null || /\s/.test(text) || text === '^') return false;
    return this.pushUse({ text, form: 'shortcut', start, end: close }, start, close);
  }

  /** True if it is a link. */
  private pushUse(
    use: Pick<Label, 'text' | 'form' | 'start' | 'end'>,
    textStart: number,
    close: number,
  ): boolean {
    const isLink = this.isDefined?.(use.text) === true;
    const shown = { start: this.base + textStart, end: this.base + close };
    this.labels.push({
      ...{ ...use, isLink, destination: null, start: this.base + use.start, end: this.base + use.end },
      shown: { ...shown, isWithinBrackets: this.brackets.length > 0 },
    });
    return isLink;
  }

  private labelIn(start: number, end: number): string | null {
    const text = this.text.slice(start, end);
    const isLabel = end - start <= 999 && /^(?:[^[\]\\]|\\[\s\S])*$/.test(text) && text.trim() !== '';
    return isLabel ? text : null;
  }

  /** `[label]: destination "title"`, only at the beginning of a paragraph. */
  private scanDefinition(): boolean {
    const label = this.match(
      /[ \t>]*\[(?!\^|\s*\])((?:[^[\]\\]|\\[\s\S]){1,999})\]:[ \t]*(?:\r?\n[ \t>]*)?/y,
    );
    if (label === null) return false;
    const start = this.at + label.indexOf('[');
    const found = findDestination(this.text, this.at + label.length, /[ \t]*(?:\r?\n|$)/y);
    if (found === null || found.start === found.end) return false;
    this.at = found.end;
    const text = label.slice(label.indexOf('[') + 1, label.lastIndexOf(']:'));
    const span = { start: this.base + start + 1, end: this.base + start + 1 + text.length };
    this.labels.push({
      ...{ ...span, text, form: 'definition', isLink: false, shown: { ...span, isWithinBrackets: false } },
      destination: this.text.slice(found.start, found.end).trim(),
    });
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
      property: null,
      angle,
    });
  }

  private match(sticky: RegExp): string | null {
    sticky.lastIndex = this.at;
    return sticky.exec(this.text)?.[0] ?? null;
  }
}

/** Takes a millisecond or less. */
const PIECES_AT_ONCE = 500;
