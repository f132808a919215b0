/** A figure of each engine, by operation: the first number of each cell. */
export type Figures = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** The first table below the line that begins with `intro`, in a report of `pnpm bench storage`. */
export function figuresBelow(intro: string, report: string): Figures {
  const lines = report.split('\n');
  const begin = lines.findIndex((line) => line.startsWith(intro));
  const first = lines.findIndex((line, at) => at > begin && line.startsWith('| '));
  if (begin === -1 || first === -1) throw new Error(`There is no table below "${intro}".`);
  const end = lines.findIndex((line, at) => at > first && !line.startsWith('|'));
  const [head = [], , ...rows] = lines.slice(first, end === -1 ? undefined : end).map(cellsOf);
  const figures = new Map<string, Map<string, number>>();
  for (const [operation = '', ...cells] of rows) {
    const numbers = cells.flatMap((cell, at) => {
      const number = Number.parseFloat(cell);
      return Number.isNaN(number) ? [] : [[head[at + 1] ?? '', number] as const];
    });
    figures.set(operation, new Map(numbers));
  }
  return figures;
}

function cellsOf(line: string): string[] {
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
}
