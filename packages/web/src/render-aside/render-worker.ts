import { parentPort } from 'node:worker_threads';
import type { EmbeddedPage } from '../render/page-part.ts';
import { renderPage } from '../render/render-page.ts';
import type { FromWorker, RenderJob, ToWorker } from './messages.ts';

/** The thread of `PageRenderer` in which pages are rendered. */
const port = parentPort;
let giveEmbedded: (found: EmbeddedPage | null) => void = () => {};

port?.on('message', (message: ToWorker) => {
  if (message.kind === 'embedded') giveEmbedded(message.found);
  else void render(message.job);
});

async function render({ markdown, path, links }: RenderJob): Promise<void> {
  send({ kind: 'begun' });
  try {
    send({ kind: 'rendered', page: await renderPage(markdown, { path, links, embed }) });
  } catch (error) {
    send({ kind: 'failed', error });
  }
}

function embed(written: string, from: string): Promise<EmbeddedPage | null> {
  return new Promise((resolve) => {
    giveEmbedded = resolve;
    send({ kind: 'embed', written, from });
  });
}

function send(message: FromWorker): void {
  port?.postMessage(message);
}
