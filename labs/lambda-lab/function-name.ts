/** The function as a caller of the Invoke API names it. */
export interface FunctionName {
  readonly name: string;
  /** Version or alias; null if none was named. */
  readonly qualifier: string | null;
  readonly region: string | null;
  readonly account: string | null;
}

const FORM =
  /^(?:arn:aws:lambda:(?<region>[a-z0-9-]+):)?(?:(?<account>\d{12}):)?(?:function:)?(?<name>[\w-]{1,64})(?::(?<qualifier>\$LATEST|[\w-]{1,128}))?$/;

/**
 * Parses a name, a partial ARN or a whole one, each with or without `:version` or `:alias`; null if the text
 * is none of them.
 */
export function parseFunctionName(text: string): FunctionName | null {
  const groups = FORM.exec(text)?.groups;
  if (groups?.name === undefined) return null;
  const { name, qualifier = null, region = null, account = null } = groups;
  return { name, qualifier, region, account };
}
