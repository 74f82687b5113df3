import type { Town } from '@milepost/contract';
import { expect, it } from 'vitest';
import { findAddress } from './find-address.ts';

const town = (name: string, region: string): Town => ({ name, region, lat: 41.5, lon: -88.1 });
const TOWNS = [town('Joliet', 'IL'), town('Springfield', 'IL'), town('Springfield', 'MO'), town('México', 'Mexico')];
const find = (name: string) =>
  Promise.resolve(TOWNS.filter(each => each.name.toLowerCase().startsWith(name.slice(0, 1))));

it('[R2.08] finds a town by its name and region, or by a name that only one has', async () => {
  expect(await findAddress('Joliet', find)).toMatchObject({ region: 'IL' });
  expect(await findAddress('springfield,  mo', find)).toMatchObject({ region: 'MO' });
  expect(await findAddress('Mexico, Mexico', find)).toMatchObject({ name: 'México' });
});

it('finds nothing where it could be another one, or where the address is in a street', async () => {
  for (const address of ['Springfield', 'Joliet, MO', '12 Jefferson St, Joliet, IL', 'Jol', '']) {
    expect([address, await findAddress(address, find)]).toEqual([address, null]);
  }
});
