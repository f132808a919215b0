import { randomBytes } from 'node:crypto';
import type { Backend } from '@pagetree/backends/backend';
import type { Author, Scope } from '@pagetree/wiki/contract';
import packageJson from '../package.json' with { type: 'json' };
import { servedWiki } from './local-files/served-wiki.ts';
import type { Log } from './log.ts';
import { type Admission, refusalOf } from './mcp/http/admission.ts';
import {
  ALONE,
  type Endpoint,
  type EndpointBounds,
  type EndpointHost,
  EndpointRoom,
} from './mcp/http/endpoint.ts';
import { type HttpHost, serveHttp } from './mcp/http/serve-http.ts';
import { presets, type ToolSelection, toolNames } from './mcp/tool-selection.ts';

export interface EndpointOptions extends Admission, Omit<ServedOptions, 'watched'> {}

interface ServedOptions {
  backend: Backend;
  selection: Extract<ToolSelection, { kind: 'tools' }>;
  /** The directories whose files tools may read and write. */
  files: readonly string[];
  author: Author;
  scope: Scope | null;
  watched: HttpHost['watched'];
  log: Log;
}

/** Serves the wikis of a backend to clients by HTTP. */
export function openEndpoint({ hosts, token, ...options }: EndpointOptions): Endpoint {
  const refused = (request: Request) => refusalOf(request, { hosts, token });
  return serve(
    { ...options, watched: options.backend.wiki },
    { refusalOf: refused, room: new EndpointRoom(), bounds: ALONE },
  );
}

/** A caller whose requests others have let in. */
export interface Caller extends Pick<ServedOptions, 'backend' | 'author' | 'log' | 'watched'> {
  /** True if it can change nothing: it is offered no tool for that. */
  onlyReads: boolean;
}

/** Makes endpoints for many callers: together they take no more memory than one. */
export function endpointsForCallers(): (caller: Caller) => Endpoint {
  const room = new EndpointRoom();
  const own = { refusalOf: () => null, room, bounds: ONE_OF_MANY };
  return ({ onlyReads, ...caller }) => {
    const names = [...(onlyReads ? (presets['read-only'] ?? []) : toolNames)];
    return serve(
      { ...caller, selection: { kind: 'tools', names, savesFiles: true }, files: [], scope: null },
      own,
    );
  };
}

/** A caller leaves turns to the others. */
const ONE_OF_MANY: EndpointBounds = { answered: 8, waiting: 100 };

function serve(
  { backend, files, selection, ...options }: ServedOptions,
  own: Pick<EndpointHost, 'refusalOf' | 'room' | 'bounds'>,
): Endpoint {
  return serveHttp({
    ...options,
    ...own,
    ...servedWiki(backend, files, selection.savesFiles),
    tools: selection.names,
    version: packageJson.version,
    watchEveryMs: backend.watchEveryMs,
    now: Date.now,
    randomBytes,
  });
}
