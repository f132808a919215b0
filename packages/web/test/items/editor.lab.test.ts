import { describe, expect, test } from 'vitest';
import { sampled } from '../../../../labs/sample.ts';
import { fillWiki } from '../demo-wiki.ts';
import { openLab } from '../open-lab.ts';
import { WAYS } from '../ways.ts';
import { EDITOR_ITEMS } from './editor-items.ts';

const lab = openLab(fillWiki);

/** The editor is JavaScript; without it the form is as in `writing.lab.test.ts`. The gate sees one item in each way. */
const ways = WAYS.filter(({ hasScripts }) => hasScripts);

describe.each(ways)('$name a person who writes sees', (way) => {
  const one = EDITOR_ITEMS.filter(({ sees }) =>
    sees.startsWith(way.isDesktop ? 'a picture' : 'both changes'),
  );
  test.for(sampled(EDITOR_ITEMS, one))('$sees', async ({ at, check }) => {
    const page = await lab.open(way.options);
    const refused: string[] = [];
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) refused.push(message.text());
    });
    await page.goto(at);
    await check({ page, way, article: page.getByRole('article'), main: page.getByRole('main') });
    expect(refused).toEqual([]);
  });
});
