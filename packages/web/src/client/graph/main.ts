/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { showGraph } from './show-graph.ts';

/** The picture above the list of links. The list has everything that it shows. */
for (const place of document.querySelectorAll<HTMLElement>('.graph')) void showGraph(place);
