import * as z from 'zod';

/**
 * The form of each client's settings file for servers on standard input and output. VS Code publishes a
 * schema (microsoft/vscode, src/vs/workbench/contrib/mcp/common/mcpConfiguration.ts, read in November 2026),
 * which refuses unknown keys; its rules for such a server are here. The other three publish none: their rules
 * come from their documentation (modelcontextprotocol.io for Claude Desktop, code.claude.com/docs/en/mcp,
 * cursor.com/docs/mcp). Keys that it does not name are refused here, as the client would ignore them.
 */

const words = z.array(z.string());
const environment = z.record(z.string(), z.string());
const name = z.string().min(1);

const claudeDesktop = z.strictObject({
  mcpServers: z.record(
    name,
    z.strictObject({ command: z.string(), args: words.optional(), env: environment.optional() }),
  ),
});

const withType = z.strictObject({
  mcpServers: z.record(
    name,
    z.strictObject({
      type: z.literal('stdio').optional(),
      command: z.string(),
      args: words.optional(),
      env: environment.optional(),
    }),
  ),
});

const vsCode = z.strictObject({
  servers: z.record(
    name,
    z.strictObject({
      type: z.literal('stdio').optional(),
      command: z.string(),
      cwd: z.string().optional(),
      args: words.optional(),
      envFile: z.string().optional(),
      env: z.record(z.string(), z.union([z.string(), z.number(), z.null()])).optional(),
    }),
  ),
  inputs: z.array(z.unknown()).optional(),
});

/** By the page of docs/clients/ that describes the client. Settings for several clients must suit the strictest. */
export const clientSettings = {
  'claude-desktop': claudeDesktop,
  'claude-code': withType,
  cursor: withType,
  'vs-code': vsCode,
  README: claudeDesktop,
} as const;

export type ClientName = keyof typeof clientSettings;
