import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A host of files: it knows the ends of names, and rewrites nothing. Its address has the prefix, and a slash. */
export async function serveFiles(directory: string, prefix = '/some/dir/'): Promise<string> {
  const server = createServer(async ({ url = '' }, response) => {
    const { pathname } = new URL(url, 'http://h');
    const path = decodeURIComponent(pathname.slice(prefix.length));
    const isInside = pathname.startsWith(prefix);
    const file = join(directory, path === '' || path.endsWith('/') ? `${path}index.html` : path);
    const content = isInside ? await readFile(file).catch(() => null) : null;
    if (content === null) response.writeHead(404, { 'content-type': 'text/plain' }).end('Not found');
    else
      response
        .writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' })
        .end(content);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}${prefix}`;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.pdf': 'application/pdf',
  '.txt': 'text/plain',
};
