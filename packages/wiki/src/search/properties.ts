import { fold } from './words/terms.ts';

/** A value that a page has under a name in its frontmatter, both folded. A long value is stored as empty. */
export interface Property {
  name: string;
  value: string;
}

/**
 * Each value once; the values of a list separately. A value with parts is stored as a name without value. Their
 * number has a bound: frontmatter with very many values is not read at all.
 */
export function propertiesOf(frontmatter: Record<string, unknown>): Property[] {
  const properties = new Map<string, Property>();
  for (const [key, content] of Object.entries(frontmatter)) {
    const name = fold(key.slice(0, MAX_CHARACTERS));
    for (const item of Array.isArray(content) ? content : [content]) {
      const value = plainValue(item);
      properties.set(JSON.stringify([name, value]), { name, value });
    }
  }
  return [...properties.values()];
}

/** The property that `status: draft` or `status=draft` asks for, or `status` alone, which matches any value. */
export function wantedProperty(text: string): { name: string; value: string | null } {
  const [, name = '', value = ''] = /^([^:=]*)[:=]?(.*)$/s.exec(text) ?? [];
  return { name: fold(name.trim()), value: value.trim() === '' ? null : fold(value.trim()) };
}

function plainValue(item: unknown): string {
  const isPlain = typeof item === 'string' || typeof item === 'number' || typeof item === 'boolean';
  const text = isPlain ? String(item).trim() : '';
  return text.length > MAX_CHARACTERS ? '' : fold(text);
}

const MAX_CHARACTERS = 100;
