import type { Context } from 'hono';
import { allowScript } from './headers.ts';

/** The script that draws the graph of links, loaded by its view alone. */
export interface GraphScript {
  text(): string;
  digest: string;
}

export function graphScriptAddress({ digest }: GraphScript): string {
  return `/_/graph.${digest}.js`;
}

/** Lets the answer run the script, and returns its address. */
export function useGraphScript(context: Context, script: GraphScript): string {
  const address = graphScriptAddress(script);
  allowScript(context, address);
  return address;
}
