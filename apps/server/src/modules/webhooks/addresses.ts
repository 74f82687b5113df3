import { BlockList, isIP, isIPv4 } from 'node:net';

/**
 * What is not the public internet: the special-purpose registries of IANA (RFC 6890), and the address at which Azure
 * serves its virtual machines, which is public in form only.
 */
const NOT_PUBLIC_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '168.63.129.16/32',
];

/** RFC 4291 section 2.4: only this is global unicast. */
const PUBLIC_V6 = listOf(['2000::/3']);
/** In it: protocol assignments with Teredo, 6to4 (which leads to IPv4 addresses), and documentation. */
const NOT_PUBLIC_V6 = listOf(['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']);
const NOT_PUBLIC = listOf(NOT_PUBLIC_V4);

/** IPv4 addresses written as IPv6: mapped (RFC 4291 section 2.5.5.2) and translated (RFC 6052). */
const MAPPED = [0, 0, 0, 0, 0, 0xffff];
const TRANSLATED = [0x64, 0xff9b, 0, 0, 0, 0];

/** Decides to which addresses a webhook may connect. */
export interface AddressRule {
  allows(address: string): boolean;
}

/** The public internet, and the networks that the operator allows besides. */
export function addressRule(networks: readonly string[]): AddressRule {
  const allowed = listOf(networks);
  return {
    allows: address => {
      // A zone (`fe80::1%eth0`) names an interface of this machine.
      if (isIP(address) === 0 || address.includes('%')) return false;
      const plain = embeddedV4(address) ?? address;
      if (isIPv4(plain)) return allowed.check(plain, 'ipv4') || !NOT_PUBLIC.check(plain, 'ipv4');
      if (allowed.check(plain, 'ipv6')) return true;
      return PUBLIC_V6.check(plain, 'ipv6') && !NOT_PUBLIC_V6.check(plain, 'ipv6');
    },
  };
}

/**
 * What is wrong with an address to send to, before its name is looked up; the name is when something is sent. Null:
 * nothing.
 */
export function refusalOf(
  url: string,
  rule: AddressRule,
  http: boolean,
): 'webhook-not-https' | 'webhook-private' | null {
  const { hostname, protocol } = new URL(url);
  if (protocol !== 'https:' && !http) return 'webhook-not-https';
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const address = /(^|\.)localhost\.?$/.test(host) ? '127.0.0.1' : host;
  return isIP(address) !== 0 && !rule.allows(address) ? 'webhook-private' : null;
}

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    const family = isIPv4(address) ? 'ipv4' : 'ipv6';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}

/** The IPv4 address that an IPv6 address stands for; null if it stands for itself. */
function embeddedV4(address: string): string | null {
  if (isIPv4(address)) return null;
  const groups = groupsOf(address);
  const [high = 0, low = 0] = groups.slice(6);
  const isOne = [MAPPED, TRANSLATED].some(prefix => prefix.every((group, i) => group === groups[i]));
  return isOne ? [high >> 8, high & 255, low >> 8, low & 255].join('.') : null;
}

/** The eight groups. `URL` writes an address in the form of RFC 5952, without dots. */
function groupsOf(address: string): number[] {
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const numbers = (text: string) => (text === '' ? [] : text.split(':').map(group => Number.parseInt(group, 16)));
  const before = numbers(head);
  const after = numbers(tail ?? '');
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => 0), ...after];
}
