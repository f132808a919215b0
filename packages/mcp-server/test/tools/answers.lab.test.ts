import type { OperationName } from '@pagetree/wiki/contract';
import { aroundEach, isOperationName, limits } from '@pagetree/wiki/contract';
import { describe, expect, test } from 'vitest';
import { inProcess } from '../../../wiki/test/operations/local-backends.ts';
import { operationSuite } from '../../../wiki/test/operations/operation-suite.ts';
import type { Backend } from '../../../wiki/test/operations/test-wiki.ts';
import { answerText } from '../../src/mcp/answers/answer-text.ts';
import { toolNames } from '../../src/mcp/tool-selection.ts';
import { missingFrom } from './needed-values.ts';

const sizes = new Map<OperationName, { answers: number; text: number; json: number }>();

/** Every answer that the operation suite gets, also as a model reads it. */
const asText: Backend = {
  name: 'as text',
  async open(files) {
    const opened = await inProcess.open(files);
    const wiki = aroundEach(
      async () => opened.wiki,
      async (name, run) => {
        const output = await run();
        if (isOperationName(name) && toolNames.includes(name))
          compare(name, output as Record<string, unknown>);
        return output;
      },
    );
    return { ...opened, wiki };
  },
};

function compare(name: OperationName, output: Record<string, unknown>): void {
  // The bytes of a file are shown apart.
  const json = JSON.stringify(output, (key, value) => (key === 'content' && BYTES.has(name) ? null : value));
  const text = answerText(name, JSON.parse(json));
  expect(missingFrom(text, name, JSON.parse(json)), `${name}\n${text}\n${json}`).toEqual([]);
  expect(text.length, name).toBeLessThanOrEqual(limits.replyCharacters);
  const sum = sizes.get(name) ?? { answers: 0, text: 0, json: 0 };
  sizes.set(name, { answers: sum.answers + 1, text: sum.text + text.length, json: sum.json + json.length });
}

const BYTES: ReadonlySet<OperationName> = new Set(['get_attachment', 'export_wiki']);

describe('no answer of the operation suite lacks in its text what a next call needs', () =>
  operationSuite(asText));

test('every tool was answered, and no text of a tool is longer than its JSON in sum', () => {
  const unseen = toolNames.filter((name) => !sizes.has(name));
  expect(unseen).toEqual([]);
  expect([...sizes].filter(([, { text, json }]) => text > json).map(([name]) => name)).toEqual([]);
});
