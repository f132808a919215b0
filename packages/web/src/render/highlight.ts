import type { ElementContent } from 'hast';
import { LRUCache } from 'lru-cache';
import { codeSteps } from './limits/code-steps.ts';

/** Gives code the classes for a style sheet's colors. Longer code, and code that would take long, stays plain. */
export async function highlight(
  blocks: readonly { element: { children?: ElementContent[] }; language: string; value: string }[],
): Promise<void> {
  if (blocks.length === 0) return;
  languages ??= loadLanguages();
  const { names, highlight } = await languages;
  let left = MAX_CHARACTERS;
  let stepsLeft = MAX_STEPS;
  for (const { element, language, value } of blocks) {
    const name = names.get(language.toLowerCase());
    if (name === undefined || value.length > left) continue;
    // Carriage returns take some grammars quadratic time. In HTML they are line feeds.
    const code = value.replace(/\r\n?/g, '\n');
    if (longestLine(code) > MAX_LINE) continue;
    const steps = codeSteps(name, code);
    if (steps > stepsLeft) continue;
    left -= value.length;
    stepsLeft -= steps;
    const key = `${name}\n${code}`;
    const children = KEPT.get(key) ?? (highlight(name, code).children as ElementContent[]);
    KEPT.set(key, children);
    element.children = children;
  }
}

/** By language and code: most edits of a page leave its code as it is. Nobody changes what is kept. */
const KEPT = new LRUCache<string, ElementContent[]>({
  maxSize: 500_000,
  sizeCalculation: (_, key) => key.length,
});

/** Grammars are lists of patterns, some of which take quadratic time on a line, and a few on all code. */
const MAX_CHARACTERS = 50_000;
const MAX_LINE = 2_000;
const MAX_STEPS = 20_000_000;

let languages: ReturnType<typeof loadLanguages> | undefined;

/** Only for pages with code. */
async function loadLanguages() {
  const { openLanguages } = await import('./code/code-languages.ts');
  return openLanguages();
}

function longestLine(text: string): number {
  return text.split('\n').reduce((longest, line) => Math.max(longest, line.length), 0);
}
