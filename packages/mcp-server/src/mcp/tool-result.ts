import { cutError, type OperationName, type WikiError } from '@pagetree/wiki/contract';
import { answerText } from './answers/answer-text.ts';

/**
 * The answer of a tool in MCP's form. A type, not an interface, so that it has the index signature that MCP
 * requires.
 */
export type ToolResult = {
  content: [TextContent, ...(TextContent | FileContent)[]];
  structuredContent?: Record<string, unknown>;
  isError?: true;
};

interface TextContent {
  type: 'text';
  text: string;
}

export type FileContent =
  | { type: 'image'; data: string; mimeType: string }
  | { type: 'resource'; resource: { uri: string; mimeType: string } & ({ text: string } | { blob: string }) };

/** The text is for models. The structured form is for programs, and only where it is asked for: see ADR 13. */
export function successResult(
  name: OperationName,
  output: Record<string, unknown>,
  structured: boolean,
  asked: object = {},
): ToolResult {
  const content: ToolResult['content'] = [{ type: 'text', text: answerText(name, output, { ...asked }) }];
  return structured ? { content, structuredContent: output } : { content };
}

/** Clients cut the text of an error near 11,000 characters. */
const errorCharacters = 10_900;

/**
 * The sentences of the error, then the facts that they do not contain, one on a line. No `structuredContent`:
 * in an error it hides the text from some clients.
 */
export function errorResult(error: WikiError): ToolResult {
  const facts = Object.entries(error.data).filter(
    ([, value]) => isFact(value) && !error.message.includes(String(value)),
  );
  const lines = [error.message, ...facts.map(([name, value]) => `${name}: ${shown(value)}`)];
  return { content: [{ type: 'text', text: cut(lines.join('\n'), errorCharacters) }], isError: true };
}

/**
 * Quotes a text of more than one word, which may come from a page: in quotation marks it cannot look like a
 * sentence of ours.
 */
function shown(value: unknown): string {
  return typeof value === 'string' && !/^[\w.:+-]*$/.test(value) ? JSON.stringify(value) : String(value);
}

/**
 * True for a value that fits on a line. Lists and objects are for programs, and the sentences contain them
 * already.
 */
function isFact(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

function cut(text: string, characters: number): string {
  if (text.length <= characters) return text;
  const note = '\n[cut here: the whole is longer]';
  return cutError(text, characters - note.length) + note;
}
