/** The colors of the picture. WebGL cannot use the variables of the style sheet: read them again if the theme changes. */
export interface Colours {
  ink: string;
  paper: string;
  muted: string;
  found: string;
  ofFolder(number: number): string;
  edgeOf(opacity: number): string;
}

export const DARK = matchMedia('(prefers-color-scheme: dark)');

export function readColours(): Colours {
  const style = getComputedStyle(document.documentElement);
  const read = (name: string) => style.getPropertyValue(name).trim();
  const palette = DARK.matches ? ON_DARK : ON_LIGHT;
  return {
    ink: read('--ink'),
    paper: read('--paper'),
    muted: read('--line'),
    found: read('--broken'),
    ofFolder: (number) => palette[number % palette.length] ?? read('--ink'),
    edgeOf: (opacity) => translucent(DARK.matches ? EDGE_ON_DARK : EDGE_ON_LIGHT, opacity),
  };
}

/**
 * A grey for lines that add up where they cross. Sigma blends colors as if they were multiplied by their opacity already,
 * and keeps 7 bits of the opacity. It is a pure grey, as rounding would tint any other color.
 */
function translucent(grey: number, opacity: number): string {
  const kept = Math.max(2, Math.round(opacity * 127)) / 127;
  const part = Math.round(grey * kept);
  return `rgba(${part}, ${part}, ${part}, ${kept})`;
}

const EDGE_ON_LIGHT = 0xae;
const EDGE_ON_DARK = 0x5e;
/** Tableau 10 without its red and grey, which mark what was found and the rest. */
const ON_LIGHT = ['#4e79a7', '#d07516', '#3f8a85', '#4c8c42', '#a8861c', '#8d638a', '#c2607a', '#85604c'];
const ON_DARK = ['#7fa8d3', '#f2a65a', '#84c7c1', '#8cc982', '#edc948', '#c79bc5', '#ff9da7', '#c39c86'];
