import type { Backend } from '@pagetree/backends/backend';
import type { AgentsOptions } from './clients/agents.ts';
import { openedOnce } from './site/opened-once.ts';

export interface AgentEndpointsOptions {
  backend: Backend;
  /** False if the process may stop whenever nothing is asked: then clients cannot listen to changes. */
  canListen: boolean;
  log(line: string): void;
}

/** Opens endpoints of agents that act for people, whose wiki is limited already. Loaded when the first of them comes. */
export function agentEndpoints({ backend, canListen, log }: AgentEndpointsOptions): AgentsOptions['open'] {
  const opened = openedOnce(async () =>
    (await import('@pagetree/mcp-server/endpoint')).endpointsForCallers(),
  );
  return async ({ wiki, watched, ...caller }) =>
    (await opened())({
      ...caller,
      backend: { ...backend, wiki },
      watched: canListen ? watched : null,
      log,
    });
}
