import { type Attack, callTool, type Targets } from './attack.ts';

/** Nearly the maximum size of a page. */
const LONGEST = 1_990_000;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** Different words with the same beginning, as many as a page of maximum size holds. */
function differentWords(beginning: string, count: number, endLength: number): string[] {
  return Array.from({ length: count }, (_, place) => {
    let [word, left] = [beginning, place];
    for (let at = 0; at < endLength; at += 1) {
      word += LETTERS[left % LETTERS.length];
      left = Math.floor(left / LETTERS.length);
    }
    return word;
  });
}

function inLines(words: readonly string[]): string {
  const text = words.join(' ').slice(0, LONGEST);
  return text.replace(/(.{90}) /g, '$1\n');
}

function repeated(text: string): string {
  return text.repeat(Math.floor(LONGEST / Buffer.byteLength(text)));
}

/** A search is 1,000 characters at most. */
const longest = (query: string) => query.slice(0, 990).replace(/[/ ][^/ ]*$/, '');
const phrases = (word: string) =>
  longest(
    Array.from(
      { length: 31 },
      (_, at) =>
        `"${Array(at + 1)
          .fill(word)
          .join(' ')}"`,
    ).join(' '),
  );

interface Wiki {
  pages: Record<string, () => string>;
  searches: Record<string, string>;
}

/** Wikis of pages that are slow to search, with the queries. */
const WIKIS: Record<string, Wiki> = {
  words: {
    pages: { Words: () => inLines(differentWords('qab', 280_000, 4)) },
    searches: {
      '190 words that are none': longest(differentWords('q', 190, 3).join('/')),
      '30 words that are none': longest(differentWords('qab', 30, 5).join(' ')),
      'other forms of 30 words': `the ${differentWords('qab', 30, 1)
        .map((word, at) => word + ['s', 'ed', 'ing', 'er', 'ly'][at % 5])
        .join(' ')}`,
      'a beginning of all words': 'q*',
      '30 beginnings': longest(
        differentWords('q', 26, 1)
          .map((word) => `${word}*`)
          .join(' '),
      ),
      'a phrase with a beginning': '"qabaaaa q*"',
    },
  },
  letters: {
    pages: { Letters: () => repeated(`${'a '.repeat(49_900)}\n`) },
    searches: {
      'phrases of up to 31 equal words': phrases('a'),
      'a phrase of equal words and another': `"${'a '.repeat(63)}b" a`,
      'words joined in hundreds': longest(
        Array.from({ length: 8 }, (_, part) => `a/${cyrillic(part * 60, 60).join('/')}`).join(' '),
      ),
      'one of hundreds in each line': longest(`a/${cyrillic(0, 400).join('/')}`),
    },
  },
  lines: {
    pages: { Lines: () => repeated('\n'), Pairs: () => repeated('a b\n') },
    searches: { 'a pair of words': '"a b" c', 'of an empty line': '^$' },
  },
  names: {
    pages: {
      Aliases: () => `---\naliases: [${differentWords('a', 3_500, 4).join(', ')}]\n---\n`,
      Han: () => repeated('一丁七万丈三上下不与丐丑专且世丘丙业丛东丝丢两严丧个中丰串临丸丹为主丽举'),
    },
    searches: {
      'one character': '一',
      'all of a line': '一丁七万丈三上下不与丐丑专且世丘丙业丛东丝丢两严丧个中丰串临丸丹为主丽举',
    },
  },
};

function cyrillic(from: number, count: number): string[] {
  const letters = Array.from({ length: 900 }, (_, at) => String.fromCodePoint(0x400 + at));
  const known = letters.filter((letter) => /\p{Ll}/u.test(letter) && letter.normalize('NFKD') === letter);
  return known.slice(from, from + count);
}

/** Writes the pages once; the first search indexes them. */
function attacksOn([name, { pages, searches }]: [string, Wiki]): Attack[] {
  let wiki: string | null = null;
  async function prepare({ whole }: Targets, round: string) {
    if (wiki === null) {
      await callTool(whole, 'create_wiki', { wiki: `search-${round}` });
      wiki = `search-${round}`;
      for (const [path, content] of Object.entries(pages)) {
        const written = await callTool(whole, 'write_page', { wiki, path, content: content() });
        if (written.code !== 'ok') return written;
      }
    }
    return callTool(whole, 'search_pages', { wiki, query: `hello ${round}` });
  }
  return [
    { name: `${name}: the first search`, on: 'whole', answers: ['ok'], act: prepare },
    ...Object.entries(searches).map(
      ([search, query]): Attack => ({
        name: `${name}: ${search}`,
        on: 'whole',
        answers: ['ok'],
        async act(targets, round) {
          if (wiki === null) await prepare(targets, round);
          const mode = query.startsWith('^') ? 'regex' : 'words';
          return callTool(targets.whole, 'search_pages', { wiki, query, mode });
        },
      }),
    ),
  ];
}

export const searchAttacks: Attack[] = Object.entries(WIKIS).flatMap(attacksOn);
