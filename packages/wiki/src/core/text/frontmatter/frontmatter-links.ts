import { type Document, isMap, isPair, isScalar, isSeq, type Scalar } from 'yaml';
import { atOnce } from '../../../scheduling/in-turns.ts';
import { InlineScanner } from '../markdown/inline-scanner.ts';
import type { Link } from '../markdown/markdown.ts';
import { type FrontmatterBlock, parseFrontmatter } from './frontmatter.ts';

type FoundLink = Omit<Link, 'line'>;

/**
 * Links in frontmatter, in Obsidian's form: string values that consist of one wikilink, at any depth. Keys
 * are not links. Nor is `[[Page]]` without quotes, which YAML reads as a list in a list.
 */
export function linksInFrontmatter(
  text: string,
  block: FrontmatterBlock | null,
  parsed?: Document | null,
): FoundLink[] {
  if (block === null) return [];
  const yaml = text.slice(block.yamlStart, block.yamlEnd);
  if (!yaml.includes('[[')) return [];
  const document = parsed === undefined ? parseFrontmatter(yaml).document : parsed;
  return stringsIn(document).flatMap(({ value, range }) => {
    const found = wikilinkIn(value);
    if (found === null || !range) return [];
    return { ...found, start: block.yamlStart + range[0], end: block.yamlStart + range[1], property: value };
  });
}

/** The YAML of a string with another value, in the same quotes or block style. */
export function rewriteString(yaml: string, value: string): string {
  const isPlain = !/\p{Cc}/u.test(value);
  if (yaml.startsWith("'") && isPlain) return `'${value.replaceAll("'", "''")}'`;
  const isBlock = /^[|>]/.test(yaml);
  const body = isBlock && isPlain ? yaml.slice(yaml.indexOf('\n')) : '';
  const written = body.trim();
  if (written === '') return JSON.stringify(value) + (isBlock ? '\n' : '');
  const start = yaml.length - body.length + body.indexOf(written);
  return yaml.slice(0, start) + value + yaml.slice(start + written.length);
}

function stringsIn(document: Document | null): Scalar<string>[] {
  const found: Scalar<string>[] = [];
  const nodes: unknown[] = [document?.contents];
  while (nodes.length > 0) {
    const node = nodes.pop();
    if (isPair(node)) nodes.push(node.value);
    else if (isMap(node) || isSeq(node)) nodes.push(...node.items);
    else if (isScalar<string>(node) && typeof node.value === 'string') found.push(node);
  }
  return found;
}

function wikilinkIn(value: string): FoundLink | null {
  if (!value.startsWith('[[') || !value.endsWith(']]')) return null;
  const scanner = new InlineScanner(value);
  atOnce(scanner.scan([{ start: 0, end: value.length }]));
  const [link] = scanner.links;
  return link?.kind === 'wiki' && link.start === 0 && link.end === value.length ? link : null;
}
