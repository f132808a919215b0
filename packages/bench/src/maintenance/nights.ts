import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openWiki } from '@pagetree/wiki';
import { parseInput } from '@pagetree/wiki/contract';
import { installRuntimeClient } from '../../../../labs/lambda-lab/runtime-client.ts';
import { buildFunction } from '../../../wiki-lambda/build.ts';
import { CALL, peakMemoryOf, serveInLab } from './measure-run.ts';

/** As many calls as the schedule of the stack makes in one night. */
const CALLS_A_NIGHT = 36;
const WRITES = 12;

export interface NightsMeasured {
  wikis: number;
  calls: number;
  nights: number;
  seconds: number;
  peakMemoryMib: number;
  /** The metrics of the last call, as the function logged them. */
  metrics: Record<string, number>;
  /** Wikis in which more than a few packs are left. */
  untidy: number;
}

export interface NightsOptions {
  wikis: number;
  timeoutMs: number;
  progress: (line: string) => void;
}

/** Small wikis with packs to merge, maintained by the calls of the nightly schedule until all are done. */
export async function measureNights({ wikis, timeoutMs, progress }: NightsOptions): Promise<NightsMeasured> {
  await Promise.all([buildFunction(), installRuntimeClient()]);
  const directory = mkdtempSync(join(tmpdir(), 'nights-'));
  try {
    await makeWikis(directory, wikis);
    progress(`${wikis} wikis are made`);
    const served = await serveInLab(directory, timeoutMs);
    const began = performance.now();
    const input = parseInput('maintain_wiki', { mode: 'tidy', all: true, once_a_night: true });
    try {
      let [calls, left] = [0, wikis];
      while (left > 0) {
        // Five minutes apart, an environment often is another one.
        if (calls % 3 === 0) await served.lab.recycle();
        const { round } = await served.wiki.maintain_wiki(input, CALL);
        calls += 1;
        left = round?.wikis_left ?? 0;
        progress(`call ${calls}: ${JSON.stringify(round)}`);
      }
      return {
        wikis,
        calls,
        nights: Math.ceil(calls / CALLS_A_NIGHT),
        seconds: (performance.now() - began) / 1_000,
        peakMemoryMib: peakMemoryOf(served.lines),
        metrics: metricsOf(served.lines),
        untidy: untidyWikis(directory),
      };
    } finally {
      await served.close();
    }
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** One that was written to, and copies of it. */
async function makeWikis(directory: string, count: number): Promise<void> {
  const host = { backend: 'local', versions: {}, problems: [] };
  const opened = await openWiki({ directory, wiki: 'wiki-0000', placement: 'shared', host });
  for (let number = 0; number < WRITES; number += 1) {
    const content = `Page ${number} of a small wiki, with [[Home]].\n`;
    await opened.wiki.write_page(parseInput('write_page', { path: `Page ${number}`, content }), CALL);
  }
  await opened.close();
  for (let number = 1; number < count; number += 1) {
    const name = `wiki-${String(number).padStart(4, '0')}.git`;
    cpSync(join(directory, 'wiki-0000.git'), join(directory, name), {
      recursive: true,
      verbatimSymlinks: true,
    });
  }
}

function metricsOf(lines: readonly string[]): Record<string, number> {
  const last = lines.findLast((line) => line.startsWith('{') && line.includes('"wikis_done"')) ?? '{}';
  const { wikis_done, wikis_left, wikis_unfinished, failures, debt_packs, debt_bytes, debt_growth_rounds } =
    JSON.parse(last);
  return { wikis_done, wikis_left, wikis_unfinished, failures, debt_packs, debt_bytes, debt_growth_rounds };
}

const FEW_PACKS = 3;

function untidyWikis(directory: string): number {
  const packsOf = (name: string) =>
    readdirSync(join(directory, name, 'objects/pack')).filter((file) => file.endsWith('.idx')).length;
  const wikis = readdirSync(directory).filter((name) => name.endsWith('.git'));
  return wikis.filter((name) => packsOf(name) > FEW_PACKS).length;
}
