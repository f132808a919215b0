import type { WikiError } from '@pagetree/wiki/contract';

/** What a tool answers, as MCP has it. A type, not an interface, so that it has the index signature that MCP asks for. */
export type ToolResult = {
  content: [TextContent, ...(TextContent | FileContent)[]];
  structuredContent?: Record<string, unknown>;
  isError?: true;
};

interface TextContent {
  type: 'text';
  text: string;
}

type FileContent =
  | { type: 'image'; data: string; mimeType: string }
  | { type: 'resource'; resource: { uri: string; mimeType: string } & ({ text: string } | { blob: string }) };

/** Complete twice over: some clients show the model only `structuredContent`, others only the text. */
export function successResult(output: Record<string, unknown>): ToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(output) }], structuredContent: output };
}

/** Clients cut the text of an error near 11,000 characters. */
const errorCharacters = 10_900;

/**
 * The sentences of the error, then the facts that they do not tell already, one on a line. No `structuredContent`: in
 * an error it hides the text from some clients.
 */
export function errorResult(error: WikiError): ToolResult {
  const facts = Object.entries(error.data).filter(
    ([, value]) => isFact(value) && !error.message.includes(String(value)),
  );
  const lines = [error.message, ...facts.map(([name, value]) => `${name}: ${value}`)];
  return { content: [{ type: 'text', text: cut(lines.join('\n'), errorCharacters) }], isError: true };
}

/** What a line can tell; lists and objects are for programs, and the sentences have told them. */
function isFact(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

function cut(text: string, characters: number): string {
  if (text.length <= characters) return text;
  const note = '\n[cut here: the whole is longer]';
  return text.slice(0, characters - note.length).toWellFormed() + note;
}
