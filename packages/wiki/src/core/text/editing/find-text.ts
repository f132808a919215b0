/**
 * Finds a text in another one, like `indexOf`, in time that grows with the sum of their lengths. The engine's
 * own search grows with the product if a long text nearly matches at many positions: hours for two of a
 * megabyte.
 */
export function textFinder(wanted: string): (text: string, from?: number) => number {
  if (wanted.length <= MAX_SEARCHED_BY_ENGINE) return (text, from) => text.indexOf(wanted, from);
  const borders = bordersOf(wanted);
  return (text, from = 0) => {
    let matched = 0;
    for (let at = from; at < text.length; at += 1) {
      const unit = text.charCodeAt(at);
      while (matched > 0 && wanted.charCodeAt(matched) !== unit) matched = borders[matched - 1] ?? 0;
      if (wanted.charCodeAt(matched) === unit) matched += 1;
      if (matched === wanted.length) return at + 1 - matched;
    }
    return -1;
  };
}

/**
 * For each prefix of a text (by Knuth, Morris and Pratt): the length of its longest proper prefix that is
 * also its suffix.
 */
function bordersOf(text: string): Uint32Array {
  const borders = new Uint32Array(text.length);
  let border = 0;
  for (let at = 1; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    while (border > 0 && text.charCodeAt(border) !== unit) border = borders[border - 1] ?? 0;
    if (text.charCodeAt(border) === unit) border += 1;
    borders[at] = border;
  }
  return borders;
}

/** Up to this many characters V8's own search skips ahead, and is faster. */
const MAX_SEARCHED_BY_ENGINE = 250;
