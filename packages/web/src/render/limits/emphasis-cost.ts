/**
 * Estimates the time to pair the marks of emphasis of a text, in about milliseconds of an idle core. A mark that
 * closes looks back for one that opens, through everything before it if there is none. A pair that may not be one
 * counts as none: what stands in code, links, HTML and the like is hidden from the parser.
 */
export function emphasisCost(text: string): number {
  const pairs = new Pairs();
  let addressEnd = 0;
  let hasLink = false;
  let hasTag = false;
  for (const { 0: run, index } of text.matchAll(TOKENS)) {
    if (pairs.cost > ENOUGH) break;
    if (!/[*_~]/.test(run)) {
      hasLink ||= run === '](';
      hasTag ||= run === '<';
      pairs.passMark(HIDING.test(run) || (hasLink && run === ')') || (hasTag && run === '>'));
      if (!ADDRESS.test(run) || index < addressEnd) continue;
      BLANK.lastIndex = index;
      addressEnd = BLANK.exec(text)?.index ?? text.length;
      continue;
    }
    const { opens, closes } = flanking(run, text.charAt(index - 1), text.charAt(index + run.length));
    const isHidden = index < addressEnd || text[index - 1] === '\\';
    pairs.add(run, opens && !isHidden, closes, opens && closes);
  }
  return pairs.cost;
}

const TOKENS = /\*+|_+|~+|\]\(|:\/\/|www\.|[\n!"#$%&():<=>@[\\\]^`{|}]/gi;
const HIDING = /[\]`$%\\@]|:\/\/|www/i;
const ADDRESS = /@|:\/\/|www/i;
const BLANK = /\s/g;
/** More than any page may cost. */
const ENOUGH = 1_000;

/** As CommonMark and GFM have it, by UTF-16 units as in the parser. */
function flanking(run: string, previous: string, next: string): { opens: boolean; closes: boolean } {
  const before = classOf(previous);
  const after = classOf(next);
  const isLeft = after === '' || (after === 'sign' && before !== '') || next === '~';
  const isRight = before === '' || (before === 'sign' && after !== '') || previous === '~';
  if (run[0] !== '_') return { opens: isLeft, closes: isRight };
  return { opens: isLeft && (before !== '' || !isRight), closes: isRight && (after !== '' || !isLeft) };
}

function classOf(unit: string): 'blank' | 'sign' | '' {
  return unit === '' || /\s/.test(unit) ? 'blank' : /[\p{P}\p{S}]/u.test(unit) ? 'sign' : '';
}

interface Opener {
  at: number;
  size: number;
  isBoth: boolean;
}

class Pairs {
  cost = 0;
  #marks = 0;
  /** All that the parser may see, with those that are hidden. */
  #openers = 0;
  /** Those that surely open, by the kind of mark. */
  #open = new Map<string, Opener[]>();

  passMark(isHiding: boolean): void {
    this.#marks += 1;
    if (isHiding) this.#open.clear();
  }

  add(run: string, opens: boolean, closes: boolean, isBoth: boolean): void {
    this.#marks += 1;
    // Tildes pair with as many only.
    const kind = run[0] === '~' ? run : run.slice(0, 1);
    const left = closes ? this.#close(kind, run.length, isBoth) : run.length;
    if (!opens || left === 0) return;
    this.#openers += 1;
    const same = this.#open.get(kind) ?? [];
    same.push({ at: this.#marks, size: left, isBoth });
    this.#open.set(kind, same);
  }

  /** Returns how many of the marks found no partner. */
  #close(kind: string, size: number, isBoth: boolean): number {
    let left = size;
    while (left > 0) {
      const opener = this.#open.get(kind)?.at(-1);
      const mayDiffer = (opener?.isBoth || isBoth) && left % 3 !== 0;
      if (opener === undefined || (mayDiffer && (opener.size + left) % 3 === 0)) {
        this.cost += this.#marks * PASSED + this.#openers * COMPARED;
        return left;
      }
      const used = kind[0] === '~' ? left : Math.min(2, opener.size, left);
      left -= used;
      opener.size -= used;
      this.cost += PAIR + (this.#marks - opener.at) * WITHIN + this.#marks * MOVED;
      this.#dropAfter(opener);
    }
    return 0;
  }

  /** Marks within a pair open nothing after it. */
  #dropAfter({ at, size }: Opener): void {
    const first = size === 0 ? at : at + 1;
    for (const openers of this.#open.values()) {
      while ((openers.at(-1)?.at ?? 0) >= first) {
        openers.pop();
        this.#openers -= 1;
      }
    }
  }
}

const PASSED = 0.00006;
const COMPARED = 0.00015;
const PAIR = 0.01;
const WITHIN = 0.0001;
const MOVED = 0.000005;
