import { installRuntimeClient } from './lambda-lab/runtime-client.ts';

/**
 * Compiles the runtime client beside the first labs of the gate, so that two labs that need it at once do not both
 * compile it. The lab that needs it tries again after a failure, and reports it.
 */
export function setup(): () => Promise<unknown> {
  const compiled = installRuntimeClient().catch(() => undefined);
  return () => compiled;
}
