import { setFlagsFromString } from 'node:v8';

// The same settings as the MCP server's for a wiki on a local disk; the function of AWS Lambda does not have
// them.
if (process.argv[2] === 'local') {
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--optimize-for-size');
}
