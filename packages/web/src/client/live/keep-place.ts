/** Runs `change`, and keeps the text that the reader sees where it is, also if the page above it grows. */
export function keepPlace(change: () => void): void {
  const { style } = document.documentElement;
  // The browser would do the same in its own way, and not every one does.
  style.overflowAnchor = 'none';
  // At the top of the page a reader sees what comes first.
  const anchors = scrollY === 0 ? [] : blocksFromTheTop();
  change();
  const anchor = anchors.find(({ block }) => block.isConnected);
  if (anchor !== undefined) {
    const top = anchor.block.getBoundingClientRect().top - anchor.top;
    scrollBy({ top, behavior: 'instant' });
  }
  requestAnimationFrame(() => style.removeProperty('overflow-anchor'));
}

/** The first blocks of which the reader sees something, or would by scrolling on. The first one may be replaced. */
function blocksFromTheTop(): { block: Element; top: number }[] {
  const found: { block: Element; top: number }[] = [];
  for (const block of document.querySelectorAll('main :is(h1, h2, h3, h4, h5, h6, p, li, tr, pre)')) {
    const { top, bottom } = block.getBoundingClientRect();
    if (bottom > 0) found.push({ block, top });
    if (found.length === MAX_BLOCKS) break;
  }
  return found;
}

const MAX_BLOCKS = 50;
