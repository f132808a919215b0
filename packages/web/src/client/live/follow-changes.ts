import type { ChangeData } from './change-data.ts';
import { ShownPage } from './shown-page.ts';
import { Status } from './status.ts';

/**
 * Keeps the page as it is in the wiki, if the server says where its changes are sent. Runs before any other script changes
 * the page; `draw` draws what came into it.
 */
export function followChanges(draw: () => void): void {
  const address = document.body.dataset.live;
  if (address === undefined) return;
  const page = new ShownPage(new Status(), draw);
  let source: EventSource | null = null;
  let retry = 0;
  const close = () => {
    clearTimeout(retry);
    source?.close();
    source = null;
  };
  const open = () => {
    if (source !== null || document.hidden) return;
    source = new EventSource(address);
    // Also after the browser has connected again: between the page and the stream, something may have changed.
    source.addEventListener('begun', () => void page.catchUp());
    source.addEventListener('change', ({ data }) => {
      if (page.concerns(JSON.parse(data) as ChangeData)) void page.catchUp();
    });
    source.addEventListener('error', () => {
      // After an answer that is no stream, the browser does not try again.
      if (source?.readyState !== EventSource.CLOSED) return;
      close();
      retry = window.setTimeout(open, RETRY_MS);
    });
  };
  // A browser has six connections to a server: those that nobody looks at must not take them from the others.
  document.addEventListener('visibilitychange', () => (document.hidden ? close() : open()));
  addEventListener('pagehide', close);
  addEventListener('pageshow', open);
  open();
}

const RETRY_MS = 30_000;
