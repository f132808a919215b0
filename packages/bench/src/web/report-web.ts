import { readFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { table } from '../markdown-table.ts';
import type { FunctionVisits, MeasuredFunctions } from './measure-functions.ts';
import type { Paints } from './measure-paint.ts';
import type { Figures, Times } from './measure-site.ts';

export interface Measured {
  /** One for each site, Pagetree first. */
  figures: Figures[];
  paints: Paints[];
  functions: FunctionVisits[];
  loaded: MeasuredFunctions['loaded'];
  /** Why a site or the functions were not measured, each a sentence. */
  leftOut: string[];
}

export async function reportWeb(
  { figures, paints, functions, loaded, leftOut }: Measured,
  pages: number,
  runs: number,
): Promise<string> {
  const cpu = (await readFile('/proc/cpuinfo', 'utf8').catch(() => '')).match(/^processor/gm)?.length ?? 0;
  return [
    `${pages} pages and ${pages} commits; ${runs} runs on ${cpu} processors, load ${loadavg()[0]?.toFixed(1)}.`,
    ...(figures.length === 0 ? [] : reportSites({ figures, paints, runs })),
    ...leftOut.map((why) => `\n${why}`),
    '',
    "Through two functions in the Lambda lab, compressed, for a person who is logged in. Chromium as a phone on Lighthouse's mobile network; the parts in milliseconds:",
    '',
    tableOfFunctions(functions),
    '',
    `A cold start loads, of the pages' function: ${codeOf(loaded.web)}; of the wiki's: ${codeOf(loaded.wiki)}.`,
  ].join('\n');
}

function reportSites({
  figures,
  paints,
  runs,
}: Pick<Measured, 'figures' | 'paints'> & { runs: number }): string[] {
  return [
    'Milliseconds: median as the client sees it, in brackets the 95th percentile, then processor time of the server.',
    '',
    tableOfTimes(figures, runs),
    '',
    "Chromium as a phone on Lighthouse's mobile network (150 ms, 1.6 Mbit/s, processor 4 times as slow), pages of 20 kB:",
    '',
    tableOfPaints(paints),
  ];
}

function codeOf(bundled: MeasuredFunctions['loaded']['web']): string {
  return bundled
    .map(({ file, bytes, modules }) => `${file} (${(bytes / 1_000).toFixed(0)} kB, ${modules} modules)`)
    .join(', ');
}

function tableOfTimes(figures: readonly Figures[], runs: number): string {
  const rows: [string, string, (figures: Figures) => Times][] = [
    ['a page of 20 kB after a change of it', '30 ms', ({ changed }) => changed],
    ['the same again', '8 ms', ({ again }) => again],
    ['unchanged, the browser has it', '3 ms', ({ unchanged }) => unchanged],
    ['a search for two words', '25 ms', ({ search }) => search],
  ];
  const shown = ({ p50, p95, processor }: Times) =>
    `${p50.toFixed(1)} (${p95.toFixed(1)}), ${processor.toFixed(1)}`;
  const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`;
  return table(
    ['', 'aimed at', ...figures.map(({ name }) => name)],
    [
      ...rows.map(([name, aim, of]) => [name, aim, ...figures.map((each) => shown(of(each)))]),
      ['of these unchanged, answered 304', '', ...figures.map((each) => `${each.notModified} of ${runs}`)],
      ['HTML of the page', '', ...figures.map(({ htmlBytes }) => kilobytes(htmlBytes))],
      ['HTML and CSS, gzip', '40 kB', ...figures.map(({ compressedBytes }) => kilobytes(compressedBytes))],
    ],
  );
}

function tableOfPaints(paints: readonly Paints[]): string {
  return table(
    [
      '',
      'first byte, without delays',
      'last byte',
      'largest contentful paint (longest)',
      'aimed at',
      'layout shifts',
      'aimed at',
    ],
    paints.map(({ visit, p50, longest, firstByte, lastByte, shift }) => [
      visit,
      `${firstByte.toFixed(0)} ms`,
      `${lastByte.toFixed(0)} ms`,
      `${p50.toFixed(0)} ms (${longest.toFixed(0)})`,
      '1200 ms',
      shift.toFixed(3),
      '0.02',
    ]),
  );
}

function tableOfFunctions(functions: readonly FunctionVisits[]): string {
  return table(
    [
      '',
      'processors',
      'largest contentful paint (longest)',
      'aimed at',
      "start of the pages' function",
      'its request, with the waits',
      "in it: start of the wiki's function",
      'in it: its request',
      'network and browser',
    ],
    functions.map((each) => [
      each.visit,
      each.processors,
      `${each.paint.toFixed(0)} ms (${each.longest.toFixed(0)})`,
      each.webStart === 0 ? '1000 ms' : '2500 ms',
      ...[each.webStart, each.webRequest, each.wikiStart, each.wikiRequest, each.rest].map((ms) =>
        ms.toFixed(0),
      ),
    ]),
  );
}
