import { expect, test } from 'vitest';
import { sampleSearch } from './bench-search.ts';
import { halfOf, readQuestions } from './questions.ts';

test('the first ten hits hold the wanted page in every language, also if the query uses other words', async () => {
  const { questions, knownItems } = await sampleSearch();
  const languages = ['ar', 'de', 'en', 'es', 'foam-docs', 'ja', 'ko', 'ru', 'th', 'zh-cn'];
  expect(knownItems.map(({ corpus }) => corpus).toSorted()).toEqual(languages);
  for (const { corpus, scores } of knownItems) {
    const { titles, rareWords, misspeltTitles } = scores;
    expect(titles['success@10'].mean, `${corpus}: titles`).toBeGreaterThanOrEqual(0.98);
    expect(rareWords['success@10'].mean, `${corpus}: rare words`).toBeGreaterThanOrEqual(0.95);
    expect(misspeltTitles['success@10'].mean, `${corpus}: misspelt titles`).toBeGreaterThanOrEqual(0.8);
  }
  expect(questions.all?.['success@1'].mean).toBeGreaterThanOrEqual(0.45);
  expect(questions.all?.['success@5'].mean).toBeGreaterThanOrEqual(0.7);
});

test('there are 40 questions for each of six languages and for a wiki, and their hash decides which are held back', async () => {
  const asked = [...(await readQuestions('i18n-docs')), ...(await readQuestions('foam-docs'))];
  const groups = Object.groupBy(asked, ({ paths: [path = ''] }) => path.split('/')[0] ?? '');
  const counts = Object.entries(groups).map(([group, questions]) => [group, questions?.length]);
  expect(Object.fromEntries(counts)).toEqual({
    ...{ de: 40, docs: 40, en: 40, es: 40, ko: 40, ru: 40, 'zh-cn': 40 },
  });
  for (const { question, half } of asked) expect(half, question).toBe(halfOf(question));
});
