import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Answer, Command } from './protocol.ts';

/** Native git's commands as an engine of the benchmark, as a script would call them on a bare repository. */
let repository = '';
const index = `/tmp/bench-index-${process.pid}`;
for await (const line of createInterface({ input: process.stdin })) {
  const start = performance.now();
  const text = run(JSON.parse(line));
  const answer: Answer = {
    milliseconds: performance.now() - start,
    peakRssMegabytes: process.resourceUsage().maxRSS / 1024,
    ...(text !== undefined && { text }),
  };
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}

function run(command: Command): string | undefined {
  if (command.do === 'open') {
    repository = `${command.directory}/main.git`;
  } else if (command.do === 'read') {
    return git(['cat-file', 'blob', `main:${command.path}`]);
  } else if (command.do === 'append') {
    append(command.path, command.text);
  } else if (command.do === 'list') {
    git(['ls-tree', '-r', '--name-only', 'main']);
  } else if (command.do === 'recent') {
    git(['log', '-50', '--name-status', 'main']);
  }
  return undefined;
}

function append(path: string, text: string): void {
  const head = git(['rev-parse', 'main']).trim();
  const content = git(['cat-file', 'blob', `${head}:${path}`]) + text;
  const blob = git(['hash-object', '-w', '--stdin'], content).trim();
  git(['read-tree', head]);
  git(['update-index', '--cacheinfo', `100644,${blob},${path}`]);
  const tree = git(['write-tree']).trim();
  const commit = git(['commit-tree', tree, '-p', head, '-m', 'Append']).trim();
  git(['update-ref', 'refs/heads/main', commit, head]);
  rmSync(index);
}

function git(args: readonly string[], input = ''): string {
  const settings = ['safe.directory=*', 'user.name=Bench', 'user.email=bench@example.org'];
  const command = [
    `GIT_INDEX_FILE=${index}`,
    'git',
    '-C',
    repository,
    ...settings.flatMap((setting) => ['-c', setting]),
    ...args,
  ];
  return execFileSync('env', command, { input, encoding: 'utf8', maxBuffer: 2 ** 28 });
}
