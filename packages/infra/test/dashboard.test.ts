import { RegionInfo } from 'aws-cdk-lib/region-info';
import { expect, test } from 'vitest';
import { parseConfiguration } from '../src/configuration/configuration.ts';
import { templateOf } from './synthesize.ts';

/** The console of each partition; null where its address is not known for certain. */
const CONSOLES: Readonly<Record<string, string | null>> = {
  aws: 'console.aws.amazon.com',
  'aws-cn': 'console.amazonaws.cn',
  'aws-us-gov': 'console.amazonaws-us-gov.com',
  'aws-eusc': 'console.amazonaws-eusc.eu',
  'aws-iso': 'console.c2shome.ic.gov',
  'aws-iso-b': 'console.sc2shome.sgov.gov',
  'aws-iso-e': null,
  'aws-iso-f': null,
};

/** A region of each partition that the settings accept. */
const ACCEPTED = new Map(
  RegionInfo.regions
    .filter(({ name }) => isAccepted(name))
    .map(({ name, partition }) => [partition ?? 'none', name]),
);

function isAccepted(region: string): boolean {
  try {
    return parseConfiguration({ region }).region === region;
  } catch {
    return false;
  }
}

test('each partition that the settings accept has its console looked up', () => {
  expect([...ACCEPTED.keys()].toSorted()).toEqual(Object.keys(CONSOLES).toSorted());
});

test.each([...ACCEPTED])(
  'the dashboard in %s (%s) is linked in the console of that partition, or named',
  (partition, region) => {
    const { Value } = templateOf({ region }).Outputs.Dashboard ?? {};
    const host = CONSOLES[partition];
    const name = `Pagetree-${region}`;
    expect(Value).toBe(
      host === null
        ? name
        : `https://${region}.${host}/cloudwatch/home?region=${region}#dashboards:name=${name}`,
    );
  },
);
