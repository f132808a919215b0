/** The addresses of the authorization server, below the origin of the pages. */
export const AUTHORIZE_ADDRESS = '/_/oauth/authorize';
export const TOKEN_ADDRESS = '/_/oauth/token';
export const REGISTER_ADDRESS = '/_/oauth/register';
export const REVOKE_ADDRESS = '/_/oauth/revoke';
export const CONSENT_ADDRESS = '/_/oauth/consent';
/** RFC 8414. */
export const SERVER_METADATA_ADDRESS = '/.well-known/oauth-authorization-server';
/** RFC 9728, with the path of the resource after it. */
export const RESOURCE_METADATA_ADDRESS = '/.well-known/oauth-protected-resource';

/** The resource that tokens are for: the address of agents. */
export function resourceOf(origin: string): string {
  return `${origin}/mcp`;
}

export const READ = 'wiki:read';
export const WRITE = 'wiki:write';
export const OFFLINE = 'offline_access';
