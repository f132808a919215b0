import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
// Only its types: a fresh clone serves pages before the packages of the root are installed.
import type { Metafile } from 'esbuild';

/** The file beside a bundle that holds the licenses of all packages in it. */
export const NOTICES_FILE = 'THIRD-PARTY-NOTICES.txt';

/** The licenses of the packages of which something is in a bundle, and the legal comments of their sources. */
export async function noticesOf(outputs: Metafile['outputs'], legalComments: string): Promise<string> {
  const used = Object.values(outputs)
    .flatMap(({ inputs }) => Object.entries(inputs))
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0);
  const packages = new Set(used.flatMap(([input]) => packageOf(resolve(input)) ?? []));
  const notices = await Promise.all([...packages].map(noticeOf));
  return [...notices.sort(), `Legal comments of the sources\n\n${legalComments}`].join(RULE);
}

export const RULE = `\n${'-'.repeat(80)}\n\n`;

/** The folder of the package that a file belongs to; null for a file of ours. */
function packageOf(file: string): string | null {
  return /^.*\/node_modules\/(@[^/]+\/)?[^/]+/.exec(file.replaceAll('\\', '/'))?.[0] ?? null;
}

async function noticeOf(folder: string): Promise<string> {
  const manifest: unknown = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const { name, version, license } = manifest as { name: string; version: string; license?: string };
  const files = (await readdir(folder)).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file)).sort();
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  const text = texts.length === 0 ? NO_TEXT : texts.map((each) => each.trim()).join('\n\n');
  return `${name} ${version}, license ${license}\n\n${text}\n`;
}

const NO_TEXT = 'The package ships no text of its license.';
