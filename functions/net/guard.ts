/** Prevents SSRF. The check is part of the connection's own DNS lookup, so a name cannot resolve differently later. */
import { type LookupAddress, type LookupOptions, lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** No connection was opened, and a retry would not help. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
  readonly code = 'EADDRREFUSED';
  constructor() {
    super('The host resolves to an address that is not public');
  }
}

export interface Guard {
  /** Fails with AddressRefused if any address of the host is not public. */
  readonly lookup: LookupFunction;
  /** For a host that is an IP address, for which Node makes no lookup. @throws AddressRefused */
  check(host: string): void;
  readonly allowPrivate: boolean;
}

type Resolve = (
  host: string,
  options: LookupOptions & { all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

export function createGuard(
  options: { readonly allowPrivate: boolean },
  resolve: Resolve = systemLookup,
): Guard {
  const allowed = (address: string) => options.allowPrivate || isPublicAddress(address);
  return {
    allowPrivate: options.allowPrivate,
    check(host) {
      const address = host.replace(/^\[|\]$/g, '');
      if (isIP(address) !== 0 && !allowed(address)) throw new AddressRefused();
    },
    lookup(host, lookupOptions, callback) {
      resolve(host, { ...lookupOptions, all: true }, (error, addresses) => {
        const first = addresses?.[0];
        if (error !== null) return callback(error, '', 0);
        if (first === undefined) return callback(notFound(host), '', 0);
        if (!addresses.every(({ address }) => allowed(address))) return callback(new AddressRefused(), '', 0);
        if (lookupOptions.all === true) return callback(null, addresses);
        return callback(null, first.address, first.family);
      });
    },
  };
}

/** The public part of IPv6 (RFC 4291, IANA registry). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Not private, loopback, link-local (cloud metadata), carrier-grade NAT, multicast, reserved or an IPv6 form of those.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || parsed.match(GLOBAL_UNICAST);
}

function notFound(host: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`No address for ${host}`), { code: 'ENOTFOUND' });
}
