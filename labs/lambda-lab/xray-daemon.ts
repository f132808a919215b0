import { createSocket } from 'node:dgram';
import { once } from 'node:events';

/** Imitates the X-Ray daemon and keeps the documents that it receives. */
export interface XrayDaemon {
  readonly port: number;
  /** The documents received, oldest first. */
  readonly documents: readonly unknown[];
  close(): void;
}

export async function startXrayDaemon(): Promise<XrayDaemon> {
  const socket = createSocket('udp4');
  const documents: unknown[] = [];
  socket.on('message', (datagram) => {
    const [header = '', document = ''] = splitOnce(datagram.toString(), '\n');
    const { format, version } = JSON.parse(header);
    if (format !== 'json' || version !== 1) throw new Error(`The X-Ray daemon does not know ${header}.`);
    documents.push(JSON.parse(document));
  });
  socket.bind(0);
  await once(socket, 'listening');
  return { port: socket.address().port, documents, close: () => socket.close() };
}

function splitOnce(text: string, separator: string): string[] {
  const at = text.indexOf(separator);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
