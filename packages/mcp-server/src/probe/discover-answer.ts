import {
  CAPABILITIES,
  FIXED,
  FROM_HOME,
  instructions,
  SERVED_VERSION,
  serverInfo,
} from '../mcp/introduction.ts';

/** The line with which the program answers `server/discover` without a scope, as the SDK (2.4.0) writes it. */
export function discoverAnswer(id: string | number, version: string): string {
  const result = {
    supportedVersions: [SERVED_VERSION],
    capabilities: CAPABILITIES,
    instructions: instructions(FROM_HOME),
    resultType: 'complete',
    ...FIXED,
    _meta: { 'io.modelcontextprotocol/serverInfo': serverInfo(version) },
  };
  return `${JSON.stringify({ result, jsonrpc: '2.0', id })}\n`;
}
