import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

interface Component {
  name: string;
  version: string;
  group?: string;
  'bom-ref': string;
}

/** The parts of a CycloneDX document that change here. */
interface BillOfMaterials {
  metadata: { component: Component };
  components: Component[];
  dependencies: { ref: string; dependsOn?: string[] }[];
}

/**
 * The bill of materials of pnpm, limited to the packages of which something is bundled. Without its random number and its
 * time, so that the same sources give the same bytes.
 * @param notices the licenses of the bundled packages, which name each of them.
 * @throws Error if pnpm does not know a bundled package.
 */
export async function billOfMaterials(
  { name, version }: { name: string; version: string },
  notices: string,
): Promise<object> {
  const { stdout } = await promisify(execFile)('npx', ['-y', 'pnpm@12', ...FILTERS, ...SBOM], {
    cwd: ROOT,
    maxBuffer: 50_000_000,
  });
  const { serialNumber, ...bill }: BillOfMaterials & { serialNumber: string } = JSON.parse(stdout);
  const { timestamp, ...metadata } = bill.metadata as BillOfMaterials['metadata'] & { timestamp: string };
  const bundled = new Set(
    Array.from(notices.matchAll(/^(\S+) (\S+), license /gm), ([, ...found]) => found.join(' ')),
  );
  // pnpm lists them in another order each time.
  const components = bill.components
    .filter((component) => bundled.has(fullName(component)))
    .toSorted((one, other) => (fullName(one) < fullName(other) ? -1 : 1));
  const missing = bundled.difference(new Set(components.map(fullName)));
  if (missing.size > 0) throw new Error(`pnpm's bill of materials lacks ${[...missing].join(', ')}.`);
  const refs = new Set(components.map((component) => component['bom-ref']));
  const own = {
    ...metadata.component,
    name,
    version,
    purl: purlOf(name, version),
    'bom-ref': purlOf(name, version),
  };
  const dependencies = bill.dependencies
    .filter(({ ref }) => refs.has(ref))
    .toSorted((one, other) => (one.ref < other.ref ? -1 : 1))
    .map(({ ref, dependsOn = [] }) => ({
      ref,
      dependsOn: dependsOn.filter((other) => refs.has(other)).toSorted(),
    }));
  return {
    ...bill,
    metadata: { ...metadata, component: own },
    components,
    dependencies: [{ ref: own['bom-ref'], dependsOn: [...refs] }, ...dependencies],
  };
}

const FILTERS = ['--filter', '@pagetree/mcp-server', '--filter', '@pagetree/web'];
const SBOM = ['sbom', '--prod', '--sbom-format', 'cyclonedx', '--sbom-type', 'application'];

function fullName({ group, name, version }: Component): string {
  return `${group === undefined ? name : `${group}/${name}`} ${version}`;
}

function purlOf(name: string, version: string): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}
