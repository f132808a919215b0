import { expect, test } from 'vitest';
import { factsOf } from '../../core/text/markdown/page-facts.ts';
import { atOnce, type Steps } from '../../scheduling/in-turns.ts';
import { createPacer, paced } from '../pacer.ts';
import { languageOfPage } from './languages/language-of.ts';
import { scanWords } from './match-in-memory.ts';
import { rankPages } from './rank-pages.ts';
import { wordSteps } from './terms-of-page.ts';
import { withinTime } from './within-time.ts';
import { readWordsQuery } from './words-query.ts';

async function search(texts: Record<string, string>, query: string) {
  const pages = Object.entries(texts).map(([path, text]) => {
    const facts = factsOf(path, text);
    const columns = atOnce(wordSteps(path, text, facts));
    const language = languageOfPage(text, columns.body, facts.frontmatter);
    const { title, aliases } = facts;
    return { path, version: path, title, aliases, language, columns };
  });
  const matcher = scanWords(pages, '', () => true);
  const found = rankPages(matcher, await readWordsQuery(query), { offset: 0, limit: 10 });
  const { rows, clauses } = atOnce(found);
  return { paths: rows.map(({ path }) => path), terms: clauses.map(({ terms }) => terms.join(' ')) };
}

const en = (text: string) => `This is one of the pages that are here for all of us. ${text}\n`;
const de = (text: string) => `Dies ist eine der Seiten, die für alle von uns da sind. ${text}\n`;
const es = (text: string) => `Esta es una de las páginas que están aquí para todos nosotros. ${text}\n`;
const fr = (text: string) => `Ceci est une des pages qui sont ici pour nous tous. ${text}\n`;
const pt = (text: string) => `Esta é uma das páginas que estão aqui para todos nós. ${text}\n`;
const ru = (text: string) => `Это одна из страниц, которые есть здесь для всех нас. ${text}\n`;

test('stop words find nothing and are no reason for a hit, unless there is nothing else', async () => {
  const texts = {
    Deploy: en('Deploy with care.'),
    Other: en('How do I get to the station, and where is it?'),
  };
  expect(await search(texts, 'how do I deploy it')).toEqual({ paths: ['Deploy'], terms: ['deploy'] });
  expect((await search(texts, 'where is it')).paths).toContain('Other');
  expect((await search(texts, '"where is it"')).paths).toEqual(['Other']);
});

test.for<[question: string, answer: string, other: string, terms: string[]]>([
  [
    'comment faire pour récupérer les données dans le nuage',
    fr('Récupérer des données.'),
    fr('Comment faire du pain : le pain, les pains, dans le four, pour faire du pain.'),
    ['recuperer', 'donnees', 'nuage'],
  ],
  [
    'como é que eu posso fazer o backup dos dados',
    pt('Backup dos dados.'),
    pt('Como fazer o pão, que eu posso fazer, e é o pão dos outros.'),
    ['backup', 'dados'],
  ],
])('stop words are no reason for a hit: %s', async ([question, answer, other, terms]) => {
  expect(await search({ a: other, answer }, question)).toEqual({ paths: ['answer'], terms });
});

test('other forms of a word are found', async () => {
  const texts = { other: en('Something else'), wanted: en('Deployment of a site') };
  expect(await search(texts, 'how are the sites deployed')).toEqual({
    paths: ['wanted'],
    terms: ['sites', 'site', 'deployed', 'deployment'],
  });
  expect((await search(texts, '"sites"')).paths).toEqual([]);
});

test.for<[question: string, text: string, form: string]>([
  ['wie die Häuser aussehen', de('Ein Haus am See.'), 'haus'],
  ['¿dónde están las direcciones?', es('La dirección de un servidor.'), 'direccion'],
  ['где работать с ключами', ru('Секретный ключ.'), 'ключ'],
])('other forms of a word are found by a question in its language: %s', async ([question, text, form]) => {
  const { paths, terms } = await search({ wanted: text }, question);
  expect(paths).toEqual(['wanted']);
  expect(terms).toContain(form);
});

