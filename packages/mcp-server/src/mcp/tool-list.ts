import { addHints, type OperationName, operations } from '@pagetree/wiki/contract';
import { compactJsonSchema, type JsonSchema } from './json-schema.ts';

/** One tool as MCP lists it. */
export interface ToolDescription {
  name: string;
  title: string;
  description: string;
  inputSchema: JsonSchema & { type: 'object' };
  annotations: {
    readOnlyHint: boolean;
    destructiveHint: boolean;
    idempotentHint: boolean;
    openWorldHint: boolean;
  };
}

/**
 * True if reading tools may also save files on this machine: `offered` with --files, `forbidden` with
 * `--tools read-only`, `impossible` without a folder to save to.
 */
export type FileSaving = 'offered' | 'forbidden' | 'impossible';

/** Operations of the contract as tools. Without a schema of their answers: see ADR 13. */
export function listTools(
  names: readonly OperationName[],
  saving: FileSaving = 'impossible',
): ToolDescription[] {
  return names.map((name) => {
    const { title, description, input, hints } = operations[name];
    const saves = savingTools.has(name);
    const hides = saves && saving === 'forbidden';
    const inputSchema = compactJsonSchema(input);
    return {
      name,
      title,
      description: hides ? description.replace(SAVING, '') : description,
      inputSchema: { ...(hides ? withoutLocalPath(inputSchema) : inputSchema), type: 'object' },
      // A client may run a read-only tool without asking.
      annotations: { ...(saves && saving === 'offered' ? addHints : hints) },
    };
  });
}

function withoutLocalPath(schema: JsonSchema): JsonSchema {
  const { local_path: _, ...properties } = schema.properties as JsonSchema;
  return { ...schema, properties };
}

/** These read the wiki, and can write to this machine. */
const savingTools: ReadonlySet<OperationName> = new Set(['get_attachment', 'export_wiki']);
const SAVING = ', or save it on this machine with local_path';
