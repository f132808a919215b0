import { execFile, spawn } from 'node:child_process';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ENVIRONMENT } from '../web/environment-config.ts';

/** Git's own server for HTTP, a process for each request, as web servers run it. */
export async function serveHttpBackend(root: string): Promise<{ origin: string; stop(): Promise<void> }> {
  const { stdout } = await promisify(execFile)('git', ['--exec-path']);
  const program = join(stdout.trim(), 'git-http-backend');
  await promisify(execFile)('git', ['-C', join(root, 'main.git'), 'config', 'http.receivepack', 'true']);
  const server = createServer((request, response) => answer(program, root, request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('git http-backend has no port.');
  return {
    origin: `http://127.0.0.1:${address.port}`,
    stop: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function answer(program: string, root: string, request: IncomingMessage, response: ServerResponse): void {
  const { pathname, search } = new URL(request.url ?? '/', 'http://localhost');
  const header = (name: string) => String(request.headers[name] ?? '');
  const child = spawn(program, [], {
    env: {
      ...ENVIRONMENT,
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      GIT_PROTOCOL: header('git-protocol'),
      HTTP_CONTENT_ENCODING: header('content-encoding'),
      PATH_INFO: decodeURIComponent(pathname),
      QUERY_STRING: search.slice(1),
      REQUEST_METHOD: request.method ?? 'GET',
      CONTENT_TYPE: header('content-type'),
      ...(request.headers['content-length'] && { CONTENT_LENGTH: request.headers['content-length'] }),
      REMOTE_ADDR: '127.0.0.1',
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  request.pipe(child.stdin);
  child.stdin.on('error', () => {});
  let head = Buffer.alloc(0);
  const takeHead = (data: Buffer) => {
    head = Buffer.concat([head, data]);
    const end = head.indexOf('\r\n\r\n');
    if (end < 0) return;
    child.stdout.off('data', takeHead);
    for (const line of head.subarray(0, end).toString().split('\r\n')) {
      const [name = '', value = ''] = line.split(': ');
      if (name === 'Status') response.statusCode = Number.parseInt(value, 10);
      else response.setHeader(name, value);
    }
    response.write(head.subarray(end + 4));
    child.stdout.pipe(response);
  };
  child.stdout.on('data', takeHead);
}
