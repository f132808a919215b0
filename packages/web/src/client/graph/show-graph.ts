import { searchField } from './find-nodes.ts';
import type { GraphData } from './graph-data.ts';
import { Picture } from './picture.ts';

/** Reads the graph, and draws it with a field that finds nodes. */
export async function showGraph(place: HTMLElement): Promise<void> {
  const status = document.createElement('p');
  status.setAttribute('role', 'status');
  const canvas = document.createElement('div');
  canvas.className = 'graph-picture';
  place.append(status, canvas);
  try {
    const answer = await fetch(place.dataset.graph ?? '');
    if (!answer.ok) throw new Error(`The graph was answered ${answer.status}.`);
    const data: GraphData = await answer.json();
    canvas.setAttribute('role', 'img');
    const shown = `${data.nodes.length} ${data.of} and the links between them`;
    canvas.setAttribute('aria-label', `Picture of ${shown}. The list below has the same.`);
    const picture = new Picture(canvas, data);
    place.prepend(searchField(picture, status));
    await picture.drawManyLinks();
    place.dataset.drawn = String(data.nodes.length);
  } catch {
    // Without WebGL, or without an answer.
    canvas.remove();
    status.className = 'notice';
    status.textContent = 'The picture cannot be drawn here. The list below has the same.';
    place.classList.add('undrawn');
  }
}
