/** Runs native git in the repository of a wiki. */
export interface NativeGit {
  git(args: readonly string[], options?: { input?: string; env?: Record<string, string> }): Promise<string>;
}

export interface StoredFile {
  path: string;
  version: string;
}

/** The wiki at the time of a step. */
export interface State {
  pages: (StoredFile & { text: string })[];
  files: StoredFile[];
  /** Every version of every file that the branch ever had, by its path in the tree. */
  past: StoredFile[];
  /** Newest first. */
  commits: string[];
}

export async function stateOf(wiki: NativeGit): Promise<State> {
  const listed = (await wiki.git(['ls-tree', '-r', '-z', 'main'])).split('\0').filter(Boolean);
  const entries = listed.map((line) => {
    const [facts = '', path = ''] = line.split('\t');
    return { path, version: facts.split(' ')[2] ?? '' };
  });
  const isPage = ({ path }: StoredFile) => path.endsWith('.md');
  const pages = entries.filter(isPage);
  const objects = await wiki.git(['rev-list', '--objects', '--filter=object:type=blob', 'main']);
  const named = objects.split('\n').filter((line) => line.includes(' '));
  const texts = await textsOf(wiki, pages);
  return {
    pages: pages.map(({ path, version }, at) => ({
      path: path.slice(0, -3),
      version,
      text: texts[at] ?? '',
    })),
    files: entries.filter((entry) => !isPage(entry)),
    past: named.map((line) => ({ path: line.slice(41), version: line.slice(0, 40) })),
    commits: (await wiki.git(['rev-list', 'main'])).split('\n'),
  };
}

export function at<Item>(items: readonly Item[], number: number): Item | null {
  return items[number % Math.max(1, items.length)] ?? null;
}

async function textsOf(wiki: NativeGit, pages: readonly StoredFile[]): Promise<string[]> {
  const input = pages.map(({ version }) => `${version}\n`).join('');
  const batch = await wiki.git(['cat-file', '--batch'], { input });
  return batch.split(/^[0-9a-f]{40} blob \d+\n/m).slice(1);
}
