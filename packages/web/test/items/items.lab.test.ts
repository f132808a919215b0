import { describe, test } from 'vitest';
import { sampled } from '../../../../labs/sample.ts';
import { fillWiki } from '../demo-wiki.ts';
import { openLab } from '../open-lab.ts';
import { addProblems } from '../problem-wiki.ts';
import { OPPOSITE_WAYS, WAYS } from '../ways.ts';
import { PAGE_ITEMS } from './page-items.ts';
import { VIEW_ITEMS } from './view-items.ts';

const lab = openLab(fillWiki, addProblems);

describe.each(sampled(WAYS, OPPOSITE_WAYS))('$name a person sees', (way) => {
  test.for([...PAGE_ITEMS, ...VIEW_ITEMS])('$sees', async ({ at, check }) => {
    const page = await lab.open(way.options);
    await page.goto(at);
    await check({ page, way, article: page.getByRole('article'), main: page.getByRole('main') });
  });
});
