import { describe, test } from 'vitest';
import { sampled } from '../../../../labs/sample.ts';
import { fillWiki } from '../demo-wiki.ts';
import { openLab } from '../open-lab.ts';

import { OPPOSITE_WAYS, WAYS } from '../ways.ts';
import { WRITING_ITEMS } from './writing-items.ts';

const lab = openLab(fillWiki);

describe.each(sampled(WAYS, OPPOSITE_WAYS))('$name a person writes, and sees', (way) => {
  // In a sample each is seen in one of two ways, in turn.
  const some = WRITING_ITEMS.filter((_, at) => (at % 2 === 0) === way.isDesktop);
  test.for(sampled(WRITING_ITEMS, some))('$sees', async ({ at, check }) => {
    const page = await lab.open(way.options);
    await page.goto(at);
    await check({ page, way, article: page.getByRole('article'), main: page.getByRole('main') });
  });
});
