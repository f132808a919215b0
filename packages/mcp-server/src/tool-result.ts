import type { WikiError } from '@pagetree/wiki/contract';

/** What a tool answers, as MCP has it. A type, not an interface, so that it has the index signature that MCP asks for. */
export type ToolResult = {
  content: { type: 'text'; text: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: true;
};

/** Complete twice over: some clients show the model only `structuredContent`, others only the text. */
export function successResult(output: Record<string, unknown>): ToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(output) }], structuredContent: output };
}

/** Clients cut the text of an error near 11,000 characters. */
const errorCharacters = 10_900;

/**
 * The sentence of the error, then its facts, one on a line; texts of several lines, such as a diff, come last,
 * where a cut hurts least. No `structuredContent`: in an error it hides the text from some clients.
 */
export function errorResult(error: WikiError): ToolResult {
  const facts = Object.entries(error.data).filter(([, value]) => value !== undefined);
  const short = facts.filter(([, value]) => !isMultiLine(value));
  const long = facts.filter(([, value]) => isMultiLine(value));
  const lines = [
    error.message,
    ...short.map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`),
    ...long.map(([name, value]) => `${name}:\n${value}`),
  ];
  return { content: [{ type: 'text', text: cut(lines.join('\n'), errorCharacters) }], isError: true };
}

function isMultiLine(value: unknown): boolean {
  return typeof value === 'string' && value.includes('\n');
}

function cut(text: string, characters: number): string {
  if (text.length <= characters) return text;
  const note = '\n[cut here: the whole is longer]';
  return text.slice(0, characters - note.length).toWellFormed() + note;
}
