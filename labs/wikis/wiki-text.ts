/** The shape of a made-up wiki. The same shape is always the same wiki, byte by byte. */
export interface WikiShape {
  pages: number;
  /** The first makes all pages, each further one changes one page. */
  commits: number;
  /** 200 if absent; Infinity for a wiki without folders. */
  pagesPerFolder?: number;
  /** 1 if absent. */
  seed?: number;
}

const FOLDERS_PER_SECTION = 200;
const PARAGRAPHS = 8;
const WORDS = 3000;

/** The tree path of a page, such as `topic-012/page-002431.md`; of more than 200 folders each 200 share a section. */
export function pagePath({ pages, pagesPerFolder = 200 }: WikiShape, page: number): string {
  const name = `page-${String(page).padStart(6, '0')}.md`;
  if (pages <= pagesPerFolder) return name;
  const folder = Math.floor(page / pagesPerFolder);
  const topic = `topic-${String(folder).padStart(3, '0')}/${name}`;
  if (pages / pagesPerFolder <= FOLDERS_PER_SECTION) return topic;
  return `section-${String(Math.floor(folder / FOLDERS_PER_SECTION)).padStart(2, '0')}/${topic}`;
}

/** The page that commit number `commit` (from 1 on) changes. */
export function changedPage({ pages, seed = 1 }: WikiShape, commit: number): number {
  return Math.floor(randomNumbers(seed * 7919 + commit)() * pages);
}

/**
 * A page's text after its first `changes` changes: about 2.4 KB of words of uneven frequency, with links to other
 * pages. Each change writes one paragraph anew.
 */
export function pageText(shape: WikiShape, page: number, changes: number): string {
  const { seed = 1 } = shape;
  const written = Array.from({ length: PARAGRAPHS }, () => 0);
  for (let change = 1; change <= changes; change += 1) written[(page + change) % PARAGRAPHS] = change;
  const paragraphs = written.map((change, number) => {
    const random = randomNumbers(((seed * 1_000_003 + page) * 31 + number) * 97 + change);
    const link = pagePath(shape, Math.floor(random() * shape.pages)).replace(/\.md$/, '');
    return `## ${sentence(random, 3)}\n\n${sentence(random, 38)}. See [[${link}]].\n`;
  });
  return `# ${sentence(randomNumbers(seed + page), 4)} ${page}\n\n${paragraphs.join('\n')}`;
}

function sentence(random: () => number, words: number): string {
  return Array.from({ length: words }, () => word(Math.floor(random() ** 2.5 * WORDS))).join(' ');
}

const SYLLABLES = 'ka to ri ma no se lu vi da pe go hu ny ze ba fi wo ce ju xa'.split(' ');

function word(rank: number): string {
  let text = SYLLABLES[rank % SYLLABLES.length] as string;
  for (let rest = rank; rest >= SYLLABLES.length; ) {
    rest = Math.floor(rest / SYLLABLES.length);
    text += SYLLABLES[rest % SYLLABLES.length];
  }
  return `${text}n`;
}

/** mulberry32: numbers from 0 up to 1 that depend on the seed alone. */
export function randomNumbers(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