test.for<[text: string, question: string]>([
  [ru('Новая версия'), 'что это за новый'],
  [ru('Новый адрес'), 'что это за новое'],
  [ru('Большая страница'), 'что это за большой'],
  [ru('Большой адрес'), 'что это за большие'],
  [ru('Команда git'), 'что это за командой'],
  [ru('Работает с командой'), 'что это за команда'],
  [ru('Синий цвет'), 'что это за синяя'],
  [ru('Сайта нет'), 'что это за сайт'],
  [ru('Много файлов'), 'что это за файл'],
  [ru('Используйте ключ'), 'как его использует'],
  [ru('Новый адрес'), 'что это за новыи'],
  [es('Las soluciones'), 'qué es una solución'],
  [es('Usa tecnología'), 'qué es lo tecnológico'],
  [fr('Les chevaux'), "qu'est-ce que le cheval"],
  [fr('Le cheval'), 'où sont les chevaux'],
  [fr('Donner du pain'), 'ce sont des données'],
  [fr('Les premières pages'), 'quel est le premier'],
  [fr('Elle récupère tout'), 'comment faire pour récupérer les'],
  [pt('As configurações'), 'qual é a configuração'],
  [pt('A versão nova'), 'quais são as versões'],
  [pt('Muitas variáveis'), 'o que é uma variável'],
  [pt('Uma imagem'), 'onde estão as imagens'],
  [de('Der Fuß'), 'was sind die Füße'],
  [de('Viele Wörter'), 'was ist ein Wort'],
])('forms are found whose endings have marks: %s by "%s"', async ([text, question]) => {
  expect((await search({ wanted: text }, question)).paths).toEqual(['wanted']);
});

test('words without a stop word are found in other forms, by the languages of the wiki', async () => {
  expect(await search({ wanted: 'Restoring pages' }, 'restore page')).toEqual({
    paths: ['wanted'],
    terms: ['restore', 'restoring', 'page', 'pages'],
  });
  const texts = { wanted: de('Ein Haus am See, und ein Bulletin.'), other: en('Something else.') };
  expect(await search(texts, 'Häuser')).toEqual({ paths: ['wanted'], terms: ['hauser', 'haus'] });
  // By the stemmer for Spanish, a language that no page is in, a bullet is a bulletin.
  expect(await search(texts, 'bulletes')).toEqual({ paths: [], terms: ['bulletes'] });
});

test('a German word that is on no page is found in compounds, before words one letter away', async () => {
  const texts = {
    a: de('Die Benutzerverwaltung und die Verwaltunk.'),
    b: de('Ein Kundenverwaltungssystem.'),
    c: de('Die Kundin und die Kunst.'),
  };
  expect(await search(texts, 'Verwaltung')).toEqual({
    paths: ['a'],
    terms: ['verwaltung', 'benutzerverwaltung'],
  });
  expect((await search(texts, 'wo sind die Verwaltungen')).paths).toEqual(['a']);
  expect((await search(texts, 'Benutzer')).paths).toEqual(['a']);
  expect((await search(texts, 'Kunden')).paths).toEqual(['b']);
  expect((await search({ ...texts, d: de('Ein Kunde.') }, 'Kunden')).paths).toEqual(['d']);
  expect((await search(texts, '"Benutzer"')).paths).toEqual([]);
  expect((await search(texts, 'where is the System')).paths).toEqual(['b']);
  // Short words are in many others, and only German joins words.
  expect((await search(texts, 'wo ist die Nutz')).paths).toEqual([]);
  expect((await search({ a: en('A powerhouse.') }, 'power')).paths).toEqual([]);
});

test('other forms of a misspelt word are found', async () => {
  const texts = { a: en('The restored page.'), b: en('Restoring is easy.') };
  expect(await search(texts, 'how to restord')).toEqual({
    paths: ['a', 'b'],
    terms: ['restord', 'restored', 'restoring'],
  });
});

test('among pages with all listed words, exact words rank before other forms', async () => {
  const texts = {
    a: 'lanterns lanterns lanterns gravels gravels gravels',
    b: `lantern gravel ${'and so on '.repeat(20)}`,
  };
  expect((await search(texts, 'lantern gravel')).paths).toEqual(['b', 'a']);
});

test('a stop word ranks pages that match the rest of a short query, and finds no page by itself', async () => {
  const text = 'Something about lanterns. '.repeat(3);
  const texts = { a: en(`${text}Thanks.`), b: en(`${text}While.`), c: en('While we are here.') };
  expect(await search(texts, 'while lanterns')).toEqual({ paths: ['b', 'a'], terms: ['lanterns'] });
});

test('a query ranks pages in its own language first, and also finds others', async () => {
  const texts = {
    'a-german': de('Server, Server und noch ein Server: Backup.'),
    'b-english': en('The backup of a server.'),
  };
  expect((await search(texts, 'where is the server backup')).paths).toEqual(['b-english', 'a-german']);
  expect((await search(texts, 'wo ist das Backup vom Server')).paths).toEqual(['a-german', 'b-english']);
});

