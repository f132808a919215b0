import type { IndexDatabase, Row } from './index-database.ts';
import { filterCondition, type PageFilter } from './page-filter.ts';
import { columnWeights, type Match, type WordMatcher } from './page-search.ts';
import { isOneLetterAway } from './spelling.ts';
import { compareText } from './text-order.ts';
import type { Clause } from './words-query.ts';
import { reverse } from './write-pages.ts';

/** Finds words through FTS5. */
export function queryWords(database: IndexDatabase, filter: PageFilter): WordMatcher {
  const { condition, values } = filterCondition(filter);
  const isFiltered = condition !== '1';
  const joined = isFiltered
    ? 'JOIN pages ON pages.id = words.rowid JOIN paths ON paths.id = words.rowid'
    : '';

  const matching = (match: Match, except: Match | null) => {
    const but = except === null ? '' : 'AND words.rowid NOT IN (SELECT rowid FROM words WHERE words MATCH ?)';
    return {
      where: `WHERE words MATCH ? ${but} ${isFiltered ? `AND ${condition}` : ''}`,
      values: [expression(match), ...(except === null ? [] : [expression(except)]), ...values],
    };
  };

  const below = filterCondition({ prefix: filter.prefix });
  /** In the folder that is searched, so that what is elsewhere has no say in it. */
  const pagesWith = (term: string) => {
    const known = Number(database.value('SELECT doc FROM vocabulary WHERE term = ?', term) ?? 0);
    if (known === 0 || filter.prefix === '') return known;
    return Number(
      database.value(
        `SELECT count(*) FROM words JOIN paths ON paths.id = words.rowid WHERE words MATCH ? AND ${below.condition}`,
        phrase({ terms: [term], prefix: false, quoted: false }),
        ...below.values,
      ),
    );
  };

  return {
    count(match, except) {
      const { where, values } = matching(match, except);
      return Number(database.value(`SELECT count(*) FROM words ${joined} ${where}`, ...values));
    },

    ranked(match, except, { title, offset, limit }) {
      const { where, values } = matching(match, except);
      const select = `SELECT words.rowid AS id, -bm25(words, ${weights}) AS score FROM words ${joined} ${where}`;
      const top = bestRows(database, select, values, offset + limit);
      const named = database.all(
        `${select} AND words.rowid IN (SELECT id FROM pages WHERE title_terms = ?)`,
        ...values,
        title,
      );
      const isNamed = new Set(named.map(({ id }) => id));
      return [...named, ...top.filter(({ id }) => !isNamed.has(id))]
        .map(({ id, score }) => ({
          path: String(database.value('SELECT path FROM paths WHERE id = ?', Number(id))),
          score: Number(score),
          named: isNamed.has(id) ? 1 : 0,
        }))
        .sort((a, b) => b.named - a.named || b.score - a.score || compareText(a.path, b.path))
        .slice(offset, offset + limit)
        .map(({ path, score }) => ({ path, score }));
    },

    similarTerms(term, most) {
      const half = Math.ceil([...term].length / 2) - 1;
      const start = [...term].slice(0, half).join('');
      const end = [...reverse(term)].slice(0, half).join('');
      const near = database
        .all(
          `SELECT term FROM spellings WHERE term >= ?1 AND term < ?1 || char(0x10ffff)
           UNION SELECT term FROM spellings WHERE reversed >= ?2 AND reversed < ?2 || char(0x10ffff)`,
          start,
          end,
        )
        .map(({ term: other }) => String(other))
        .filter((other) => isOneLetterAway(term, other));
      return near
        .map((other) => ({ other, pages: pagesWith(other) }))
        .filter(({ pages }) => pages > 0)
        .sort((a, b) => b.pages - a.pages || compareText(a.other, b.other))
        .slice(0, most)
        .map(({ other }) => other);
    },
  };
}

const weights = `${columnWeights.title}, ${columnWeights.headings}, ${columnWeights.path}, ${columnWeights.body}`;

/** The first `most` rows by score, and among those of the same score by path. */
function bestRows(
  database: IndexDatabase,
  select: string,
  values: readonly (string | number)[],
  most: number,
): Row[] {
  const rows = database.all(`${select} ORDER BY score DESC LIMIT ?`, ...values, most + 1);
  const [last, next] = [rows[most - 1], rows[most]];
  if (last === undefined || next === undefined || Number(next.score) < Number(last.score)) return rows;
  // Only where the end falls among equals must their paths be looked up: they may be most of the wiki.
  return database.all(
    `WITH found AS MATERIALIZED (${select})
     SELECT id, score FROM found JOIN paths USING (id) WHERE score >= ? ORDER BY score DESC, path LIMIT ?`,
    ...values,
    Number(last.score),
    most,
  );
}

/** A match in the language of FTS5. Terms hold no quotation mark, so they need no escaping. */
function expression({ every, groups }: Match): string {
  const parts = groups.map((group) => `(${group.map(phrase).join(' OR ')})`);
  return parts.join(every ? ' AND ' : ' OR ');
}

function phrase({ terms, prefix }: Clause): string {
  return `"${terms.join(' ')}"${prefix ? ' *' : ''}`;
}
