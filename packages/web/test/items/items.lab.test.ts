import { describe, test } from 'vitest';
import { sampled } from '../../../../labs/sample.ts';
import { fillWiki } from '../demo-wiki.ts';
import { openLab } from '../open-lab.ts';
import { addProblems } from '../problem-wiki.ts';
import { OPPOSITE_WAYS, WAYS } from '../ways.ts';
import { GRAPH_ITEMS } from './graph-items.ts';
import { PAGE_ITEMS } from './page-items.ts';
import { VIEW_ITEMS } from './view-items.ts';

const ITEMS = [...PAGE_ITEMS, ...VIEW_ITEMS, ...GRAPH_ITEMS];
const lab = openLab(fillWiki, addProblems);

/** In the gate a person sees each item in one of two ways, in turn. */
describe.each(sampled(WAYS, OPPOSITE_WAYS))('$name a person sees', (way) => {
  const inTurn = ITEMS.filter((_, number) => OPPOSITE_WAYS[number % OPPOSITE_WAYS.length] === way);
  test.for(sampled(ITEMS, inTurn))('$sees', async ({ at, check }) => {
    const page = await lab.open(way.options);
    await page.goto(at);
    await check({ page, way, article: page.getByRole('article'), main: page.getByRole('main') });
  });
});
