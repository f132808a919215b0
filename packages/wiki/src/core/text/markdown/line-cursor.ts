/** A position in one line of Markdown that counts columns: a tab reaches to the next multiple of four. */
export class LineCursor {
  /** The offset in the text. Within a partly skipped tab, the offset after it. */
  offset: number;
  private readonly text: string;
  private readonly end: number;
  private column = 0;
  private tabColumnsLeft = 0;
  /** The offset of the end of the white space, and its column. */
  private ink = -1;
  private inkColumn = 0;
  private lastOthers: Map<string, number> | null = null;

  constructor(text: string, start: number, end: number) {
    this.text = text;
    this.offset = start;
    this.end = end;
  }

  /** The number of columns of white space from here on. */
  get indent(): number {
    this.findInk();
    return this.inkColumn - this.column;
  }

  /** The text after the white space. */
  get rest(): string {
    this.findInk();
    return this.text.slice(this.ink, this.end);
  }

  get isBlank(): boolean {
    this.findInk();
    return this.ink === this.end;
  }

  /** True if only white space follows this many characters of `rest`. */
  isBlankAfter(characters: number): boolean {
    this.findInk();
    let at = this.ink + characters;
    while (at < this.end && isBlank(this.text.charCodeAt(at))) at += 1;
    return at >= this.end;
  }

  /**
   * True if `rest` consists of this character and white space. Scans the rest of the line once for each
   * character.
   */
  hasOnly(character: string): boolean {
    this.findInk();
    this.lastOthers ??= new Map();
    const known = this.lastOthers.get(character);
    if (known !== undefined) return known < this.ink;
    let at = this.end - 1;
    while (at >= this.ink && (this.text[at] === character || isBlank(this.text.charCodeAt(at)))) at -= 1;
    this.lastOthers.set(character, at);
    return at < this.ink;
  }

  /** Searched for once: a line may begin with a megabyte of white space and be in a hundred lists. */
  private findInk(): void {
    if (this.ink >= this.offset) return;
    let columns = this.tabColumnsLeft;
    let at = this.offset;
    for (; at < this.end; at += 1) {
      const unit = this.text.charCodeAt(at);
      if (unit === space) columns += 1;
      else if (unit === tab) columns += 4 - ((this.column + columns) % 4);
      else break;
    }
    this.ink = at;
    this.inkColumn = this.column + columns;
  }

  /** Skips this many columns of white space, or as many as there are. */
  skipIndent(columns: number): void {
    let left = columns;
    while (left > 0) {
      if (this.tabColumnsLeft === 0 && !this.enterWhiteSpace()) return;
      const taken = Math.min(left, this.tabColumnsLeft);
      this.tabColumnsLeft -= taken;
      this.column += taken;
      left -= taken;
    }
  }

  /** Skips characters that are not tabs. */
  skip(characters: number): void {
    this.offset += characters;
    this.column += characters;
  }

  private enterWhiteSpace(): boolean {
    const unit = this.offset < this.end ? this.text.charCodeAt(this.offset) : 0;
    if (!isBlank(unit)) return false;
    this.offset += 1;
    this.tabColumnsLeft = unit === tab ? 4 - (this.column % 4) : 1;
    return true;
  }
}

const space = 32;
const tab = 9;

function isBlank(unit: number): boolean {
  return unit === space || unit === tab;
}
