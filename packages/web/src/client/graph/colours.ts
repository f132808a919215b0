/** WebGL takes no variables of the style sheet, so that they are read when the theme changes. */
export interface Colours {
  ink: string;
  paper: string;
  edge: string;
  muted: string;
  found: string;
  ofFolder(number: number): string;
}

export const DARK = matchMedia('(prefers-color-scheme: dark)');

export function readColours(): Colours {
  const style = getComputedStyle(document.documentElement);
  const read = (name: string) => style.getPropertyValue(name).trim();
  const palette = DARK.matches ? ON_DARK : ON_LIGHT;
  return {
    ink: read('--ink'),
    paper: read('--paper'),
    edge: DARK.matches ? '#566066' : '#b3aea2',
    muted: read('--line'),
    found: read('--broken'),
    ofFolder: (number) => palette[number % palette.length] ?? read('--ink'),
  };
}

/** Tableau 10 without its red and grey, which mark what was found and the rest. */
const ON_LIGHT = ['#4e79a7', '#d07516', '#3f8a85', '#4c8c42', '#a8861c', '#8d638a', '#c2607a', '#85604c'];
const ON_DARK = ['#7fa8d3', '#f2a65a', '#84c7c1', '#8cc982', '#edc948', '#c79bc5', '#ff9da7', '#c39c86'];
