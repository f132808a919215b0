import { randomNumbers } from '../../../../../labs/wikis/wiki-text.ts';

export interface DipTest {
  /** Hartigan's dip: how far the values are, at least, from having one mode; between 1 / 2n and 0.25. */
  readonly dip: number;
  /**
   * The probability that as many uniform values dip as much or more: small if there is more than one mode.
   */
  readonly p: number;
}

const SIMULATIONS = 2_000;
/** The dip of more values shrinks with the root of their number, so that no more need be simulated. */
const MAX_SIMULATED = 400;

/**
 * The dip test of unimodality (J. A. Hartigan and P. M. Hartigan, 1985), its p by simulation with a fixed seed.
 * @returns null for fewer than four values, of which nothing can be said.
 */
export function dipTest(values: readonly number[]): DipTest | null {
  if (values.length < 4) return null;
  const dip = dipOf(values);
  const simulated = Math.min(values.length, MAX_SIMULATED);
  const scaled = dip * Math.sqrt(values.length / simulated);
  const random = randomNumbers(1985);
  let asMuch = 0;
  for (let simulation = 0; simulation < SIMULATIONS; simulation += 1) {
    if (dipOf(Array.from({ length: simulated }, random)) >= scaled) asMuch += 1;
  }
  return { dip, p: asMuch / SIMULATIONS };
}

/**
 * Narrows down the modal interval: left of it the closest unimodal distribution is convex, right of it concave, and
 * the dip is half the greatest distance that this leaves anywhere.
 */
export function dipOf(values: readonly number[]): number {
  const steps = stepsOf(values);
  let [low, high] = [0, steps.length - 1];
  let distance = 1 / values.length;
  for (;;) {
    const part = steps.slice(low, high + 1);
    const minorant = convexMinorant(part.map(({ value, before }) => ({ value, share: before })));
    const majorant = concaveMajorant(part.map(({ value, after }) => ({ value, share: after })));
    const modal = widestGap(minorant, majorant);
    if (modal.gap <= distance) return distance / 2;
    const left = greatest(
      part.slice(0, modal.low + 1),
      (step, index) => step.after - at(minorant.line, index),
    );
    const right = greatest(
      part.slice(modal.high),
      (step, index) => at(majorant.line, modal.high + index) - step.before,
    );
    distance = Math.max(distance, left, right);
    if (modal.low === 0 && modal.high === part.length - 1) return distance / 2;
    [low, high] = [low + modal.low, low + modal.high];
  }
}

/** The empirical distribution: each value, and its share of values before it and with it. */
interface Step {
  readonly value: number;
  readonly before: number;
  readonly after: number;
}

interface Point {
  readonly value: number;
  readonly share: number;
}

/** A broken line over some points: its height at each of them, and which of them it touches. */
interface Hull {
  readonly line: readonly number[];
  readonly touching: readonly number[];
}

function stepsOf(values: readonly number[]): Step[] {
  const sorted = values.toSorted((a, b) => a - b);
  const steps: Step[] = [];
  sorted.forEach((value, index) => {
    const after = (index + 1) / sorted.length;
    const last = steps.at(-1);
    if (last?.value === value) steps[steps.length - 1] = { ...last, after };
    else steps.push({ value, before: index / sorted.length, after });
  });
  return steps;
}

function convexMinorant(points: readonly Point[]): Hull {
  const touching: number[] = [];
  points.forEach((point, index) => {
    for (;;) {
      const [one, two] = [points[touching.at(-2) ?? -1], points[touching.at(-1) ?? -1]];
      if (one === undefined || two === undefined || slope(one, two) < slope(two, point)) break;
      touching.pop();
    }
    touching.push(index);
  });
  return { line: points.map((point, index) => heightAt(points, touching, point, index)), touching };
}

/** The minorant of the distribution turned upside down. */
function concaveMajorant(points: readonly Point[]): Hull {
  const turned = convexMinorant(points.map(({ value, share }) => ({ value, share: -share })));
  return { line: turned.line.map((height) => -height), touching: turned.touching };
}

function heightAt(
  points: readonly Point[],
  touching: readonly number[],
  point: Point,
  index: number,
): number {
  const next = touching.findIndex((touch) => touch >= index);
  const [from, to] = [points[touching[next - 1] ?? -1], points[touching[next] ?? -1]];
  if (to === undefined || from === undefined) return point.share;
  return from.share + slope(from, to) * (point.value - from.value);
}

/**
 * The place of the largest distance between the two, and the interval between the points around it at which
 * they touch.
 */
function widestGap(minorant: Hull, majorant: Hull): { gap: number; low: number; high: number } {
  const gap = (index: number) => at(majorant.line, index) - at(minorant.line, index);
  const ofMinorant = widest(minorant.touching, gap);
  const ofMajorant = widest(majorant.touching, gap);
  if (gap(ofMajorant) > gap(ofMinorant)) {
    const low = minorant.touching.findLast((touch) => touch <= ofMajorant) ?? 0;
    return { gap: gap(ofMajorant), low, high: ofMajorant };
  }
  const high = majorant.touching.find((touch) => touch >= ofMinorant) ?? minorant.line.length - 1;
  return { gap: gap(ofMinorant), low: ofMinorant, high };
}

function widest(touching: readonly number[], gap: (index: number) => number): number {
  return touching.reduce((best, touch) => (gap(touch) > gap(best) ? touch : best), touching[0] ?? 0);
}

function greatest(steps: readonly Step[], difference: (step: Step, index: number) => number): number {
  return Math.max(0, ...steps.map(difference));
}

function slope(from: Point, to: Point): number {
  return (to.share - from.share) / (to.value - from.value);
}

function at(line: readonly number[], index: number): number {
  return line[index] ?? Number.NaN;
}
