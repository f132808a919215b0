/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { drawerOfDiagrams } from './draw-diagrams.ts';
import { followChanges } from './live/follow-changes.ts';
import { previewLinks } from './preview-links.ts';
import { searchAsYouType } from './search-as-you-type.ts';

/** The additions of a browser with scripts. Everything works without them. */
searchAsYouType();
previewLinks();
const drawDiagrams = drawerOfDiagrams();
// Before they are drawn: it compares what the server sent with what it sends later.
followChanges(drawDiagrams);
drawDiagrams();
