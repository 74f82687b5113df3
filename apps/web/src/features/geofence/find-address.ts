import { TOWN_SEARCH_MIN, type Town } from '@milepost/contract';

const plain = (text: string): string =>
  text.normalize('NFD').replace(/\p{M}/gu, '').replace(/\s+/g, ' ').trim().toLowerCase();

/**
 * The town that an address is: `Joliet, IL`, or `Joliet` if there is one of that name. The server knows the towns of the
 * world, and no streets: null for an address in one, so that nobody takes the town's middle for a warehouse.
 */
export async function findAddress(
  address: string,
  find: (name: string) => Promise<readonly Town[]>,
): Promise<Town | null> {
  const [name = '', ...rest] = address.split(',').map(plain);
  const region = rest.join(', ');
  if (name.length < TOWN_SEARCH_MIN) return null;
  const named = (await find(name)).filter(town => plain(town.name) === name);
  const fitting = region === '' ? named : named.filter(town => plain(town.region) === region);
  return fitting.length === 1 || region !== '' ? (fitting[0] ?? null) : null;
}
