import { expect, test } from 'vitest';
import { measureSearchQuality, qualitySeed } from './search-quality.ts';

test('known pages are among the first ten in every language: by title, by rare words, by a misspelt title', async () => {
  const results = await measureSearchQuality(qualitySeed);
  const languages = ['ar', 'de', 'en', 'es', 'foam-docs', 'ja', 'ko', 'ru', 'th', 'zh-cn'];
  expect(results.map(({ corpus }) => corpus).toSorted()).toEqual(languages);
  for (const { corpus, engines } of results) {
    const { titles, rareWords, misspeltTitles } = engines.ours;
    expect(titles.of100, `${corpus}: titles`).toBeGreaterThanOrEqual(98);
    expect(rareWords.of100, `${corpus}: rare words`).toBeGreaterThanOrEqual(95);
    expect(misspeltTitles.of100, `${corpus}: misspelt titles`).toBeGreaterThanOrEqual(80);
  }
});
