import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { commitFiles } from './corpora.ts';
import { withEmbedder } from './embedder.ts';
import { openOurs } from './engines.ts';

const pages = {
  Shortcuts: 'Press these combinations of keys to save a page or to look for one.',
  Backups: 'Copies of all data are kept for thirty days in another building.',
  Gebühren: 'Die Mitgliedschaft kostet zwölf Euro im Jahr und wird im Januar abgebucht.',
  Recipes: 'Bread needs flour, water, salt and a warm place for an hour.',
};

test('a real model on a real endpoint finds pages in other words and another language', () =>
  withEmbedder(async (embedder) => {
    const place = mkdtempSync(join(tmpdir(), 'pagetree-meaning-'));
    onTestFinished(() => rmSync(place, { recursive: true }));
    const [files, wikis] = [join(place, 'files'), join(place, 'wikis')];
    mkdirSync(files);
    for (const [path, text] of Object.entries(pages))
      writeFileSync(join(files, `${path}.md`), `# ${path}\n\n${text}\n`);
    await commitFiles(files, join(wikis, 'wiki.git'));
    const corpus = { name: 'small', language: 'en', files, wikis };
    const ours = await openOurs(corpus, join(place, 'work'), embedder);
    expect((await ours.search('which hotkeys are there'))[0]).toBe('Shortcuts');
    expect((await ours.search('what do members have to pay'))[0]).toBe('Gebühren');
    expect((await ours.search('how can I get lost files back'))[0]).toBe('Backups');
    await ours.close();
  }));
