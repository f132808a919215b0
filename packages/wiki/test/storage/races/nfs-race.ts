import { CALM, type RaceOptions, runRace } from './race.ts';
import { verdictOn } from './verdict.ts';

/** Runs a race beside the server of nfs-lab, each writer as a client of its own, and prints how it went. */
const troubles: Partial<RaceOptions> & { writesEach: number } = JSON.parse(process.argv[2] ?? '{}');
const options: RaceOptions = {
  ...CALM,
  ...troubles,
  directory: '/mnt/efs/wiki.git',
  placement: 'shared',
  pushes: false,
  prefix: (writer) => ['in-client', `${writer}`],
};
const report = await runRace(options);
process.stdout.write(JSON.stringify({ report, verdict: verdictOn('/run/srv/wikis/wiki.git') }));
