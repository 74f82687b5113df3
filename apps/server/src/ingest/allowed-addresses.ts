import { BlockList, isIP } from 'node:net';

const lists = new WeakMap<readonly string[], BlockList>();

/** Whether an address is among these addresses and ranges; an empty list allows every address. */
export function isAllowedAddress(ranges: readonly string[], address: string | null): boolean {
  if (ranges.length === 0) return true;
  const family = address === null ? 0 : isIP(address);
  if (address === null || family === 0) return false;
  return listOf(ranges).check(address, family === 6 ? 'ipv6' : 'ipv4');
}

function listOf(ranges: readonly string[]): BlockList {
  const known = lists.get(ranges);
  if (known) return known;
  const list = new BlockList();
  for (const range of ranges) {
    const [network = '', bits] = range.split('/');
    const family = isIP(network) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(network, family);
    else list.addSubnet(network, Number(bits), family);
  }
  lists.set(ranges, list);
  return list;
}
