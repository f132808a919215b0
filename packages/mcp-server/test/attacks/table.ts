import type { AttackRow } from './run-attack.ts';

/** The attacks, their answers, and their cost. */
export class AttackTable {
  readonly #rows = new Map<string, AttackRow[]>();

  add(name: string, row: AttackRow): void {
    this.#rows.set(name, [...(this.#rows.get(name) ?? []), row]);
  }

  /** A line for each attack, and one for each class. */
  toString(): string {
    const each = [...this.#rows].flatMap(([name, rows]) =>
      rows.map((row) => `${name}: ${row.name} | ${row.code} | ${figures(row)}`),
    );
    const classes = [...this.#rows].map(([name, rows]) => {
      const refused = rows.filter(({ code }) => code !== 'ok');
      return `${name} | ${rows.length} | ${rows.length - refused.length} | ${codesOf(refused)} | ${figures(worstOf(rows))}`;
    });
    const all = [...this.#rows.values()].flat();
    return [
      `attack | answer | ${FIGURES}`,
      ...each,
      '',
      `class | attacks | ok | refused, by code | longest or largest: ${FIGURES}`,
      ...classes,
      `all | ${all.length} | ${all.filter(({ code }) => code === 'ok').length} | | ${figures(worstOf(all))}`,
    ].join('\n');
  }
}

const FIGURES =
  'CPU ms | wall ms | peak MB | growth MB | another wiki waited, ms of CPU | machine slower than idle, if taken into account';

type Figures = Pick<AttackRow, 'cpuMs' | 'wallMs' | 'peakMb' | 'grownMb' | 'stallMs' | 'slower'>;

function figures({ cpuMs, wallMs, peakMb, grownMb, stallMs, slower }: Figures): string {
  const whole = [cpuMs, wallMs, peakMb, grownMb, stallMs].map((figure) => figure.toFixed(0));
  return [...whole, slower.toFixed(1)].join(' | ');
}

function worstOf(rows: readonly AttackRow[]): Figures {
  const most = (figure: keyof Figures) => Math.max(0, ...rows.map((row) => row[figure]));
  return {
    cpuMs: most('cpuMs'),
    wallMs: most('wallMs'),
    peakMb: most('peakMb'),
    grownMb: most('grownMb'),
    stallMs: most('stallMs'),
    slower: most('slower'),
  };
}

function codesOf(rows: readonly AttackRow[]): string {
  const byCode = Map.groupBy(rows, ({ code }) => code);
  return [...byCode].map(([code, same]) => `${code} ${same.length}`).join(', ');
}
