import { CALM, type RaceOptions } from '../races/race.ts';
import { verdictOn } from '../races/verdict.ts';
import { runMaintainedRace } from './maintained-race.ts';

/** Runs such a race beside the server of nfs-lab, each process as a client of its own, and prints how it went. */
const troubles: Partial<RaceOptions> & { writesEach: number } = JSON.parse(process.argv[2] ?? '{}');
const report = await runMaintainedRace({
  ...CALM,
  ...troubles,
  directory: '/mnt/efs/wiki.git',
  placement: 'shared',
  pushes: false,
  prefix: (client) => ['in-client', `${client}`],
});
process.stdout.write(JSON.stringify({ report, verdict: verdictOn('/run/srv/wikis/wiki.git') }));
