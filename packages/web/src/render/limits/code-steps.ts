/**
 * Estimates the steps that a grammar takes for code, by the square or by the product that it grows with. About 0 for
 * usual code in grammars whose time grows with the length alone: `code-languages.lab.test.ts` looks for others.
 */
export function codeSteps(language: string, code: string): number {
  // Several grammars look from each blank on for the first letter after it.
  return squares(code, /\s{100,}/g) + (STEPS[language]?.(code) ?? 0);
}

/** The grammars look from each word on for the bracket of a function, as far as words may stand before it. */
const cSteps = (code: string) => squares(code, /(?:[\w\s*&:~$]|<[^<>]*>)+/g);

/** In each script the grammar looks for the next one, through three other grammars, and keeps all that are open. */
const htmlSteps = (code: string) =>
  code.length * (nested(code, /<(\/?)script/gi) + nested(code, /<(\/?)style/gi)) * SCRIPT;

const STEPS: Record<string, (code: string) => number> = {
  c: cSteps,
  cpp: cSteps,
  arduino: cSteps,
  // The types of a function may contain anything but an equals sign.
  csharp: (code) =>
    squares(code, /[\w\s<>,[\]]+/g) + sum(code, /[^=]+/g, (run) => run.length * count(run, /</g)),
  // Looks from each key and each quote on, over the keys that dots join, for an equals sign.
  ini: (code) =>
    squares(code, /[\w\s.-]+/g) +
    code.length * count(code, /["']\s*\.\s*[\w"'-]/g) +
    sum(code, /(?:\\"|[^"])+/g, (run) => run.length * count(run, /\\"/g)),
  xml: htmlSteps,
  'php-template': htmlSteps,
  // Each line with a prompt opens again all elements that are open at its beginning.
  shell: (code) => count(code, /^.*[>%$#]/gm) * count(code, /\$[({]|\(\(/g) * ELEMENT,
};

/** An element takes longer than a step of a regular expression, but is seldom left open. */
const ELEMENT = 20;
const SCRIPT = 10;

/** How deep elements lie in each other, 0 for one beside another. The first group of `tags` is the slash that closes one. */
function nested(code: string, tags: RegExp): number {
  let open = 0;
  let most = 0;
  for (const [, slash] of code.matchAll(tags)) {
    open = Math.max(0, open + (slash === '' ? 1 : -1));
    most = Math.max(most, open);
  }
  return Math.max(0, most - 1);
}

function squares(code: string, runs: RegExp): number {
  return sum(code, runs, ({ length }) => length * length);
}

function sum(code: string, runs: RegExp, steps: (run: string) => number): number {
  let total = 0;
  for (const [run] of code.matchAll(runs)) total += steps(run);
  return total;
}

function count(code: string, pattern: RegExp): number {
  return sum(code, pattern, () => 1);
}
