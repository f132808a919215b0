import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { type Configuration, configurationSchema, parseConfiguration } from './configuration.ts';

/** A configuration file that cannot be used: every problem in it, a sentence each. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
  readonly problems: readonly string[];

  constructor(file: string, problems: readonly string[], options?: ErrorOptions) {
    super([`${file} cannot be used. Nothing was changed.`, ...problems].join('\n'), options);
    this.problems = problems;
  }
}

/** @throws ConfigurationError */
export function readConfiguration(file: string): Configuration {
  const json = readJson(file);
  try {
    return parseConfiguration(json);
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    throw new ConfigurationError(
      file,
      error.issues.flatMap((issue) => sentences(issue, json)),
      { cause: error },
    );
  }
}

function readJson(file: string): unknown {
  let content: string;
  try {
    content = readFileSync(file, 'utf8');
  } catch (error) {
    const reason =
      error instanceof Error && 'code' in error && error.code === 'ENOENT'
        ? 'It does not exist'
        : 'It cannot be read';
    throw new ConfigurationError(file, [`${reason}.`], { cause: error });
  }
  try {
    return JSON.parse(content.replace(/^\uFEFF/, ''));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigurationError(file, [`It is not JSON: ${reason}.`], { cause: error });
  }
}

function sentences(issue: z.core.$ZodIssue, json: unknown): string[] {
  const name = issue.path.join('.');
  if (issue.code === 'unrecognized_keys') {
    const known = settingsAt(issue.path);
    const where = name === '' ? '' : ` of ${name}`;
    return issue.keys.map(
      (key) => `"${key}" is not a setting${where}. The settings there are ${known.join(', ')}.`,
    );
  }
  if (name === '') return ['It must be one JSON object, such as {}.'];
  const value = valueAt(json, issue.path);
  if (issue.code === 'custom' && issue.params?.isSentence) return [issue.message];
  const message =
    issue.code === 'invalid_type' && issue.expected === 'object'
      ? `must be ${value === undefined ? 'given' : 'an object, such as {}'}`
      : issue.message;
  return [`${name} ${message}${value === undefined ? '' : `; it is ${JSON.stringify(value)}`}.`];
}

function settingsAt(path: readonly PropertyKey[]): string[] {
  let schema: unknown = configurationSchema;
  for (const part of [...path, null]) {
    while (
      schema instanceof z.ZodPrefault ||
      schema instanceof z.ZodOptional ||
      schema instanceof z.ZodDefault
    )
      schema = schema.unwrap();
    if (part === null) break;
    if (schema instanceof z.ZodObject) schema = schema.shape[String(part)];
    else if (schema instanceof z.ZodArray) schema = schema.element;
  }
  return schema instanceof z.ZodObject ? Object.keys(schema.shape).filter((key) => key !== '$schema') : [];
}

function valueAt(json: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, part) => (typeof value === 'object' && value !== null ? Reflect.get(value, part) : undefined),
    json,
  );
}
