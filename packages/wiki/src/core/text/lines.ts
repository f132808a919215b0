/** The 1-based line of an offset in a text; offsets must be asked for in ascending order. */
export function lineCounter(text: string): (offset: number) => number {
  let line = 1;
  let lineFeed = text.indexOf('\n');
  return (offset) => {
    while (lineFeed !== -1 && lineFeed < offset) {
      line += 1;
      lineFeed = text.indexOf('\n', lineFeed + 1);
    }
    return line;
  };
}
