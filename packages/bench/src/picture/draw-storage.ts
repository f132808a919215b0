import { type Figures, figuresBelow } from './storage-table.ts';

const OPERATIONS: Record<string, string> = {
  write: 'write a page',
  read_cold: "a new process's first read",
  read_warm: 'read a fresh write',
  read_other: 'read any page',
  list: 'list pages',
  recent: 'recent changes',
  history: 'history of a page',
};
const NAMES = Object.keys(OPERATIONS);
const ENGINES: Record<string, { name: string; color: string; radius: number }> = {
  dulwich: { name: 'dulwich', color: '#b45309', radius: 5 },
  git: { name: 'git', color: '#6b7280', radius: 5 },
  isomorphic_git: { name: 'isomorphic-git', color: '#7c3aed', radius: 5 },
  pygit2: { name: 'pygit2 (libgit2)', color: '#0e7490', radius: 5 },
  // Last, so that it lies on top.
  ours: { name: 'Pagetree', color: '#15803d', radius: 7 },
};
const WIDTH = 960;
const PANEL = { left: 200, width: 330, between: 60 };
const ROW = { top: 88, height: 30 };

/** An SVG of what operations take, from the report of `pnpm bench storage`: two panels with a logarithmic axis. */
export function drawStorage(report: string): string {
  const height = ROW.top + NAMES.length * ROW.height + 32;
  const panels = [
    panel(figuresBelow('NFS: RPCs', report), 'Round trips on NFS, mean', 0, 3),
    panel(
      figuresBelow('10000 pages and as many commits', report),
      'Milliseconds on a local disk, median',
      -1,
      5,
    ),
  ];
  const second = PANEL.left + PANEL.width + PANEL.between;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" font-family="system-ui, sans-serif" font-size="13">`,
    '<title>Round trips and time of each operation at 10,000 pages, by engine. The further left, the better.</title>',
    `<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>`,
    legend(),
    ...Object.values(OPERATIONS).map(
      (name, at) =>
        `<text x="${PANEL.left - 12}" y="${rowAt(at) + 4}" text-anchor="end" fill="#111827">${name}</text>`,
    ),
    `<g transform="translate(${PANEL.left} 0)">`,
    panels[0],
    '</g>',
    `<g transform="translate(${second} 0)">`,
    panels[1],
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

/** `from` and `to`: the powers of ten at which the axis begins and ends. */
function panel(figures: Figures, title: string, from: number, to: number): string {
  const bottom = ROW.top + NAMES.length * ROW.height;
  const place = (value: number) => Math.round(((Math.log10(value) - from) / (to - from)) * PANEL.width);
  const powers = Array.from({ length: to - from + 1 }, (_, at) => 10 ** (from + at));
  const axis = powers.flatMap((power) => [
    `<line x1="${place(power)}" x2="${place(power)}" y1="${ROW.top - 8}" y2="${bottom}" stroke="#e5e7eb"/>`,
    `<text x="${place(power)}" y="${bottom + 18}" text-anchor="middle" fill="#4b5563">${power.toLocaleString('en', { notation: 'compact' })}</text>`,
  ]);
  const dots = NAMES.flatMap((operation, at) =>
    Object.entries(ENGINES).flatMap(([engine, { color, radius }]) => {
      const value = figures.get(operation)?.get(engine);
      if (value === undefined) return [];
      return `<circle cx="${place(value)}" cy="${rowAt(at)}" r="${radius}" fill="${color}" fill-opacity="0.85"/>`;
    }),
  );
  return [
    `<text y="${ROW.top - 22}" font-weight="600" fill="#111827">${title}</text>`,
    ...axis,
    ...dots,
  ].join('\n');
}

function legend(): string {
  const engines = Object.values(ENGINES).toReversed();
  return engines
    .map(({ name, color, radius }, at) => {
      const x = PANEL.left + at * 150;
      return `<circle cx="${x}" cy="28" r="${radius}" fill="${color}"/><text x="${x + 12}" y="32" fill="#111827">${name}</text>`;
    })
    .join('\n');
}

function rowAt(at: number): number {
  return ROW.top + at * ROW.height + ROW.height / 2;
}
