import { RegionInfo } from 'aws-cdk-lib/region-info';
import { z } from 'zod';
import { checkTogether, oneOf, text, wholeNumber } from './configuration-rules.ts';
import { web } from './web-settings.ts';

/** The days that CloudWatch offers to keep logs for. */
const LOG_RETENTION_DAYS = [
  1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653,
] as const;

const NO_REGION = 'must be the name of an AWS region, such as us-east-2';

const throughput = z
  .strictObject({
    mode: oneOf(['elastic', 'bursting', 'provisioned'])
      .default('elastic')
      .describe('`elastic` is billed by what is read and written, `bursting` by what is stored'),
    mibPerSecond: wholeNumber(1, 3414)
      .optional()
      .describe('What is paid for all the time, used or not. With `provisioned` only'),
  })
  .prefault({});

const fileSystem = z
  .strictObject({
    availability: oneOf(['one-zone', 'regional'])
      .default('regional')
      .describe(
        '`regional` survives the loss of a zone; `one-zone` costs half for storage, and loses up to a day of writes with its zone. Cannot be changed once there are wikis',
      ),
    throughput,
    directory: text(/^(\/[\w.:+-]+){1,4}$/, 'an absolute path such as /pagetree, of at most four names')
      .default('/pagetree')
      .describe('Where in the file system the wikis lie. Another one after a restore from a backup'),
    removal: oneOf(['retain', 'delete'])
      .default('retain')
      .describe('What happens to the wikis when the stack is deleted'),
  })
  .prefault({});

const scheduled = z.strictObject({
  cron: text(
    /^\S+( \S+){5}$/,
    'six fields, minute hour day-of-month month day-of-week year, such as 0 7 ? * MON-FRI *',
  ).describe('When the change happens: minute hour day-of-month month day-of-week year'),
  timeZone: z
    .string({ error: 'must be the name of a time zone, such as Europe/Vienna' })
    .refine(isTimeZone, { error: 'must be the name of a time zone, such as Europe/Vienna' })
    .default('UTC')
    .describe('The time zone of `cron`'),
  environments: wholeNumber(0, 1000).describe('Environments kept ready from then on'),
});

const targetTracking = z.strictObject({
  most: wholeNumber(1, 1000).describe('Environments kept ready at most'),
  utilization: z
    .number({ error: 'must be a number from 0.1 to 0.9' })
    .min(0.1, 'must be a number from 0.1 to 0.9')
    .max(0.9, 'must be a number from 0.1 to 0.9')
    .default(0.7)
    .describe('The share of the ready environments that is to be busy'),
});

const provisionedConcurrency = z
  .strictObject({
    environments: wholeNumber(0, 1000)
      .default(1)
      .describe(
        'Environments of the writing function that are kept ready; 0 keeps none and costs nothing at rest',
      ),
    schedule: z
      .array(scheduled, { error: 'must be a list, such as []' })
      .default([])
      .describe('Changes by the clock'),
    targetTracking: targetTracking.optional().describe('Changes by the load. Without it: none'),
  })
  .prefault({});

const lambda = z
  .strictObject({
    memoryMib: wholeNumber(256, 10_240)
      .default(512)
      .describe('Memory of an environment, which also decides its share of a processor'),
    timeoutSeconds: wholeNumber(5, 900).default(30).describe('How long one operation may take'),
    reservedConcurrency: wholeNumber(1, 1000)
      .optional()
      .describe(
        'Environments of the account that are reserved for each of the two functions, and the most that it may have. Without it: no limit of its own',
      ),
    provisionedConcurrency,
  })
  .prefault({});

/**
 * The decisions of a person about the stack. Everything has a default, and the defaults can be deployed
 * unchanged.
 */
export const configurationSchema = z
  .strictObject({
    $schema: z.string().optional().describe('For editors'),
    stackName: text(
      // A stack X may have the functions X-people, X-reader, X-sync and X-web.
      /^(?!.*-(?:people|reader|sync|web)$)[A-Za-z][A-Za-z0-9-]{0,39}$/,
      'a letter, then at most 39 letters, digits and hyphens, and not end in -people, -reader, -sync or -web',
    )
      .default('Pagetree')
      .describe('Name of the stack and of its functions. Several stacks may stand side by side'),
    region: z
      .string({ error: NO_REGION })
      .refine((name) => RegionInfo.regions.some((region) => region.name === name), { error: NO_REGION })
      .default('us-east-2')
      .describe('Where everything lies'),
    zones: z
      .array(text(/^[a-z]{2}(-[a-z]+)+-\d[a-z]$/, 'the name of a zone, such as us-east-2a'), {
        error: 'must be a list of zones, such as ["us-east-2a"]',
      })
      .optional()
      .describe(
        'Availability zones: one for `one-zone`, two or three for `regional`. Without it: the first that the region has, or the first two',
      ),
    fileSystem,
    function: lambda,
    web: web
      .optional()
      .describe('Pages for people who log in: [web-on-aws.md](web-on-aws.md). Without it: none'),
    sync: z
      .boolean({ error: 'must be true or false' })
      .default(false)
      .describe(
        'A function that keeps the wikis in sync with git remotes, such as on GitHub: [sync.md](sync.md#on-aws). An account must allow 101 environments at a time for it',
      ),
    logRetentionDays: z
      .literal(LOG_RETENTION_DAYS, { error: `must be one of ${LOG_RETENTION_DAYS.join(', ')}` })
      .default(90)
      .describe('Days to keep the logs'),
    alarmAddress: z
      .email({ error: 'must be an e-mail address' })
      .optional()
      .describe('The address that gets an e-mail when an alarm goes off. Without it: none'),
  })
  .superRefine(checkTogether);

/** The result of parsing a file with `configurationSchema`. */
type Parsed = z.infer<typeof configurationSchema>;

/** A configuration with nothing left to decide. Without `zones` the region decides. */
export type Configuration = Omit<Parsed, '$schema'>;

export type WebSettings = NonNullable<Configuration['web']>;

/** @throws z.ZodError whose issues `problemsOf` puts into sentences. */
export function parseConfiguration(json: unknown): Configuration {
  const { $schema: _, ...configuration } = configurationSchema.parse(json);
  return configuration;
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    // Intl throws a RangeError if it has no such zone.
    return false;
  }
}
