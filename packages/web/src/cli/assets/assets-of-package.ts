import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import type { SiteAssets } from './site-assets.ts';

/** The assets that the npm package has beside its program; the large ones are files of their own. */
interface BuiltAssets {
  stylesheet: string;
  script: string;
  editor: string;
  diagrams: { digest: string; scripts: string };
  graph: { digest: string };
  staticScripts: { diagrams: string; search: string };
}

/** Writes the assets into the directory of the program, except for the notices of the served pages. */
export async function writeAssets(directory: URL, { served, exported }: SiteAssets): Promise<void> {
  const { stylesheet, script, editor, diagrams, graph } = await served();
  const { scripts: staticScripts, notices } = await exported();
  const built: BuiltAssets = {
    ...{ stylesheet, script, editor, staticScripts },
    diagrams: { digest: diagrams.digest, scripts: diagrams.scripts },
    graph: { digest: graph.digest },
  };
  const files = {
    [ASSETS]: JSON.stringify(built),
    [DIAGRAMS]: diagrams.html(),
    [GRAPH]: graph.text(),
    [STATIC_NOTICES]: notices,
  };
  for (const [file, text] of Object.entries(files)) await writeFile(new URL(file, directory), text);
}

/** Reads the assets from the directory of the program. */
export function assetsOfPackage(directory: URL): SiteAssets {
  const read = (file: string) => readFileSync(new URL(file, directory), 'utf8');
  const load = async () => {
    const built: BuiltAssets = JSON.parse(await readFile(new URL(ASSETS, directory), 'utf8'));
    return { ...built, diagrams: { ...built.diagrams, html: () => read(DIAGRAMS) } };
  };
  return {
    served: async () => {
      const { staticScripts: _, graph, ...served } = await load();
      return { ...served, graph: { ...graph, text: () => read(GRAPH) }, notices: () => read(NOTICES) };
    },
    exported: async () => {
      const { stylesheet, staticScripts, diagrams } = await load();
      return { stylesheet, scripts: staticScripts, diagrams, notices: read(STATIC_NOTICES) };
    },
  };
}

const ASSETS = 'assets.json';
const DIAGRAMS = 'diagrams.html';
const GRAPH = 'graph.js';
/** Everything that lies beside the program. */
const NOTICES = 'THIRD-PARTY-NOTICES.txt';
const STATIC_NOTICES = 'static-site-notices.txt';
