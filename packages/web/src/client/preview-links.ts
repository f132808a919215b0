import { fetchPage } from './fetch-page.ts';

/** Shows the beginning of a link's target while the pointer or the focus is on the link. */
export function previewLinks(): void {
  const article = document.querySelector('article');
  if (article === null) return;
  const box = document.createElement('div');
  box.className = 'preview';
  box.id = 'ui.preview';
  box.setAttribute('role', 'tooltip');
  box.hidden = true;
  // Within the landmark of its links: a screen reader would not find it outside of all of them.
  (article.closest('main') ?? document.body).append(box);

  let at: Element | null = null;
  let timer = 0;
  let pending = new AbortController();
  const close = () => {
    clearTimeout(timer);
    pending.abort();
    at?.removeAttribute('aria-describedby');
    at = null;
    box.hidden = true;
  };
  const show = async (link: HTMLAnchorElement) => {
    pending = new AbortController();
    const page = await fetchPage(link.href.replace(/#.*/, ''), pending.signal).catch(() => null);
    const text = page === null ? '' : beginningOf(page, link.hash);
    if (text === '' || at !== link) return;
    box.textContent = text;
    box.hidden = false;
    link.setAttribute('aria-describedby', box.id);
    const { left, bottom, top } = link.getBoundingClientRect();
    const { offsetWidth, offsetHeight } = box;
    const isRoom = bottom + offsetHeight + GAP < innerHeight;
    box.style.left = `${scrollX + Math.max(GAP, Math.min(left, innerWidth - offsetWidth - 2 * GAP))}px`;
    box.style.top = `${scrollY + (isRoom ? bottom + GAP : top - offsetHeight - GAP)}px`;
  };
  const begin = ({ target }: Event) => {
    const link = target instanceof Element ? target.closest('a') : null;
    if (link === at) return;
    close();
    if (link === null || !isOtherPage(link)) return;
    at = link;
    timer = window.setTimeout(() => show(link), PAUSE_MS);
  };
  article.addEventListener('pointerover', begin);
  article.addEventListener('pointerleave', close);
  article.addEventListener('focusin', begin);
  article.addEventListener('focusout', close);
  document.addEventListener('keydown', ({ key }) => key === 'Escape' && close());
}

function isOtherPage({ origin, pathname }: HTMLAnchorElement): boolean {
  return origin === location.origin && pathname !== location.pathname && !pathname.startsWith('/_/');
}

/**
 * The beginning of the page, or of the part that the link names, as plain text: no element of the other page gets into
 * this one.
 */
function beginningOf(page: Document, hash: string): string {
  const blocks = [...page.querySelectorAll('article > *')];
  const named = page.getElementById(decodeURIComponent(hash.slice(1)))?.closest('article > *');
  const start = named == null ? 0 : Math.max(0, blocks.indexOf(named));
  const depth = depthOf(blocks[start]);
  // Another part begins at the next heading of this rank or above.
  const next = blocks.findIndex((block, at) => at > start && depthOf(block) <= Math.min(depth, 6));
  const own = blocks.slice(start, named == null || next === -1 ? undefined : next);
  const parts = own.filter((block) => block.matches('h1, h2, h3, h4, h5, h6, p, ul, ol')).slice(0, MAX_PARTS);
  const text = parts.map((part) => part.textContent?.replace(/\s+/g, ' ').trim() ?? '').filter(Boolean);
  const whole = text.join('\n');
  return whole.length > MAX_CHARACTERS ? `${whole.slice(0, MAX_CHARACTERS)}…` : whole;
}

/** The rank of a heading. Below every heading for anything else. */
function depthOf(block: Element | undefined): number {
  return Number(/^H([1-6])$/.exec(block?.tagName ?? '')?.[1] ?? 7);
}

const PAUSE_MS = 300;
const GAP = 8;
const MAX_PARTS = 4;
const MAX_CHARACTERS = 320;
