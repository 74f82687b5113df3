import { ProblemError } from '@milepost/client';
import type { Address } from '@milepost/contract';
import { expect, it } from 'vitest';
import { createLookUp, type LookUpParts } from './look-up.ts';

const JOLIET = { name: 'Joliet', region: 'IL', lat: 41.525, lon: -88.0817 };
const FULTON: Address = { name: '1200 West Fulton Market', region: 'Chicago, Illinois', lat: 41.9, lon: -87.66 };

function lookUp(answers: (text: string, nth: number) => ReturnType<LookUpParts['findAddresses']>) {
  const asked: string[] = [];
  const rests: number[] = [];
  const find = createLookUp({
    findTowns: async name => [JOLIET].filter(({ name: town }) => town.toLowerCase() === name),
    findAddresses: text => answers(text, asked.push(text)),
    rest: async ms => void rests.push(ms),
  });
  return { find, asked, rests };
}
const answered = async (addresses: readonly Address[] = [FULTON]) => ({
  service: 'answered' as const,
  addresses: [...addresses],
});

it('[R2.08] asks the service for what is no town, each address once, and less often than once a second', async () => {
  const { asked, find, rests } = lookUp(() => answered());
  expect(await find('Joliet, IL')).toEqual({ at: JOLIET, isTown: true, doubt: null });
  expect(await find('1200 W Fulton Market, Chicago')).toEqual({ at: FULTON, isTown: false, doubt: null });
  expect(await find(' 1200 w fulton market,  chicago')).toMatchObject({ at: FULTON });
  expect(await find('14 W Fulton Market, Chicago')).toMatchObject({ doubt: 'number' });
  expect(asked).toEqual(['1200 W Fulton Market, Chicago', '14 W Fulton Market, Chicago']);
  expect(rests).toEqual([1200]);
});

it('says where only towns can be found, having asked once', async () => {
  const { asked, find } = lookUp(async () => ({ service: 'none', addresses: [] }));
  expect([await find('12 Elm St, Joliet'), await find('13 Elm St, Joliet')]).toEqual(['noService', 'noService']);
  expect(asked).toHaveLength(1);
});

it('waits as long as the server asks for', async () => {
  const busy = { type: 'about:blank', title: 'Too many', status: 429, code: 'too-many-requests', params: { waitS: 7 } };
  const { find, rests } = lookUp((_, nth) => (nth === 1 ? Promise.reject(new ProblemError(busy)) : answered()));
  expect(await find('1200 W Fulton Market')).toMatchObject({ at: FULTON });
  expect(rests).toEqual([7000, 1200]);
});

it('gives up on a service that does not answer, once for all rows, and finds towns without it', async () => {
  const { asked, find } = lookUp(async () => ({ service: 'unavailable', addresses: [] }));
  expect(await find('12 Elm St, Joliet')).toBe('away');
  expect(asked).toHaveLength(3);
  expect([await find('13 Elm St, Joliet'), await find('Joliet')]).toMatchObject(['away', { isTown: true }]);
  expect(asked).toHaveLength(3);
});

it('is no answer to a service that comes back: it is asked again', async () => {
  const { find } = lookUp(async (_, nth) => (nth === 1 ? { service: 'unavailable', addresses: [] } : answered([])));
  expect(await find('12 Elm St, Joliet')).toBe('none');
});
