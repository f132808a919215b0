import { type AwsConfig, processSurroundings, readPlace, readScope } from '@pagetree/backends/config';
import type { Scope } from '@pagetree/wiki/contract';

/**
 * The configuration of the function that shows pages. `problems` lists faults of the set-up, each a sentence; if there
 * are any, every request is answered with them.
 */
export interface Config {
  /** The wiki's function. */
  aws: AwsConfig | null;
  /** The default wiki, used when an address names none. */
  wiki: string | null;
  scope: Scope | null;
  /** The accepted values of the `Host` header. */
  hosts: string[];
  problems: string[];
}

type Variables = Readonly<Record<string, string | undefined>>;

/** Never throws: `problems` reports faults, because a function that does not start cannot report anything. */
export function readConfig(variables: Variables = process.env): Config {
  const surroundings = { ...processSurroundings(), env: variables };
  const { aws, wiki, problems } = readPlace({}, surroundings);
  const setting = readScope({}, surroundings);
  const hosts = (variables.PAGETREE_HOSTS ?? '').split(',').filter((host) => host !== '');
  const faults = [...problems];
  if (variables.PAGETREE_WITHOUT_LOGIN !== 'true') {
    faults.push(
      'There is no login yet, so that everybody who reaches this address could read the wiki. PAGETREE_WITHOUT_LOGIN must be "true" to allow that.',
    );
  }
  if (aws === null) faults.push("PAGETREE_FUNCTION must name the wiki's function.");
  if (hosts.length === 0) faults.push('PAGETREE_HOSTS must list the host names of this function.');
  if (setting.kind === 'mistake') faults.push(setting.sentence);
  const scope = setting.kind === 'mistake' ? null : setting.scope;
  return { aws, wiki, scope, hosts, problems: faults };
}