test.for<[query: string, texts: Record<string, string>, inSeveral: boolean]>([
  ['world war history causes', { a: 'world history causes', wanted: 'world war causes' }, true],
  ['DOS boot disk floppy', { a: 'boot boot disk disk floppy floppy', wanted: 'DOS boot disk floppy' }, true],
  ['sin cos tan values', { a: 'values', wanted: 'sin sin sin sin sin' }, false],
  ['war hat man die trick', { a: 'a trick', wanted: 'hat hat hat war' }, false],
])('a stop word of another language is a word of the query: %s', async ([query, texts, inSeveral]) => {
  const english = Object.fromEntries(
    [...Object.entries(texts), ['b', 'The history of the world.'], ['c', 'Values.'], ['d', 'No.']].map(
      ([path, text]) => [path, en(String(text))],
    ),
  );
  expect((await search(english, query)).paths[0]).toBe('wanted');
  const foreign = Object.fromEntries(
    [0, 1, 2, 3].flatMap((at) => [
      [`de-${at}`, de(`Das ${at % 2 ? 'war' : 'ist'} die Seite.`)],
      [`es-${at}`, es(`${at % 2 ? 'Dos' : 'Tres'} cosas.`)],
    ]),
  );
  if (inSeveral) expect((await search({ ...english, ...foreign }, query)).paths[0]).toBe('wanted');
});

test('one stop word of a language of the wiki shows the language of a query, unless its other words speak against it', async () => {
  const texts = {
    a: de('Wir wissen, wo der Server ist: Server, Server.'),
    b: en('A server, a server.'),
    c: de('Wo ist es?'),
  };
  expect(await search(texts, 'wo server backup stehen')).toEqual({
    paths: ['a', 'b'],
    terms: ['server', 'backup', 'stehen'],
  });
});

test('a language that hardly any page is in is not preferred', async () => {
  const german = Object.fromEntries(
    Array.from({ length: 60 }, (_, at) => [`page-${at}`, de('Der Text einer Seite.')]),
  );
  const texts = {
    ...german,
    list: en('What went wrong:\n\n- The session could not be saved.\n- The session could not be read.'),
    wanted: `# The session could not be saved\n\n${de('Die Sitzung ließ sich nicht sichern.')}`,
  };
  expect((await search(texts, 'the sesion could not be saved')).paths).toEqual(['wanted', 'list']);
});

test('a page with a Korean word ranks before one with its parts in other words', async () => {
  const texts = {
    a: '블로그 블로그 블로그 블로그 그인사 그인사 그인사 그인사 이야기',
    b: '이것은 로그인 이야기 입니다. 그리고 다른 이야기 입니다.',
  };
  expect((await search(texts, '로그인')).paths).toEqual(['b', 'a']);
});

test('the pairs of a long run do not count as much as so many words', async () => {
  const texts = { a: '发布。文章。', b: 'github' };
  expect((await search(texts, 'github 自动发布文章')).paths).toEqual(['b', 'a']);
});

test('words in the lead of a page count for more than the same words further down', async () => {
  const body = 'Some long text about other things follows here, as it does on most pages.\n'.repeat(20);
  const texts = {
    a: `${en('Nothing about it.')}${body}A word about calendars.\n`,
    b: `${en('It explains calendars.')}${body}`,
  };
  expect((await search(texts, 'calendars')).paths).toEqual(['b', 'a']);
});

test('a page with all listed words ranks before one that has one of them more often', async () => {
  const texts = {
    a: `lantern lantern lantern ${'and so on '.repeat(3)}`,
    b: `lantern gravel ${'and so on '.repeat(9)}`,
    c: `gravel gravel gravel ${'and so on '.repeat(3)}`,
  };
  expect((await search(texts, 'lantern gravel')).paths[0]).toBe('b');
});

test('a phrase is searched whole, beside the beginning of a word', async () => {
  const texts = { a: 'gravel path and lantern', b: 'path of gravel', c: 'lanterns' };
  expect(await search(texts, '"gravel path lan*"')).toEqual({
    paths: ['a', 'c'],
    terms: ['gravel path', 'lan'],
  });
});

test('a search that takes too long is stopped, and says so', async () => {
  function* endless(): Steps<never> {
    for (;;) yield;
  }
  const pacer = createPacer();
  await expect(paced(withinTime(endless(), pacer, 20), pacer)).rejects.toThrow(
    /^too_large: The search took longer than 0\.02 seconds of work and was stopped\. Nothing was found or changed\. /,
  );
});

test('the words of a page and the places of one word are indexed up to a limit that keeps a search quick', () => {
  const different = Array.from({ length: 70_000 }, (_, at) => `w${at}`);
  const facts = factsOf('a', '');
  const { body } = atOnce(wordSteps('a', `${different.join(' ')} w0 ${'again '.repeat(30_000)}`, facts));
  expect(body).toHaveLength(100_001);
  expect(new Set(body).size).toBe(60_001);
  expect(body[59_999]).toBe('w59999');
  expect(body[70_000]).toBe('w0');
  expect(body).not.toContain('again');
  const { body: same } = atOnce(wordSteps('a', 'again '.repeat(30_000), facts));
  expect(same.filter((term) => term === 'again')).toHaveLength(25_000);
});
