import { pktLine } from '@pagetree/wiki/pkt-line';
import type { Capabilities } from './greeting.ts';

/** The lines with which a command of version 2 begins, before its arguments. */
export function commandHead(command: string, capabilities: Capabilities, agentName: string): Buffer[] {
  const lines = [`command=${command}`];
  if (capabilities.has('agent')) lines.push(`agent=${agentName}`);
  if (capabilities.has('object-format')) lines.push('object-format=sha1');
  return lines.map(pktLine);
}
