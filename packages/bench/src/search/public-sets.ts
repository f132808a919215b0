import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A public set of questions, whose texts stand as pages in a wiki. */
export interface PublicSet {
  name: string;
  /** By page path. */
  pages: ReadonlyMap<string, string>;
  questions: { question: string; paths: string[] }[];
}

/** The sets below the directory of the corpora. Throws, naming what is missing, if it holds none of them. */
export async function readPublicSets(corpora: string): Promise<PublicSet[]> {
  const sets: PublicSet[] = [];
  const cranfield = join(corpora, 'cranfield');
  if (existsSync(cranfield)) {
    const [texts = '', queries = '', judgements = ''] = await Promise.all(
      CRANFIELD_FILES.map((file) => readFile(join(cranfield, file), 'latin1')),
    );
    sets.push(parseCranfield(texts, queries, judgements));
  }
  const locomo = join(corpora, 'locomo', 'locomo10.json');
  if (existsSync(locomo)) sets.push(parseLocomo(JSON.parse(await readFile(locomo, 'utf8'))));
  if (sets.length > 0) return sets;
  throw new Error(
    `There is neither ${cranfield} with ${CRANFIELD_FILES.join(', ')} nor ${locomo}: set PAGETREE_CORPORA to where the corpora lie.`,
  );
}

const CRANFIELD_FILES = ['cran.all.1400', 'cran.qry', 'cranqrel'];

/** Cranfield in the form of SMART: abstracts about aerodynamics, questions, and how well each answers which. */
export function parseCranfield(texts: string, queries: string, judgements: string): PublicSet {
  const pages = new Map<string, string>();
  for (const { number, fields } of recordsOf(texts)) {
    const { T: title = '', A: author = '', B: source = '', W: text = '' } = fields;
    pages.set(cranfieldPath(number), `# ${inOneLine(title)}\n\n${author}\n${source}\n${text}`);
  }
  const answers = new Map<number, string[]>();
  for (const line of judgements.split('\n')) {
    const [query = '', _, text = '', grade = ''] = line.trim().split(/\s+/);
    // 1 is a complete answer, 4 of minimum interest, and 5 (or -1) of no interest.
    if (!/^[1-4]$/.test(grade)) continue;
    answers.set(Number(query), [...(answers.get(Number(query)) ?? []), cranfieldPath(text)]);
  }
  // The judgements count the questions from 1, whatever their own numbers are.
  const questions = recordsOf(queries).map(({ fields }, at) => {
    const paths = (answers.get(at + 1) ?? []).filter((path) => pages.has(path));
    return { question: inOneLine(fields.W ?? ''), paths };
  });
  return { name: 'Cranfield', pages, questions: questions.filter(({ paths }) => paths.length > 0) };
}

interface SmartRecord {
  number: string;
  fields: Partial<Record<string, string>>;
}

function recordsOf(text: string): SmartRecord[] {
  const records = text.split(/^\.I\s+/m).slice(1);
  return records.map((record) => {
    const [number = '', ...parts] = record.split(/^\.([A-Z])[ \t]*\r?$\n?/m);
    const fields: SmartRecord['fields'] = {};
    for (let at = 0; at + 1 < parts.length; at += 2) fields[parts[at] as string] = parts[at + 1];
    return { number: number.trim(), fields };
  });
}

function cranfieldPath(number: string): string {
  return `Abstract ${Number(number)}`;
}

function inOneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ');
}

interface Turn {
  speaker: string;
  text?: string;
  /** What is on the picture that comes with it. */
  blip_caption?: string;
}

interface LocomoSample {
  sample_id: string;
  conversation: Record<string, string | Turn[]>;
  qa: { question: string; evidence?: string[] }[];
}

/** LoCoMo: each session of a conversation is a page, and a question is answered by the sessions of its evidence. */
export function parseLocomo(samples: readonly LocomoSample[]): PublicSet {
  const pages = new Map<string, string>();
  const questions: PublicSet['questions'] = [];
  for (const { sample_id: sample, conversation, qa } of samples) {
    const pathOf = (session: string) => `${sample}/Session ${session}`;
    for (const [key, turns] of Object.entries(conversation)) {
      const [, session] = /^session_(\d+)$/.exec(key) ?? [];
      if (session === undefined || !Array.isArray(turns) || turns.length === 0) continue;
      const { speaker_a: one, speaker_b: other, [`${key}_date_time`]: time } = conversation;
      const text = turns.map(lineOf).join('\n\n');
      pages.set(pathOf(session), `# ${one} and ${other}, session ${session}\n\n${time}\n\n${text}\n`);
    }
    for (const { question, evidence = [] } of qa) {
      const sessions = new Set(evidence.join(' ').match(/(?<=\bD)\d+(?=:)/g));
      const paths = [...sessions].map((session) => pathOf(`${Number(session)}`));
      const known = paths.filter((path) => pages.has(path));
      if (known.length > 0) questions.push({ question, paths: known });
    }
  }
  return { name: 'LoCoMo', pages, questions };
}

function lineOf({ speaker, text = '', blip_caption: caption }: Turn): string {
  return `${speaker}: ${text}${caption === undefined ? '' : ` (Picture: ${caption})`}`;
}
