/** A place in one line of Markdown that knows columns: a tab reaches to the next multiple of four. */
export class LineCursor {
  /** In the text; of a tab that is passed over in part, the offset after it. */
  offset: number;
  private readonly text: string;
  private readonly end: number;
  private column = 0;
  private tabColumnsLeft = 0;

  constructor(text: string, start: number, end: number) {
    this.text = text;
    this.offset = start;
    this.end = end;
  }

  /** Columns of white space from here on. */
  get indent(): number {
    let columns = this.tabColumnsLeft;
    for (let at = this.offset; at < this.end; at += 1) {
      const unit = this.text.charCodeAt(at);
      if (unit === space) columns += 1;
      else if (unit === tab) columns += 4 - ((this.column + columns) % 4);
      else break;
    }
    return columns;
  }

  /** What follows the white space. */
  get rest(): string {
    let at = this.offset;
    while (at < this.end && isBlank(this.text.charCodeAt(at))) at += 1;
    return this.text.slice(at, this.end);
  }

  /** Passes over so many columns of white space, or what there is. */
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

  /** Passes over characters that are not tabs. */
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
