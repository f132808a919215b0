/** The parts of the pages that the build makes, in `site.json` beside the function; the frame's HTML is a file of its own. */
export interface BuiltParts {
  /** The digest of everything that was built. */
  build: string;
  stylesheet: string;
  script: string;
  diagrams: { digest: string; scripts: string };
}
