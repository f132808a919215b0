import { setFlagsFromString } from 'node:v8';

// What the MCP server sets for itself, where it opens a wiki on a local disk; the function of AWS Lambda does not.
if (process.argv[2] === 'local') {
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--optimize-for-size');
}
