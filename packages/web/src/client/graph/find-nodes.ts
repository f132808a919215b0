import type { Picture } from './picture.ts';

/** A field that highlights the nodes with a text in their title or path; Enter goes to the first of them. */
export function searchField(picture: Picture, status: HTMLElement): HTMLElement {
  const label = document.createElement('label');
  const input = document.createElement('input');
  input.type = 'search';
  label.append('Find in the picture ', input);
  input.addEventListener('input', () => {
    const wanted = input.value.trim();
    const found = picture.highlight(wanted);
    status.textContent = wanted === '' ? '' : `${found} found.`;
  });
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') picture.goToFirst();
  });
  return label;
}
