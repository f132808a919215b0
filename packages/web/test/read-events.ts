/** A message of a stream of events. */
export interface StreamMessage {
  /** The commit, if the message has one. */
  id: string | null;
  event: string;
  data: unknown;
}

/** The messages of a stream of events, as a browser reads them. A heartbeat is a message of the event `heartbeat`. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamMessage> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
      yield messageOf(text.slice(0, end));
      text = text.slice(end + 2);
    }
  }
}

function messageOf(text: string): StreamMessage {
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(text)?.[1];
  return {
    id: field('id') ?? null,
    event: text.startsWith(':') ? 'heartbeat' : (field('event') ?? ''),
    data: JSON.parse(field('data') ?? 'null'),
  };
}
