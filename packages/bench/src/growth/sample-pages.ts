import { randomNumbers } from '../../../../labs/wikis/wiki-text.ts';

/** When a page was written last, in kinds that differ in where a new client finds it. */
export const pageAges = ['just now', 'since the last night', 'in the last days', 'long ago'] as const;
export type PageAge = (typeof pageAges)[number];

export interface SampledPage {
  path: string;
  age: PageAge;
}

export interface SampleOptions {
  /** The number of pages of each age. */
  each: number;
  /** The number of writes since the last night, and between two nights. */
  sinceNight: number;
  writesPerNight: number;
}

/** Pages drawn with a fixed seed; `age` is the number of writes since each was last written. */
export function samplePages(
  pages: readonly { path: string; age: number }[],
  { each, sinceNight, writesPerNight }: SampleOptions,
): SampledPage[] {
  const begins = [0, JUST_NOW, sinceNight, sinceNight + DAYS * writesPerNight, Number.POSITIVE_INFINITY];
  const random = randomNumbers(5);
  return pageAges.flatMap((age, kind) => {
    const ofAge = pages.filter(
      (page) => page.age >= (begins[kind] ?? 0) && page.age < (begins[kind + 1] ?? 0),
    );
    const drawn = ofAge.map(({ path }) => ({ path, draw: random() })).sort((a, b) => a.draw - b.draw);
    return drawn.slice(0, each).map(({ path }) => ({ path, age }));
  });
}

/** So many writes. */
const JUST_NOW = 20;
const DAYS = 2;
