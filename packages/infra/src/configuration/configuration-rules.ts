import { z } from 'zod';

/** Each message continues the setting's name: `function.memoryMib must be ...`. */
export function wholeNumber(least: number, most: number) {
  const error = `must be a whole number from ${least} to ${most}`;
  return z.int({ error }).min(least, { error }).max(most, { error });
}

export function oneOf<const Values extends readonly [string, ...string[]]>(values: Values) {
  return z.enum(values, { error: `must be ${values.map((value) => `"${value}"`).join(' or ')}` });
}

export function text(pattern: RegExp, meaning: string) {
  const error = `must be ${meaning}`;
  return z.string({ error }).regex(pattern, { error });
}

/** The settings that `checkTogether` examines. */
interface Together {
  region: string;
  zones?: string[] | undefined;
  fileSystem: {
    availability: 'one-zone' | 'regional';
    throughput: { mode: string; mibPerSecond?: number | undefined };
  };
  function: {
    reservedConcurrency?: number | undefined;
    provisionedConcurrency: {
      environments: number;
      schedule: readonly { environments: number }[];
      targetTracking?: { most: number } | undefined;
    };
  };
}

/** The rules about several settings at once. */
export function checkTogether(settings: Together, context: z.RefinementCtx): void {
  const problem = (path: string[], message: string) => context.addIssue({ code: 'custom', path, message });
  const { region, zones, fileSystem } = settings;
  const { mode, mibPerSecond } = fileSystem.throughput;
  const { environments, schedule, targetTracking } = settings.function.provisionedConcurrency;
  const { reservedConcurrency } = settings.function;

  const foreign = zones?.find((zone) => zone.slice(0, -1) !== region);
  if (foreign) problem(['zones'], `must lie in the region ${region}, which ${foreign} does not`);
  if (zones && new Set(zones).size !== zones.length) problem(['zones'], 'must name each zone once');
  if (zones && fileSystem.availability === 'one-zone' && zones.length !== 1)
    problem(['zones'], 'must name exactly one zone while fileSystem.availability is "one-zone"');
  if (zones && fileSystem.availability === 'regional' && (zones.length < 2 || zones.length > 3))
    problem(['zones'], 'must name two or three zones while fileSystem.availability is "regional"');
  if (mode === 'provisioned' && mibPerSecond === undefined)
    problem(['fileSystem', 'throughput', 'mibPerSecond'], 'must be given while the mode is "provisioned"');
  if (mode !== 'provisioned' && mibPerSecond !== undefined)
    problem(
      ['fileSystem', 'throughput', 'mibPerSecond'],
      `means nothing while the mode is "${mode}"; remove it`,
    );
  if (targetTracking && targetTracking.most < Math.max(environments, 1))
    problem(
      ['function', 'provisionedConcurrency', 'targetTracking', 'most'],
      `must be at least ${environments}, the environments that are kept ready anyway`,
    );
  const most = Math.max(
    environments,
    targetTracking?.most ?? 0,
    ...schedule.map((change) => change.environments),
  );
  // Those kept ready serve one alias alone: the nightly maintenance has another, and would be throttled for ever.
  if (reservedConcurrency !== undefined && most > 0 && reservedConcurrency <= most)
    problem(
      ['function', 'reservedConcurrency'],
      `must be at least ${most + 1}, one more than the most environments that are kept ready`,
    );
}
