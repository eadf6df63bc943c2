import { BlockList, isIP } from 'node:net';

const FAMILIES = { 4: { name: 'ipv4', bits: 32 }, 6: { name: 'ipv6', bits: 128 } } as const;

interface Range {
  readonly address: string;
  readonly bits: number;
  readonly family: 'ipv4' | 'ipv6';
}

/** @param text an address, or a range like `203.0.113.0/24` @returns undefined if it is neither */
export function rangeOf(text: string): Range | undefined {
  const [address = '', length, ...more] = text.split('/');
  const family = familyOf(address);
  if (family === undefined || more.length > 0) return undefined;
  const bits = length === undefined ? family.bits : /^\d{1,3}$/.test(length) ? Number(length) : Number.NaN;
  return bits <= family.bits ? { address, bits, family: family.name } : undefined;
}

/** @param address also an IPv4 address within an IPv6 one (`::ffff:203.0.113.7`) @returns false if it is no address */
export function isWithin(ranges: readonly string[], address: string): boolean {
  const family = familyOf(address);
  if (family === undefined) return false;
  const list = new BlockList();
  for (const text of ranges) {
    const range = rangeOf(text);
    if (range !== undefined) list.addSubnet(range.address, range.bits, range.family);
  }
  return list.check(address, family.name);
}

/** An address with a zone belongs to a local network, from which no source posts. */
function familyOf(address: string) {
  const version = address.includes('%') ? 0 : isIP(address);
  return version === 4 || version === 6 ? FAMILIES[version] : undefined;
}
