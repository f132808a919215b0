import { lookup as lookUp } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from './public-addresses.ts';

/** How servers elsewhere are reached. Tests, whose servers are on this machine, have another one. */
export interface Reaching {
  lookup: typeof lookUp;
  isAllowed(address: string): boolean;
  /** Certificates that count besides those of the system. */
  ca?: string;
}

export const PUBLIC: Reaching = { lookup: lookUp, isAllowed: isPublicAddress };

/** A server was not called, because its address is not one of the public Internet. */
export class NotPublicError extends Error {
  override readonly name = 'NotPublicError';
  readonly code = 'ERR_NOT_PUBLIC';

  constructor() {
    super('it is no address of the public Internet');
  }
}

/** Throws NotPublicError if the URL holds an IP address that is not allowed: for such a URL no name is looked up. */
export function requireAllowed(url: URL, { isAllowed }: Reaching): void {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0 && !isAllowed(host)) throw new NotPublicError();
}

/** Looks a name up for a connection, which is then made to an address that was checked: no second look-up can differ. */
export function checkedLookup({ lookup, isAllowed }: Reaching): LookupFunction {
  return (name, options, done) =>
    lookup(name, { ...options, all: true }, (error, found) => {
      if (error !== null) return done(error, '', 0);
      const [first] = found;
      // One that is not public among others is a sign of an attack.
      if (first === undefined || !found.every(({ address }) => isAllowed(address)))
        return done(new NotPublicError(), '', 0);
      return options.all === true ? done(null, found) : done(null, first.address, first.family);
    });
}
