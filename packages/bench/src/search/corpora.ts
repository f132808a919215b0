import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { corporaDirectory } from './corpora-config.ts';

const execute = promisify(execFile);

/** A directory of Markdown files in one language, and a bare repository of the same files. */
export interface Corpus {
  name: string;
  /** For the segmentation of words. */
  language: string;
  files: string;
  /** A directory of wikis in which this is the only one. */
  wikis: string;
}

export interface Corpora {
  /** Each language by itself, and `foam-docs`. */
  apart: Corpus[];
  /** `i18n-docs` with a folder for each language, and `foam-docs`. */
  whole: Corpus[];
}

/** Unpacks the corpora below `place`. Throws, naming the file, if one is missing. */
export async function unpackCorpora(place: string): Promise<Corpora> {
  const corpora = corporaDirectory();
  const foam = requireFile(join(corpora, 'foam-docs.bundle'));
  const i18n = requireFile(join(corpora, 'i18n-docs.tar.gz'));

  const texts = join(place, 'i18n-docs');
  await mkdir(texts, { recursive: true });
  await execute('tar', ['-xzf', i18n, '-C', texts]);
  const committed = async (name: string, language: string, files: string): Promise<Corpus> => {
    const wikis = join(place, 'wikis', name);
    await commitFiles(files, join(wikis, 'wiki.git'));
    return { name, language, files, wikis };
  };
  const folders = (await readdir(texts, { withFileTypes: true })).filter((entry) => entry.isDirectory());
  const languages: Corpus[] = [];
  for (const { name } of folders) languages.push(await committed(name, name, join(texts, name)));
  const allLanguages = await committed('i18n-docs', 'en', texts);

  const wikis = join(place, 'wikis', 'foam-docs');
  await mkdir(wikis, { recursive: true });
  await execute('git', ['clone', '--quiet', '--bare', foam, join(wikis, 'wiki.git')]);
  const files = join(place, 'foam-docs');
  await execute('git', ['clone', '--quiet', foam, files]);
  const foamDocs = { name: 'foam-docs', language: 'en', files, wikis };
  return { apart: [...languages, foamDocs], whole: [allLanguages, foamDocs] };
}

function requireFile(path: string): string {
  if (!existsSync(path))
    throw new Error(`There is no ${path}: set PAGETREE_CORPORA to where the corpora lie.`);
  return path;
}

/** Makes a bare repository whose one commit holds the files. */
export async function commitFiles(files: string, repository: string): Promise<void> {
  const identity = ['-c', 'user.name=Corpus', '-c', 'user.email=corpus@example.org'];
  await mkdir(repository, { recursive: true });
  await execute('git', ['init', '--quiet', '--bare', '--initial-branch=main', repository]);
  const git = (...args: string[]) =>
    execute('git', [...identity, '--git-dir', repository, '--work-tree', files, ...args]);
  await git('add', '--all');
  await git('commit', '--quiet', '--message', 'All pages');
}
