import { limits } from '../../contract/limits.ts';
import { yielding } from '../../scheduling/yielding.ts';
import { siblingKey } from '../paths/new-names.ts';
import { folderOf, lastPartOf, pagePathOf, refusalOfNewPath, treePathOf } from '../paths/page-path.ts';
import type { Finding } from './finding.ts';

/**
 * Names that no new page or file may have, each once: a folder stands for everything in it. Native git
 * brought them in, or they are older than the rule.
 */
export async function unportableNames(treePaths: readonly string[]): Promise<Finding[]> {
  const yieldIfDue = yielding();
  const places = new Map<string, 'file' | 'folder'>();
  for (const path of treePaths) {
    await yieldIfDue();
    places.set(path, 'file');
    for (let folder = folderOf(path); folder !== '' && !places.has(folder); folder = folderOf(folder)) {
      places.set(folder, 'folder');
    }
  }
  const alike = new Map<string, string[]>();
  for (const path of places.keys()) {
    await yieldIfDue();
    const key = `${folderOf(path)}/${siblingKey(lastPartOf(path))}`;
    const same = alike.get(key);
    if (same === undefined) alike.set(key, [path]);
    else same.push(path);
  }
  const findings: Finding[] = [];
  for (const [path, kind] of places) {
    await yieldIfDue();
    const detail = ruleBrokenBy(path) ?? sameAs(path, alike);
    const named = (kind === 'file' && pagePathOf(path)) || path;
    if (detail !== null) findings.push({ kind: 'unportable_name', path: named, line: null, detail });
  }
  return [...findings, ...hiddenPages(treePaths)].sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Files whose page path another file has in a folder of another Unicode form. In one folder their names are alike. */
function hiddenPages(treePaths: readonly string[]): Finding[] {
  const pages = Map.groupBy(treePaths, (path) => pagePathOf(path));
  return [...pages].flatMap(([path, files]) => {
    if (path === null || files.length === 1) return [];
    const shown = files.find((file) => file === treePathOf(path)) ?? files[0] ?? '';
    const hidden = files.filter((file) => folderOf(file) !== folderOf(shown));
    return hidden.map((file): Finding => {
      const detail = `Nobody can read or edit the file ${JSON.stringify(file)}: ${JSON.stringify(shown)} has the same path in another Unicode form. Rename one of them with git.`;
      return { kind: 'unportable_name', path, line: null, detail };
    });
  });
}

/** Checks the last part alone: the folders above are findings of their own. */
function ruleBrokenBy(path: string): string | null {
  const refusal = refusalOfNewPath(lastPartOf(path)) ?? (isTooLong(path) ? refusalOfNewPath(path) : null);
  if (refusal === null) return null;
  const instead = refusal.suggestion === null ? '' : ` ${JSON.stringify(refusal.suggestion)} would do.`;
  return `As a name for all systems: ${refusal.rule}.${instead}`;
}

function isTooLong(path: string): boolean {
  return path.length > limits.pathCharacters;
}

function sameAs(path: string, alike: ReadonlyMap<string, readonly string[]>): string | null {
  const others = alike.get(`${folderOf(path)}/${siblingKey(lastPartOf(path))}`) ?? [];
  const other = others.find((each) => each !== path);
  if (other === undefined) return null;
  return `It differs from ${JSON.stringify(other)} only in case or in what cannot be seen.`;
}
