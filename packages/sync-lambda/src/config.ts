/** The settings of the function that syncs the wikis of a stack with their remotes. */
export interface Config {
  /** The wiki's function that writes. */
  wikiFunction: string;
  /** The beginning of the names of all secrets, as `pagetree/Pagetree`. */
  secretsUnder: string;
}

/** Throws if something is missing: the alarm for failed calls reports it. */
export function readConfig(variables: Readonly<Record<string, string | undefined>> = process.env): Config {
  const { PAGETREE_FUNCTION: wikiFunction, PAGETREE_SECRETS: secretsUnder } = variables;
  if (!wikiFunction) throw new Error("PAGETREE_FUNCTION must name the wiki's function.");
  if (!secretsUnder) throw new Error('PAGETREE_SECRETS must be the beginning of the names of secrets.');
  return { wikiFunction, secretsUnder };
}
