import type { ElementContent } from 'hast';
import { LRUCache } from 'lru-cache';

/** Gives code the classes for a style sheet's colors. Longer code stays plain. */
export async function highlight(
  blocks: readonly { element: { children?: ElementContent[] }; language: string; value: string }[],
): Promise<void> {
  if (blocks.length === 0) return;
  lowlight ??= loadLowlight();
  const { registered, highlight } = await lowlight;
  let left = MAX_CHARACTERS;
  for (const { element, language, value } of blocks) {
    if (value.length > left || longestLine(value) > MAX_LINE || !registered(language.toLowerCase())) continue;
    left -= value.length;
    const key = `${language.toLowerCase()}\n${value}`;
    const children = KEPT.get(key) ?? (highlight(language.toLowerCase(), value).children as ElementContent[]);
    KEPT.set(key, children);
    element.children = children;
  }
}

/** By language and code: most edits of a page leave its code as it is. Nobody changes what is kept. */
const KEPT = new LRUCache<string, ElementContent[]>({
  maxSize: 500_000,
  sizeCalculation: (_, key) => key.length,
});

/** Grammars are lists of patterns, some of which take quadratic time on a line. */
const MAX_CHARACTERS = 50_000;
const MAX_LINE = 2_000;

let lowlight: ReturnType<typeof loadLowlight> | undefined;

/** Only for pages with code: it takes some 100 ms to load. */
async function loadLowlight() {
  const { common, createLowlight } = await import('lowlight');
  return createLowlight(common);
}

function longestLine(text: string): number {
  return text.split('\n').reduce((longest, line) => Math.max(longest, line.length), 0);
}
