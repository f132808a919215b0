/** The parts of the pages that the build makes, in `site.json` beside the function; the frame's HTML and the script of the graph are files of their own. */
export interface BuiltParts {
  /** The digest of everything that was built. */
  build: string;
  stylesheet: string;
  script: string;
  editor: string;
  graph: { digest: string };
  diagrams: { digest: string; scripts: string };
}
