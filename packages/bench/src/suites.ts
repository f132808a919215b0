import type { AwsCommand } from './aws/commands.ts';
import type { RunStudy } from './studies/surroundings.ts';

/** `pnpm bench SUITE ...`: each suite is loaded only when it is asked for, and answers with its report. */
export const suites: Record<string, () => Promise<(args: readonly string[]) => Promise<string>>> = {
  growth: async () => (await import('./growth/bench-growth.ts')).benchGrowth,
  index: async () => (await import('./index/bench-index.ts')).benchIndex,
  storage: async () => (await import('./storage/bench-storage.ts')).benchStorage,
  'native-extras': async () =>
    (await import('./storage/native-extras/bench-native-extras.ts')).benchNativeExtras,
  'index-engines': async () => (await import('./index/compare-engines.ts')).benchEngines,
  lambda: async () => (await import('./lambda/bench-lambda.ts')).benchLambda,
  install: async () => (await import('./install/bench-install.ts')).benchInstall,
  start: async () => (await import('./start/bench-start.ts')).benchStart,
  maintenance: async () => (await import('./maintenance/bench-maintenance.ts')).benchMaintenance,
  picture: async () => (await import('./picture/bench-picture.ts')).benchPicture,
  search: async () => (await import('./search/bench-search.ts')).benchSearch,
  tokens: async () => (await import('./tokens/bench-tokens.ts')).benchTokens,
  calls: async () => (await import('./calls/bench-calls.ts')).benchCalls,
  http: async () => (await import('./http/bench-http.ts')).benchHttp,
  live: async () => (await import('./live/bench-live.ts')).benchLive,
  clients: async () => (await import('./clients/bench-clients.ts')).benchClients,
  team: async () => (await import('./team/bench-team.ts')).benchTeam,
  mirror: async () => (await import('./mirror/bench-mirror.ts')).benchMirror,
  git: async () => (await import('./git/bench-git.ts')).benchGit,
  sync: async () => (await import('./sync/bench-sync.ts')).benchSync,
  graph: async () => (await import('./graph/bench-graph.ts')).benchGraph,
  web: async () => (await import('./web/bench-web.ts')).benchWeb,
  site: async () => (await import('./site/bench-site.ts')).benchSite,
};

/** `pnpm bench STUDY ...`: long work that reports its progress, and that Ctrl-C stops so that it can go on later. */
export const studies: Record<string, () => Promise<RunStudy>> = {
  phase0: async () => (await import('./studies/command.ts')).benchPhase0,
  jitter: async () => (await import('./studies/command.ts')).benchJitter,
  throughput: async () => (await import('./studies/command.ts')).benchThroughput,
  deploy: () => awsCommand('deploy'),
  destroy: () => awsCommand('destroy'),
  status: () => awsCommand('status'),
  collect: () => awsCommand('collect'),
};

async function awsCommand(command: AwsCommand): Promise<RunStudy> {
  const { runAwsCommand } = await import('./aws/commands.ts');
  const terminal = { input: process.stdin, output: process.stderr };
  return (given, { signal }) => runAwsCommand(command, given, terminal, signal);
}
