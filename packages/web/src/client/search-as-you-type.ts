import { fetchPage } from './fetch-page.ts';

/** Lists pages below the search field of the banner while the reader types. */
export function searchAsYouType(): void {
  const form = document.querySelector<HTMLFormElement>('form.find');
  const input = form?.querySelector('input');
  if (!form || !input) return;
  const list = document.createElement('ul');
  list.className = 'found';
  list.hidden = true;
  list.setAttribute('aria-label', 'Pages found');
  const status = document.createElement('p');
  status.className = 'sr-only';
  status.setAttribute('role', 'status');
  form.append(list, status);

  let pending = new AbortController();
  let timer = 0;
  const close = () => {
    pending.abort();
    clearTimeout(timer);
    list.hidden = true;
    status.textContent = '';
  };
  const search = async (query: string) => {
    pending = new AbortController();
    const address = `${form.action}?q=${encodeURIComponent(unfinished(query))}`;
    const found = await fetchPage(address, pending.signal).catch(() => null);
    if (found === null || input.value.trim() !== query) return;
    const links = [...found.querySelectorAll<HTMLAnchorElement>('.hits h2 a')].slice(0, MAX_FOUND);
    list.replaceChildren(...links.map(entryOf));
    list.hidden = links.length === 0;
    status.textContent = links.length === 0 ? 'No page was found.' : `${links.length} pages below the field.`;
  };
  input.addEventListener('input', () => {
    close();
    const query = input.value.trim();
    if (query.length >= 2) timer = window.setTimeout(() => search(query), PAUSE_MS);
  });
  form.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    close();
    input.focus();
  });
  form.addEventListener('focusout', ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node && form.contains(relatedTarget))) close();
  });
}

/** The last word may go on, unless the query has a syntax of its own. */
function unfinished(query: string): string {
  return /[\p{L}\p{N}]$/u.test(query) && !query.includes('"') ? `${query}*` : query;
}

function entryOf(link: HTMLAnchorElement): HTMLElement {
  const entry = document.createElement('li');
  const copy = document.createElement('a');
  copy.setAttribute('href', link.getAttribute('href') ?? '');
  copy.textContent = link.textContent;
  entry.append(copy);
  return entry;
}

const PAUSE_MS = 150;
const MAX_FOUND = 8;
