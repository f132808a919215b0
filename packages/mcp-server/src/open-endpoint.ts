import { randomBytes } from 'node:crypto';
import type { Backend } from '@pagetree/backends/backend';
import type { Author, Scope } from '@pagetree/wiki/contract';
import packageJson from '../package.json' with { type: 'json' };
import { servedWiki } from './local-files/served-wiki.ts';
import type { Log } from './log.ts';
import type { Admission } from './mcp/http/admission.ts';
import type { Endpoint } from './mcp/http/endpoint.ts';
import { serveHttp } from './mcp/http/serve-http.ts';
import type { ToolSelection } from './mcp/tool-selection.ts';

export interface EndpointOptions extends Admission {
  backend: Backend;
  selection: Extract<ToolSelection, { kind: 'tools' }>;
  /** The directories whose files tools may read and write. */
  files: readonly string[];
  author: Author;
  scope: Scope | null;
  log: Log;
}

/** Serves the wikis of a backend to clients by HTTP. */
export function openEndpoint({ backend, files, selection, ...options }: EndpointOptions): Endpoint {
  return serveHttp({
    ...options,
    ...servedWiki(backend, files, selection.savesFiles),
    tools: selection.names,
    version: packageJson.version,
    watchEveryMs: backend.watchEveryMs,
    now: Date.now,
    randomBytes,
  });
}
