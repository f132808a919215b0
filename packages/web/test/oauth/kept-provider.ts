import type { OAuthClientProvider } from '@modelcontextprotocol/client';
import { REDIRECT } from './oauth-client.ts';

/** The state that a program keeps between the steps of the flow. */
export class KeptProvider implements OAuthClientProvider {
  readonly redirectUrl = REDIRECT;
  readonly clientMetadata = { redirect_uris: [REDIRECT], client_name: 'A client of the SDK' };
  /** The address to which the person is sent. */
  asked: URL | null = null;
  #client: Awaited<ReturnType<NonNullable<OAuthClientProvider['clientInformation']>>>;
  #tokens: Awaited<ReturnType<OAuthClientProvider['tokens']>>;
  #verifier = '';
  #discovery: Awaited<ReturnType<NonNullable<OAuthClientProvider['discoveryState']>>>;

  readonly clientMetadataUrl?: string;

  /** Known by the document at an address, or by registration. */
  constructor(clientMetadataUrl?: string) {
    if (clientMetadataUrl !== undefined) this.clientMetadataUrl = clientMetadataUrl;
  }

  clientInformation() {
    return this.#client;
  }
  saveClientInformation(client: Parameters<NonNullable<OAuthClientProvider['saveClientInformation']>>[0]) {
    this.#client = client;
  }
  tokens() {
    return this.#tokens;
  }
  saveTokens(tokens: Parameters<OAuthClientProvider['saveTokens']>[0]) {
    this.#tokens = tokens;
  }
  redirectToAuthorization(address: URL) {
    this.asked = address;
  }
  saveCodeVerifier(verifier: string) {
    this.#verifier = verifier;
  }
  codeVerifier() {
    return this.#verifier;
  }
  saveDiscoveryState(discovery: Parameters<NonNullable<OAuthClientProvider['saveDiscoveryState']>>[0]) {
    this.#discovery = discovery;
  }
  discoveryState() {
    return this.#discovery;
  }
}
