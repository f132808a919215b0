import {
  AUTHORIZE_ADDRESS,
  OFFLINE,
  READ,
  REGISTER_ADDRESS,
  REVOKE_ADDRESS,
  resourceOf,
  TOKEN_ADDRESS,
  WRITE,
} from './addresses.ts';

/** RFC 9728. */
export function resourceMetadata(origin: string) {
  return {
    resource: resourceOf(origin),
    authorization_servers: [origin],
    scopes_supported: [READ, WRITE],
    bearer_methods_supported: ['header'],
    resource_name: 'Pagetree',
  };
}

/**
 * RFC 8414. The provider's own names what works nowhere here: keys, scopes and claims of OpenID Connect, and answers by
 * forms, which the policy of our pages does not let through.
 */
export function serverMetadata(origin: string) {
  return {
    issuer: origin,
    authorization_endpoint: origin + AUTHORIZE_ADDRESS,
    token_endpoint: origin + TOKEN_ADDRESS,
    registration_endpoint: origin + REGISTER_ADDRESS,
    revocation_endpoint: origin + REVOKE_ADDRESS,
    scopes_supported: [READ, WRITE, OFFLINE],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
  };
}
