import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Call, type OperationName, parseInput, type Wiki } from '@pagetree/wiki/contract';
import { onTestFinished } from 'vitest';
import { openWiki } from '../../../wiki/src/open-wiki.ts';
import { git } from '../../../wiki/test/native-git.ts';
import { quoted } from '../../../wiki/test/operations/local-backends.ts';
import { PLACES, type Place, WIKIS, type WikiName } from './people.ts';

/** A page of each place. */
export const PAGE: Record<Place, string> = {
  '': 'Home',
  'Guides/': 'Guides/Start',
  'Guides/Deep/': 'Guides/Deep/Inner',
  'GuidesX/': 'GuidesX/Near',
  'Private/': 'Private/Plan',
  'Drafts/': 'Drafts/One',
};

/** A word that stands only on the pages and in the commits of this place, and in no other such word. */
export function markOf(wiki: string, place: Place): string {
  return `mark${wiki}${place.replaceAll('/', '').toLowerCase() || 'top'}z`;
}

/** The places of each wiki that are in a world. */
export type Shown = Partial<Record<WikiName, readonly Place[]>>;
export const EVERYTHING: Shown = Object.fromEntries(WIKIS.map((wiki) => [wiki, PLACES]));

export interface World {
  wiki: Wiki;
  directory: string;
  /** The tree of each wiki, as native git sees it. */
  trees(): Promise<string>;
  settle(): Promise<void>;
  /** The commit that wrote the page of a place last, at the beginning; null if there is none. */
  written(wiki: string, place: Place): string | null;
}

/** A directory of wikis that holds these places alone, as if nothing else had ever been there. */
export async function openWorld(shown: Shown, defaultWiki: string): Promise<World> {
  const directory = mkdtempSync(join(tmpdir(), 'pagetree-test-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const written = new Map<string, string>();
  for (const [wiki, places] of Object.entries(shown)) {
    const repository = join(directory, `${wiki}.git`);
    git(directory, ['init', '--quiet', '--bare', '--initial-branch=main', repository]);
    git(repository, ['fast-import', '--quiet'], streamOf(wiki, places));
    for (const line of git(repository, ['log', '--format=%H %s', 'main']).split('\n')) {
      const [commit = '', ...subject] = line.split(' ');
      if (!written.has(subject.join(' '))) written.set(subject.join(' '), commit);
    }
  }
  const host = { backend: 'local', versions: { pagetree: '0' }, problems: ['A fault of the host.'] };
  const opened = await openWiki({ directory, wiki: defaultWiki, placement: 'local', host });
  onTestFinished(() => opened.close());
  return {
    wiki: opened.wiki,
    directory,
    settle: opened.settle,
    async trees() {
      await opened.settle();
      const names = readdirSync(directory)
        .filter((name) => name.endsWith('.git'))
        .sort();
      return names
        .map((name) => `${name} ${git(join(directory, name), ['rev-parse', 'main^{tree}'])}`)
        .join('\n');
    },
    written: (wiki, place) => written.get(`Write again ${markOf(wiki, place)}`) ?? null,
  };
}

/** Calls an operation as a client does. */
export function run(wiki: Wiki, name: OperationName, input: object, call: Call): Promise<unknown> {
  const method = wiki[name] as (input: unknown, call: Call) => Promise<unknown>;
  return method(parseInput(name, input), call);
}

interface Commit {
  place: Place;
  message: string;
  /** By tree path; null deletes. */
  files: Record<string, string | null>;
}

/** Commits of each place, taking turns; each changes one place, so that no message is kept back, but for a move. */
function historyOf(wiki: string): Commit[] {
  const each = (make: (place: Place, mark: string) => Omit<Commit, 'place'>) =>
    PLACES.map((place) => ({ place, ...make(place, markOf(wiki, place)) }));
  return [
    ...each((place, mark) => ({
      message: `Write ${mark}`,
      files: { [`${PAGE[place]}.md`]: textOf(place, mark, 'first'), [`${place}own.png`]: `image ${mark}` },
    })),
    ...each((place, mark) => ({
      message: `Bring ${mark}`,
      files: { [`${place}Gone.md`]: `Gone ${mark}.\n`, [`${place}Old.md`]: longText(mark) },
    })),
    ...each((place, mark) => ({
      message: `Take ${mark}`,
      files: { [`${place}Gone.md`]: null, [`${place}Old.md`]: null, [`${place}New.md`]: longText(mark) },
    })),
    ...each((place, mark) => ({
      message: `Write again ${mark}`,
      files: { [`${PAGE[place]}.md`]: textOf(place, mark, 'second') },
    })),
  ];
}

export function textOf(place: Place, mark: string, state: string): string {
  const links = PLACES.map((other) => `[[${PAGE[other]}]]`).join(' ');
  return `---\naliases: [Alias of ${mark}]\ntags: [${mark}]\n---\n# Title ${mark}\n\nA zebra in its ${state} state. ![[${place}own.png]]\n\n## Links\n\n${links} [[Gone]] [[New]] Inner Near Plan One.\n`;
}

function longText(mark: string): string {
  return `# Long\n\n${`${mark} has a line of its own\n`.repeat(20)}`;
}

function streamOf(wiki: string, places: readonly Place[]): Buffer {
  const commits = historyOf(wiki).filter(({ place }) => places.includes(place));
  const chunks = commits.flatMap(({ place, message, files }, at) => {
    const mark = markOf(wiki, place);
    const changes = Object.entries(files).map(([path, text]) =>
      text === null
        ? `D ${quoted(path)}\n`
        : `M 100644 inline ${quoted(path)}\ndata ${Buffer.byteLength(text)}\n${text}\n`,
    );
    const date = 1_700_000_000 + historyOf(wiki).findIndex((commit) => commit.message === message) * 1_000;
    return [
      `commit refs/heads/main\nmark :${at + 1}\ncommitter ${mark} <${mark}@example.org> ${date} +0000\n`,
      `data ${message.length}\n${message}\n`,
      ...changes,
    ];
  });
  return Buffer.from(chunks.join(''));
}
