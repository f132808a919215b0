/// <reference lib="dom" />
import { drawerOfDiagrams } from './draw-diagrams.ts';

/** The script of a page with diagrams in a static site. */
drawerOfDiagrams()();
