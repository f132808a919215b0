import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';
import { onTestFinished } from 'vitest';
import { CLIENT } from './own-issuer.ts';

/** The people of the issuer, by the name under which they log in there; any password will do. */
const PEOPLE: Readonly<Record<string, object>> = {
  ada: { name: 'Ada Lovelace', email: 'Ada@example.org', email_verified: true, groups: ['editors'] },
  grace: { name: 'Grace Hopper', email: 'grace@example.org', email_verified: true, groups: ['readers'] },
  mallory: { name: 'Ada Lovelace', email: 'ada@example.org', email_verified: false, groups: [] },
};

/** An issuer that others wrote, with its pages for people. Returns its address. `atEnd` takes what closes it. */
export async function openHonestIssuer(
  origin: string,
  atEnd: (close: () => void) => void = onTestFinished,
): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(address, {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        token_endpoint_auth_method: 'client_secret_post',
        redirect_uris: [`${origin}/_/login/callback`],
        post_logout_redirect_uris: [`${origin}/_/signed-out`],
      },
    ],
    claims: {
      openid: ['sub'],
      profile: ['name', 'groups'],
      email: ['email', 'email_verified'],
    },
    cookies: { keys: ['for the cookies of the issuer'] },
    pkce: { required: () => true },
    ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    findAccount: (_: unknown, id: string) => ({
      accountId: id,
      claims: async () => ({ sub: id, ...PEOPLE[id] }),
    }),
  });
  server.on('request', provider.callback());
  atEnd(() => {
    server.close();
    server.closeAllConnections();
  });
  return address;
}
