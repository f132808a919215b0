import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../../mcp-server/src/main.ts', import.meta.url));

/** `pagetree export --format site` as a person calls it. */
export async function exportSite(directory: string, place: string, ...more: string[]) {
  const child = spawn(
    process.execPath,
    [MAIN, 'export', place, '--format', 'site', '--dir', directory, ...more],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let [said, reported] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    reported += text;
  });
  const [code] = await once(child, 'close');
  return { code, said, reported };
}
