import type { BrowserContextOptions } from 'playwright-core';

export const DESKTOP = { viewport: { width: 1280, height: 800 } };
export const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

/** One of the four ways in which a person sees the wiki. */
export interface Way {
  name: string;
  isDesktop: boolean;
  hasScripts: boolean;
  options: BrowserContextOptions;
}

export const WAYS: readonly Way[] = [
  { size: 'a desktop', isDesktop: true, options: DESKTOP },
  { size: 'a phone', isDesktop: false, options: PHONE },
].flatMap(({ size, isDesktop, options }) =>
  [true, false].map((hasScripts) => ({
    name: `on ${size} ${hasScripts ? 'with' : 'without'} JavaScript`,
    isDesktop,
    hasScripts,
    options: { ...options, javaScriptEnabled: hasScripts },
  })),
);

/** The two ways that differ in both: a desktop with JavaScript, and a phone without it. */
export const OPPOSITE_WAYS = WAYS.filter(({ isDesktop, hasScripts }) => isDesktop === hasScripts);
