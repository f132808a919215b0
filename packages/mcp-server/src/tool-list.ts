import { type OperationName, operations } from '@pagetree/wiki/contract';
import { compactJsonSchema, type JsonSchema } from './json-schema.ts';

/** One tool as MCP lists it. */
export interface ToolDescription {
  name: string;
  title: string;
  description: string;
  inputSchema: JsonSchema & { type: 'object' };
  outputSchema: JsonSchema & { type: 'object' };
  annotations: {
    readOnlyHint: boolean;
    destructiveHint: boolean;
    idempotentHint: boolean;
    openWorldHint: boolean;
  };
}

/** Operations of the contract as tools. */
export function listTools(names: readonly OperationName[]): ToolDescription[] {
  return names.map((name) => {
    const { title, description, input, output, hints } = operations[name];
    return {
      name,
      title,
      description,
      inputSchema: { ...compactJsonSchema(input, 'input'), type: 'object' },
      outputSchema: { ...compactJsonSchema(output, 'output'), type: 'object' },
      annotations: { ...hints },
    };
  });
}
