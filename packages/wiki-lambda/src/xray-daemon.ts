import { createSocket } from 'node:dgram';

/** Sends datagrams to the X-Ray daemon of this environment, without checking that they arrive. */
export function xraySender({
  host,
  port,
}: {
  host: string;
  port: number;
}): (datagram: string) => Promise<void> {
  const socket = createSocket('udp4');
  // The error of an earlier datagram, because no daemon is running.
  socket.on('error', () => {});
  socket.unref();
  return (datagram) => new Promise((resolve) => socket.send(datagram, port, host, () => resolve()));
}
