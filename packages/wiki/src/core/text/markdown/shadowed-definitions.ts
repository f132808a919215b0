import type { Steps } from '../../../scheduling/in-turns.ts';
import { textOfLink } from '../links/link-text.ts';
import { labelKey } from '../merging/merged-labels.ts';
import { InlineScanner } from './inline-scanner.ts';
import type { Link } from './markdown.ts';
import { blockSteps } from './markdown-blocks.ts';

export interface ShadowedDefinition {
  /** As it stood before the change. */
  link: Link;
  /** The link of the definition that counts now; null if it leads out of the wiki. */
  by: Link | null;
}

/**
 * Finds the definitions of reference-style links that a change leaves where they stood and puts another definition of
 * the same label before: the first one counts, so that references anywhere on the page lead elsewhere.
 */
export function* shadowedDefinitions(before: string, after: string): Steps<ShadowedDefinition[]> {
  if (before === after || !DEFINITION.test(before) || !hasTwo(after)) return [];
  const now = yield* definitionsIn(after);
  if ([...now.values()].every(({ length }) => length === 1)) return [];
  const shadowed: ShadowedDefinition[] = [];
  for (const [key, [counted]] of yield* definitionsIn(before)) {
    const [first, ...others] = now.get(key) ?? [];
    if (!counted?.link || !first || first.written === counted.written) continue;
    if (others.some(({ written }) => written === counted.written)) {
      shadowed.push({ link: counted.link, by: first.link });
    }
  }
  return shadowed;
}

const DEFINITION = /\](?=:)/;

function hasTwo(text: string): boolean {
  return text.split(DEFINITION, 3).length === 3;
}

interface Definition {
  written: string;
  link: Link | null;
}

/** In their order, by label. */
function* definitionsIn(text: string): Steps<Map<string, Definition[]>> {
  const scanner = new InlineScanner(text);
  yield* scanner.scan((yield* blockSteps(text)).prose);
  const links = new Map(
    scanner.links.flatMap((link) =>
      link.kind === 'definition' ? [[link.start, { ...link, line: 0 }] as const] : [],
    ),
  );
  const found = scanner.labels.map((label) => {
    const link = links.get(label.start - 1) ?? null;
    const written = link === null ? `[${label.text}]: ${label.destination}` : textOfLink(link, text);
    return { key: labelKey(label.text), written, link };
  });
  return Map.groupBy(found, ({ key }) => key);
}
