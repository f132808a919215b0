import { expect, test } from 'vitest';
import { type NightlyOptions, nightlyWikis } from '../../wiki/test/operations/nightly-wikis.ts';
import { logLine } from '../../wiki-lambda/src/operation-log.ts';
import { type State, statesOf } from './evaluate-alarm.ts';
import { templateOf } from './synthesize.ts';

const template = templateOf({});

/** The metrics that the function's log gives CloudWatch in so many nights. */
async function metricsOf(nights: number, wikis: number, options: NightlyOptions) {
  const wikiNames = Array.from({ length: wikis }, (_, index) => `w-${String(index).padStart(3, '0')}`);
  const nightly = nightlyWikis(wikiNames, options);
  const days: Record<string, number[]>[] = [];
  for (let night = 0; night < nights; night += 1) {
    const rounds = await nightly.night();
    const values = rounds.flatMap((round) => embeddedIn(lineOf(round)));
    const names = new Set(values.map(([name]) => name));
    const of = (wanted: string) => values.flatMap(([name, value]) => (name === wanted ? [value] : []));
    const day = Object.fromEntries([...names].map((name) => [name, of(name)]));
    days.push(day);
  }
  return days;
}

function lineOf(round: Parameters<typeof logLine>[0]['round']): string {
  const record = {
    operation: 'maintain_wiki',
    wiki: null,
    path: null,
    requestId: null,
    isDryRun: false,
    goesOnLater: true,
  } as const;
  const invocation = { id: 'invocation-1', durationMs: 1, timestamp: 1 };
  const rest = {
    functionName: 'Pagetree:7',
    invocation,
    person: null,
    refused: null,
    outcome: 'ok',
    commit: null,
    error: null,
    init: null,
  } as const;
  return logLine({ record, round, ...rest });
}

/** The metrics of a line, as CloudWatch reads them. */
function embeddedIn(line: string): [name: string, value: number][] {
  const { _aws, ...fields } = JSON.parse(line);
  const declared = _aws.CloudWatchMetrics as { Metrics: { Name: string }[] }[];
  return declared.flatMap(({ Metrics }) =>
    Metrics.map(({ Name }) => [Name, Number(fields[Name])] as [string, number]),
  );
}

const first = (states: readonly State[], wanted: State) => states.indexOf(wanted);

/** With one wiki in each call, a night has 36. */
const ROUNDS = [
  { nights: 1, wikis: 30 },
  { nights: 2, wikis: 60 },
  { nights: 4, wikis: 120 },
];

test.each(ROUNDS)(
  'debt that grows from round to round raises an alarm in rounds of $nights nights',
  async ({ nights, wikis }) => {
    let turn = 0;
    const debt = () => 1_000 + 100 * Math.floor(turn++ / wikis);
    const days = await metricsOf(nights * 8, wikis, { turnsOfCall: 1, debt });
    const states = statesOf(template, 'MaintenanceDebtGrows', days);
    // The fourth round ends with more than the third, that with more than the second, and that with more than the first.
    expect(first(states, 'ALARM')).toBe(nights * 4 - 1);
    // It stays, also on days on which no round ends.
    expect(states.slice(nights * 4)).toEqual(Array(nights * 4).fill('ALARM'));
  },
);

test.each(ROUNDS)(
  'debt that stays or goes up and down raises none in rounds of $nights nights',
  async ({ nights, wikis }) => {
    const steady = [1_000];
    const noisy = [1_000, 1_300, 900, 1_100, 1_200, 800];
    for (const series of [steady, noisy, [0]]) {
      let turn = 0;
      const debt = () => series[Math.floor(turn++ / wikis) % series.length] ?? 0;
      const days = await metricsOf(nights * 12, wikis, { turnsOfCall: 1, debt });
      expect(statesOf(template, 'MaintenanceDebtGrows', days)).not.toContain('ALARM');
    }
  },
);

test.each(ROUNDS)(
  'the alarm ends with the first round of $nights nights that leaves less',
  async ({ nights, wikis }) => {
    let turn = 0;
    const debt = () => {
      const round = Math.floor(turn++ / wikis);
      return round < 5 ? 1_000 * round : 10;
    };
    const days = await metricsOf(nights * 7, wikis, { turnsOfCall: 1, debt });
    const states = statesOf(template, 'MaintenanceDebtGrows', days);
    expect(states[nights * 5 - 1]).toBe('ALARM');
    expect(states[nights * 6 - 1]).toBe('OK');
  },
);

test('a wiki that no night finishes raises an alarm, until a round finishes it', async () => {
  const days = await metricsOf(4, 3, { callsOf: { 'w-001': 60 } });
  const states = statesOf(template, 'MaintenanceDidNotFinishAWiki', days);
  expect(states).toEqual(['ALARM', 'ALARM', 'OK', 'OK']);
});

test('a round of four nights raises an alarm on the third, and one of two nights none', async () => {
  const statesIn = async (wikis: number) =>
    statesOf(template, 'MaintenanceDidNotFinish', await metricsOf(8, wikis, { turnsOfCall: 1 }));
  expect(first(await statesIn(120), 'ALARM')).toBe(2);
  expect(await statesIn(60)).not.toContain('ALARM');
});
