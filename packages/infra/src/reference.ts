import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { configurationSchema } from './configuration/configuration.ts';
import { costReport, webCostReport } from './cost/cost-report.ts';

/** The pages that have sections, from the root of the repository. */
export const PAGES = ['docs/deploy.md', 'docs/web-on-aws.md'] as const;

/**
 * The content of a page between `<!-- name -->` and `<!-- /name -->`: made from the code, never by
 * hand.
 */
const SECTIONS: Readonly<Record<(typeof PAGES)[number], Readonly<Record<string, () => string>>>> = {
  'docs/deploy.md': { settings: settingsTable, cost: costReport },
  'docs/web-on-aws.md': { cost: webCostReport },
};

/** The configuration for editors. */
export function jsonSchema(): z.core.JSONSchema.JSONSchema {
  return z.toJSONSchema(configurationSchema, { io: 'input' });
}

/** The text of a page with each section brought up to date. */
export function withSections(page: (typeof PAGES)[number], text: string): string {
  return Object.entries(SECTIONS[page]).reduce((before, [name, content]) => {
    const [begin, end] = [`<!-- ${name} -->\n`, `<!-- /${name} -->`];
    const [head, rest] = before.split(begin);
    const [, tail] = rest?.split(end) ?? [];
    if (head === undefined || tail === undefined) throw new Error(`The text has no section "${name}".`);
    return `${head}${begin}\n${content()}\n\n${end}${tail}`;
  }, text);
}

function settingsTable(): string {
  return ['| Setting | Default | |', '| --- | --- | --- |', ...rows('', jsonSchema())].join('\n');
}

function rows(path: string, schema: z.core.JSONSchema.JSONSchema): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => {
    if (typeof inner === 'boolean' || name === '$schema') return [];
    const { items } = inner;
    const list = typeof items === 'object' && !Array.isArray(items) && items.properties ? items : null;
    const nested = inner.properties
      ? rows(`${path}${name}.`, inner)
      : list
        ? rows(`${path}${name}[].`, list)
        : [];
    return inner.description === undefined ? nested : [row(`${path}${name}`, inner), ...nested];
  });
}

function row(name: string, { description, default: value }: z.core.JSONSchema.JSONSchema): string {
  return `| \`${name}\` | ${value === undefined ? '' : `\`${JSON.stringify(value)}\``} | ${description} |`;
}

if (import.meta.main) {
  for (const page of PAGES) {
    const file = fileURLToPath(new URL(`../../../${page}`, import.meta.url));
    writeFileSync(file, withSections(page, readFileSync(file, 'utf8')));
  }
  const schema = fileURLToPath(new URL('../pagetree.schema.json', import.meta.url));
  writeFileSync(schema, `${JSON.stringify(jsonSchema(), null, 2)}\n`);
}
