import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** Answers GET /BUCKET/KEY with the file below `directory`: all of S3 that the probe asks for, for a laptop. */
export async function serveFilesAsS3(directory: string): Promise<{ endpoint: string; close(): void }> {
  const server = createServer(async (request, response) => {
    const path = join(directory, new URL(request.url ?? '/', 'http://localhost').pathname);
    try {
      const { size } = await stat(path);
      response.writeHead(200, { 'content-length': size, 'content-type': 'application/octet-stream' });
      await pipeline(createReadStream(path, { highWaterMark: 2 ** 20 }), response);
    } catch (error) {
      // The client hears of a cut connection, and reports it.
      response.destroy(error instanceof Error ? error : undefined);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
