/** The way in which a documented command is verified in a fresh clone. */
export type Treatment =
  /** Runs alone and exits with `status` after printing `says`. */
  | { kind: 'run'; line?: string; status?: number; says: RegExp }
  /**
   * Runs with `--help`, which parses every other option too; `heavy` is a line to run if time does not
   * matter.
   */
  | { kind: 'parse'; why: string; heavy?: string }
  /** Runs elsewhere, or is a command of another program. */
  | { kind: 'other'; why: string };

const AWS = 'needs an AWS account';
const LONG = 'takes from a minute to an hour';

/** The first matching row counts. A command that matches no row has no treatment. */
const CLASSES: readonly (readonly [pattern: RegExp, treatment: Treatment])[] = [
  [/^(git|aws|echo|gunzip) /, { kind: 'other', why: 'a command of another program' }],
  [/^labs\/nfs-lab\/nfs-lab /, { kind: 'other', why: 'what `pnpm lab nfs` starts' }],
  [
    /^(npx -y @pagetree\/mcp-server|npm (un)?install -g @pagetree\/mcp-server|pagetree )/,
    { kind: 'other', why: 'of the published package; run in registry.lab.test.ts' },
  ],
  [/^docker /, { kind: 'other', why: 'run with podman in container.lab.test.ts' }],
  [/^pnpm release$/, { kind: 'run', says: /SHA256SUMS/ }],
  [/^claude mcp add /, { kind: 'other', why: 'what it starts is started above' }],
  [/^npx -y @modelcontextprotocol\/inspector/, { kind: 'other', why: 'run above' }],
  [
    /^pnpm (test( .*)?|test:labs .*|test:labs|test:gate|test:full|types|lint|dead|check|format)$/,
    { kind: 'other', why: 'CI itself' },
  ],
  [/^pnpm test:mutants( |$)/, long('pnpm test:mutants packages/wiki/src/core/scope/links-elsewhere.ts')],
  [/^pnpm contract$/, { kind: 'run', says: /The contract is version \d/ }],
  [/^pnpm install$/, { kind: 'run', says: /^$/ }],
  [/^pnpm install .*--no-trust-lockfile$/, { kind: 'other', why: 'downloads 266 MB' }],

  [/^pnpm mcp$/, { kind: 'run', says: /^$/ }],
  [/^pnpm mcp doctor$/, { kind: 'run', status: 1, says: /or start the server there once/ }],
  [/^pnpm mcp doctor --url /, { kind: 'parse', why: 'needs a team; run in doctor-address.test.ts' }],
  [/^pnpm mcp setup$/, { kind: 'run', status: 1, says: /No client was found on this machine/ }],
  [
    /^pnpm mcp setup --print cursor$/,
    { kind: 'run', says: /"mcpServers": \{\n +"pagetree": \{\n +"command": "[^"]*node"/ },
  ],
  [/^pnpm mcp setup /, { kind: 'parse', why: 'run for each client in packages/mcp-server/test/setup' }],
  [/^pnpm mcp import ~\/Notes /, { kind: 'run', says: /1 page/ }],
  [/^pnpm mcp import my-notes /, { kind: 'run', says: /1 page/ }],
  [/^pnpm mcp export /, { kind: 'run', status: 1, says: /or start the server there once/ }],
  [/^pnpm mcp .*--connect /, { kind: 'parse', why: AWS }],
  [/^pnpm mcp mirror /, { kind: 'parse', why: 'runs until Ctrl-C; run in packages/mirror/test' }],
  [/^pnpm mcp remote add /, { kind: 'parse', why: 'needs a server of git; run in packages/sync/test' }],
  [/^pnpm mcp remote status$/, { kind: 'run', status: 1, says: /or start the server there once/ }],
  [/^pnpm mcp remote (sync|remove)$/, { kind: 'run', status: 1, says: /or start the server there once/ }],
  [/^pnpm mcp token /, { kind: 'run', says: /A new token is in .*, which only you can read/ }],
  [/^pnpm mcp --dir DIRECTORY$/, { kind: 'run', says: /^$/ }],

  [/^pnpm deploy:aws$/, { kind: 'run', status: 1, says: /could not be read(.|\n)*Nothing was deployed\./ }],
  [/^pnpm access:aws$/, { kind: 'run', status: 1, says: /has no `web`, so there are no rules/ }],
  [/^pnpm destroy:aws$/, { kind: 'run', status: 1, says: /Nothing was deleted\./ }],
  [/^pnpm bench status$/, { kind: 'run', status: 1, says: /Give --region/ }],
  [/^pnpm synth$/, { kind: 'parse', why: 'takes 10 s', heavy: 'pnpm synth' }],
  [/^pnpm (deploy|diff|destroy|bootstrap):aws/, { kind: 'parse', why: AWS }],
  [/^pnpm bench (deploy|destroy|collect)/, { kind: 'parse', why: AWS }],
  [/^pnpm bench .*--target aws/, { kind: 'parse', why: AWS }],

  [/^pnpm bench phase0$/, { kind: 'run', says: /The report is .*phase0-local\.md/ }],
  [/^pnpm bench jitter --log /, { kind: 'run', status: 2, says: /cannot be read\./ }],
  [/^pnpm bench phase0 --target lab/, long('pnpm bench phase0 --target lab')],
  [/^pnpm bench throughput --target lab/, long('pnpm bench throughput --target lab')],
  [/^pnpm bench jitter --target lab/, long('pnpm bench jitter --target lab --rounds 1')],
  [/^pnpm bench throughput$/, long('pnpm bench throughput')],
  [/^pnpm bench jitter$/, long('pnpm bench jitter --rounds 1')],
  [/^pnpm bench storage .*--nfs$/, long('pnpm bench storage --pages 100 --nfs')],
  [/^pnpm bench storage /, long('pnpm bench storage --pages 100 --flat')],
  [/^pnpm bench growth .*--nfs$/, long('pnpm bench growth --writes 100 --nfs')],
  [/^pnpm bench growth /, long('pnpm bench growth --writes 100 --flat')],
  [/^pnpm bench index /, long('pnpm bench index --pages 100')],
  [/^pnpm bench index-engines$/, long('pnpm bench index-engines --pages 100')],
  [/^pnpm bench native-extras$/, long('pnpm bench native-extras --pages 100')],
  [/^pnpm bench install$/, long('pnpm bench install --runs 1')],
  [/^pnpm bench start/, long('pnpm bench start --pages 100 --runs 1')],
  [/^pnpm bench lambda$/, long('pnpm bench lambda --pages 100 --starts 1 --calls 5')],
  [/^pnpm bench maintenance --pages /, long('pnpm bench maintenance --pages 100')],
  [/^pnpm bench maintenance --small-wikis /, long('pnpm bench maintenance --small-wikis 5')],
  [/^pnpm bench picture$/, { kind: 'run', says: /Drew docs\/benchmarks\/storage\.svg/ }],
  [/^pnpm bench search( |$)/, { kind: 'parse', why: 'needs the corpora' }],
  [/^pnpm bench tokens( |$)/, { kind: 'parse', why: 'needs the corpora' }],
  [/^pnpm bench calls( |$)/, { kind: 'parse', why: 'needs another server, installed by npm' }],
  [/^pnpm bench http( |$)/, long('pnpm bench http --clients 5 --seconds 5')],
  [/^pnpm bench clients( |$)/, long('pnpm bench clients --people 2 --clients 3 --seconds 2')],
  [/^pnpm bench team( |$)/, long('pnpm bench team --people 5 --seconds 5')],
  [/^pnpm bench live( |$)/, long('pnpm bench live --watchers 5 --writers 2 --changes 3')],
  [/^pnpm bench sync( |$)/, long('pnpm bench sync --pages 200 --runs 1')],
  [/^pnpm bench git( |$)/, long('pnpm bench git --pages 200 --runs 1')],
  [/^pnpm bench mirror( |$)/, long('pnpm bench mirror --files 100 --changes 2 --idle 1')],
  [/^pnpm bench graph( |$)/, long('pnpm bench graph --pages 100 --runs 1')],
  [/^pnpm bench site( |$)/, { kind: 'parse', why: 'needs the corpora' }],
  [/^pnpm bench web( |$)/, long('pnpm bench web --pages 100 --runs 3')],
  [/^pnpm lab nfs /, long('pnpm lab nfs -- true')],
  [/^pnpm lab lambda$/, long('timeout -s INT 240 pnpm lab lambda')],
  [/^pnpm --filter @pagetree\/web screenshots$/, { kind: 'other', why: 'installs Chromium' }],
  [/^pnpm serve/, { kind: 'parse', why: 'serves until it is ended; run in packages/web/test/serve.test.ts' }],
  [/^pnpm (bench|lab|mcp|synth)$/, { kind: 'parse', why: 'is nothing without more' }],
];

export function treatmentOf(line: string): Treatment | null {
  const command = withoutAssignments(line);
  return CLASSES.find(([pattern]) => pattern.test(command))?.[1] ?? null;
}

/** A line of shell without the variables that it sets for its command: `A=b pnpm test` is `pnpm test`. */
export function withoutAssignments(line: string): string {
  return line.replace(/^(\s*[A-Za-z_]\w*=('[^']*'|"[^"]*"|[^\s'"])*(?=\s))+\s+/, '');
}

function long(heavy: string): Treatment {
  return { kind: 'parse', why: LONG, heavy };
}
