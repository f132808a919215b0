import { createSocket } from 'node:dgram';

/** Sends datagrams to the X-Ray daemon of this environment; whether they arrive is nobody's concern. */
export function xraySender({
  host,
  port,
}: {
  host: string;
  port: number;
}): (datagram: string) => Promise<void> {
  const socket = createSocket('udp4');
  // A daemon that is not there is told of the datagram before.
  socket.on('error', () => {});
  socket.unref();
  return (datagram) => new Promise((resolve) => socket.send(datagram, port, host, () => resolve()));
}
