import { type AwsConfig, processSurroundings, readPlace, setting } from '@pagetree/backends/config';

/** The settings of the function that shows pages to people who log in. */
export interface Config {
  /** The wiki's function that takes calls for people. */
  aws: AwsConfig;
  /** The default wiki, used when an address names none. */
  wiki: string | null;
  /** The origin of the pages in the browser; null for that of the Function URL. */
  origin: string | null;
  issuer: string;
  clientId: string;
  /** The parameters of AWS Systems Manager. Null for a client without a secret. */
  parameters: { keys: string; clientSecret: string | null };
  /** The table of what all environments share: rules, sessions that have ended, clients and their tokens. */
  records: string;
}

export type ReadConfig =
  | { kind: 'config'; config: Config }
  /** Each fault of the set-up is a sentence. */
  | { kind: 'problems'; problems: string[] };

type Variables = Readonly<Record<string, string | undefined>>;

/** Never throws: a function that does not start cannot report anything. */
export function readConfig(variables: Variables = process.env): ReadConfig {
  const { aws, wiki, problems } = readPlace({}, { ...processSurroundings(), env: variables });
  const faults = [...problems];
  const needed = (name: string, meaning: string) => {
    const value = setting(variables[name]);
    if (value === null) faults.push(`${name} must be ${meaning}.`);
    return value ?? '';
  };
  if (aws === null) faults.push("PAGETREE_FUNCTION must name the wiki's function.");
  const config = {
    wiki,
    origin: setting(variables.PAGETREE_ORIGIN),
    issuer: needed('PAGETREE_ISSUER', 'the address of the issuer'),
    clientId: needed('PAGETREE_CLIENT_ID', 'our id at the issuer'),
    parameters: {
      keys: needed('PAGETREE_KEYS', 'the name of the parameter with the keys'),
      clientSecret: setting(variables.PAGETREE_CLIENT_SECRET),
    },
    records: needed('PAGETREE_RECORDS', 'the table of what the environments share'),
  };
  if (config.origin !== null && URL.parse(config.origin)?.origin !== config.origin)
    faults.push(
      `PAGETREE_ORIGIN is ${JSON.stringify(config.origin)}, but must be as https://wiki.example.org.`,
    );
  return aws === null || faults.length > 0
    ? { kind: 'problems', problems: faults }
    : { kind: 'config', config: { ...config, aws } };
}
