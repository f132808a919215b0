/** The parameters in Systems Manager that belong to the pages of a stack. No template makes them: they are secrets. */
export interface ParameterNames {
  /** Encrypted: the key of the cookies and the private key of the grants. */
  keys: string;
  /** The public key of the grants. */
  grantKey: string;
  /** Encrypted: our secret at an issuer of one's own. */
  clientSecret: string;
}

/** The table of the pages of a stack. */
export function recordsTableOf(stackName: string): string {
  return `${stackName}-web`;
}

export function parameterNames(stackName: string): ParameterNames {
  const at = `/pagetree/${stackName}/web`;
  return { keys: `${at}/keys`, grantKey: `${at}/grant-key`, clientSecret: `${at}/client-secret` };
}
