import type { Locator, Page } from 'playwright-core';
import type { Way } from '../ways.ts';

/** Something that a person sees at an address. */
export interface Item {
  sees: string;
  at: string;
  check(visit: Visit): Promise<void>;
}

interface Visit {
  page: Page;
  way: Way;
  article: Locator;
  main: Locator;
}

export async function boxOf(
  locator: Locator,
): Promise<{ x: number; y: number; width: number; height: number }> {
  const box = await locator.boundingBox();
  if (box === null) throw new Error(`${locator} is not seen.`);
  return box;
}

export function styleOf(locator: Locator, name: 'backgroundColor' | 'color'): Promise<string> {
  return locator.evaluate((element, property) => getComputedStyle(element)[property], name);
}
