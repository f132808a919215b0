import type { Incoming } from './incoming.ts';

/** The bytes of band 1, until the flush that ends them. `words` takes what the remote says to people on the way. */
export async function* mainBand(
  input: Incoming,
  words: (text: string) => void = () => {},
): AsyncGenerator<Uint8Array> {
  for (let line = await input.next(); line?.kind !== 'flush'; line = await input.next()) {
    if (line === null) throw input.broken('cut_off');
    if (line.kind !== 'data') throw input.broken('pkt_line');
    const [band] = line.data;
    const bytes = line.data.subarray(1);
    if (band === 1) yield bytes;
    else if (band === 2) words(Buffer.from(bytes).toString('utf8'));
    else if (band === 3) throw input.broken('error', Buffer.from(bytes).toString('utf8'));
    else throw input.broken('pkt_line');
  }
}
