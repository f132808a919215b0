/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { drawDiagrams } from './draw-diagrams.ts';
import { previewLinks } from './preview-links.ts';
import { searchAsYouType } from './search-as-you-type.ts';

/** The additions of a browser with scripts. Everything works without them. */
searchAsYouType();
previewLinks();
drawDiagrams();
