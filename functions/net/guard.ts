/**
 * Keeps hosts that buyers and admins name from reaching inside. The check stands in the lookup that the connection
 * itself uses, so a name that resolves differently the second time, or after a redirect, is checked again.
 */
import { type LookupAddress, type LookupOptions, lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** A host that resolves to an address inside: not tried, and not worth trying again. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
  readonly code = 'EADDRREFUSED';
  constructor() {
    super('The host resolves to an address that is not public');
  }
}

export interface Guard {
  /** For `net.connect` and `tls.connect`. Fails with AddressRefused if any address of the name is not public. */
  readonly lookup: LookupFunction;
  /** Node asks no lookup for a host that is an address already: those are checked by this. @throws AddressRefused */
  check(host: string): void;
  /** Whether an address that is not public may be reached. */
  readonly allowPrivate: boolean;
}

type Resolve = (
  host: string,
  options: LookupOptions & { all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** @param resolve how names become addresses; tests pass their own */
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

/** The part of IPv6 that is given out for the open internet (RFC 4291, IANA registry). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether an address belongs to the open internet: not private, loopback, link-local (cloud metadata included), carrier
 * NAT, multicast, reserved, and no IPv6 form that stands for such an IPv4 address.
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
