import { TOWN_SEARCH_MIN, type Town } from '@milepost/contract';

const plain = (text: string): string =>
  text.normalize('NFD').replace(/\p{M}/gu, '').replace(/\s+/g, ' ').trim().toLowerCase();

/**
 * The town that an address names: `Joliet, IL`, or `Joliet` if only one town has that name. The server knows the
 * world's towns but no streets, so a street address gives null; otherwise the center of a town could pass for a
 * warehouse.
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
