/**
 * Returns a function from an offset in the text to its 1-based line. Offsets must be passed in ascending
 * order.
 */
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
