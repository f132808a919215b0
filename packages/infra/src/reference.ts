import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { configurationSchema } from './configuration/configuration.ts';
import { costReport } from './cost/cost-report.ts';

/**
 * The content of docs/deploy.md between `<!-- name -->` and `<!-- /name -->`: made from the code, never by
 * hand.
 */
const SECTIONS: Readonly<Record<string, () => string>> = { settings: settingsTable, cost: costReport };

/** The configuration for editors. */
export function jsonSchema(): z.core.JSONSchema.JSONSchema {
  return z.toJSONSchema(configurationSchema, { io: 'input' });
}

/** A text with each section of `SECTIONS` brought up to date. */
export function withSections(text: string): string {
  return Object.entries(SECTIONS).reduce((before, [name, content]) => {
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
  const page = fileURLToPath(new URL('../../../docs/deploy.md', import.meta.url));
  writeFileSync(page, withSections(readFileSync(page, 'utf8')));
  const schema = fileURLToPath(new URL('../pagetree.schema.json', import.meta.url));
  writeFileSync(schema, `${JSON.stringify(jsonSchema(), null, 2)}\n`);
}
