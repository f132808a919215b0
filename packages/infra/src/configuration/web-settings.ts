import { largestGrant, MAX_RIGHTS_BYTES } from '@pagetree/access/largest-grant';
import { parseAccess } from '@pagetree/access/parse-access';
import { z } from 'zod';
import { text, wholeNumber } from './configuration-rules.ts';

const NO_ISSUER = 'must be the address of an issuer of OpenID Connect, such as https://accounts.google.com';

const cognito = z.strictObject({
  domainPrefix: text(
    /^(?!.*(?:aws|amazon|cognito))[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/,
    'at most 63 of a-z, 0-9 and "-", without aws, amazon and cognito',
  ).describe('The first part of the address where people log in. No other pool of the region may have it'),
});

const domain = z.strictObject({
  name: text(
    /^(?=.{4,253}$)([a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/,
    'a name in lower case, such as wiki.example.org',
  ).describe('The name of the pages. CloudFront answers it'),
  certificateArn: text(
    /^arn:aws:acm:us-east-1:\d{12}:certificate\/[\w-]+$/,
    'the ARN of a certificate in us-east-1, the only region where CloudFront looks for it',
  ).describe('The ARN of a certificate for that name, in us-east-1'),
});

/** The format of docs/access.md. The version may be left out. */
const access = z
  .strictObject({
    version: z.literal(1, { error: 'must be 1' }).default(1).describe('The version of the format'),
    rules: z
      .array(z.unknown(), { error: 'must be a list of rules, as docs/access.md describes' })
      .describe('Who may do what: [access.md](access.md)'),
  })
  .superRefine((given, context) => {
    const sentence = faultOf(JSON.stringify(given));
    if (sentence !== null)
      context.addIssue({ code: 'custom', message: `web.access: ${sentence}`, params: { isSentence: true } });
  });

/** The settings of the pages for people who log in. */
export const web = z
  .strictObject({
    issuer: z
      .string({ error: NO_ISSUER })
      .refine(isIssuer, { error: NO_ISSUER })
      .optional()
      .describe('The issuer where people log in, as `--issuer` of `pnpm serve`'),
    clientId: text(/^[\x21-\x7e]{1,255}$/, 'the client ID that the issuer gave')
      .optional()
      .describe('The client ID at that issuer. Its secret comes with `--client-secret-file`'),
    cognito: cognito.optional().describe('In place of an issuer: a user pool of Cognito, made by the stack'),
    domain: domain.optional().describe('A name of your own. Without it: the address of the function'),
    access: access.describe('Who may do what. Nobody has a right that no rule gives'),
    memoryMib: wholeNumber(256, 10_240)
      .default(1769)
      .describe('Memory of an environment of the two functions of the pages. 1769 give a whole processor'),
    provisionedConcurrency: z
      .strictObject({
        environments: wholeNumber(0, 1000)
          .default(0)
          .describe('Environments of each of the two functions of the pages that are kept ready'),
      })
      .prefault({}),
    reservedConcurrency: wholeNumber(1, 1000)
      .optional()
      .describe(
        'As of `function`, for each of the two functions of the pages: more browsers than that cannot take environments from agents',
      ),
  })
  .superRefine(({ issuer, clientId, cognito, provisionedConcurrency, reservedConcurrency }, context) => {
    const problem = (path: string[], message: string) => context.addIssue({ code: 'custom', path, message });
    const { environments } = provisionedConcurrency;
    if ((issuer === undefined) === (cognito === undefined))
      context.addIssue({
        code: 'custom',
        message: 'web must have either an issuer with its clientId, or cognito.',
        params: { isSentence: true },
      });
    else if (issuer !== undefined && clientId === undefined)
      problem(['clientId'], 'must be given with an issuer');
    else if (cognito !== undefined && clientId !== undefined)
      problem(['clientId'], 'means nothing with cognito; remove it');
    if (reservedConcurrency !== undefined && reservedConcurrency < environments)
      problem(
        ['reservedConcurrency'],
        `must be at least ${environments}, the environments that are kept ready`,
      );
  });

function faultOf(rules: string): string | null {
  const parsed = parseAccess(rules);
  if (parsed.kind === 'mistake') return parsed.sentence;
  const stored = Buffer.byteLength(JSON.stringify(parsed.access));
  if (stored > MAX_RULES_BYTES)
    return `The rules have ${stored} bytes, of at most ${MAX_RULES_BYTES} that are stored. Give rights to groups in place of people, or to folders that contain others.`;
  const { person, bytes } = largestGrant(parsed.access);
  if (bytes <= MAX_RIGHTS_BYTES) return null;
  const who = person ?? 'a person who is in all groups';
  return `The rules give ${who} ${bytes} bytes of wikis and folders, of at most ${MAX_RIGHTS_BYTES} that can go with each call. Name folders that contain others, or whole wikis.`;
}

/** DynamoDB stores 400 kB in one item. */
const MAX_RULES_BYTES = 300_000;

function isIssuer(address: string): boolean {
  const url = URL.parse(address);
  return url?.protocol === 'https:' && url.username === '' && !/[?#\s]/.test(address);
}
