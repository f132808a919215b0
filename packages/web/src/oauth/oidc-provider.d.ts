/** The package has no types of its own, and those of others bring along all of its web framework. */
declare module 'oidc-provider' {
  import type { DispatchFunc } from 'light-my-request';

  interface Model {
    save(ttlS?: number): Promise<string>;
  }

  export interface Interaction extends Model {
    uid: string;
    /** In seconds since 1970. */
    exp: number;
    returnTo: string;
    params: Readonly<Record<string, unknown>>;
    result?: object;
  }

  export interface Client {
    clientId: string;
    clientName?: string;
    redirectUris: string[];
    applicationType: 'web' | 'native';
  }

  export interface Grant extends Model {
    addOIDCScope(scope: string): void;
    rejectOIDCScope(scope: string): void;
    addResourceScope(resource: string, scope: string): void;
    rejectResourceScope(resource: string, scope: string): void;
  }

  export class Provider {
    constructor(issuer: string, configuration: object);
    proxy: boolean;
    /** A listener for requests of Node's server. */
    callback(): DispatchFunc;
    Interaction: { find(uid: string): Promise<Interaction | undefined> };
    Client: { find(id: string): Promise<Client | undefined> };
    Grant: new (of: {
      accountId: string;
      clientId: string;
    }) => Grant;
    on(event: string, listener: (...args: never[]) => void): void;
  }

  export const errors: Record<'InvalidGrant' | 'InvalidTarget', new (description: string) => Error>;
}
