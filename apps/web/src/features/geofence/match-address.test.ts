import type { Address } from '@milepost/contract';
import { expect, it } from 'vitest';
import { matchAddress } from './match-address.ts';

const at = (name: string, region: string, lon = -87.6573): Address => ({ name, region, lat: 41.88653, lon });
const FULTON = at('1200 West Fulton Market', 'Chicago, Illinois, 60607, United States');

it.each([
  ['1200 W Fulton Market, Chicago, IL', [FULTON]],
  ['1200 West Fulton Market, Chicago, IL 60607', [FULTON]],
  ['1200 w fulton market chicago', [FULTON, at('1201 West Fulton Market', 'Chicago', -87.6574)]],
  ['Av. José Martí 12, México', [at('12 Avenida Jose Marti', 'Mexico')]],
  ['Verona Food Hub, Virginia', [at('Verona Food Hub', 'Verona, Virginia')]],
])('[R2.08] is sure of %s', (text, found) => {
  expect(matchAddress(text, found)).toEqual({ address: found[0], doubt: null });
});

it.each([
  ['number', '1200 W Fulton Market, Chicago, IL', [at('West Fulton Market', 'Chicago, Illinois')]],
  ['number', '12 Elm St, Joliet', [at('112 Elm Street', 'Joliet')]],
  ['words', '1200 W Fulton Market, Chicago, IL', [at('1200 West Fulton Market', 'Peoria, Illinois')]],
  ['words', '12 Jefferson St, Joliet, IL', [at('Joliet', 'Illinois')]],
  ['several', '12 Elm St, Springfield', [at('12 Elm Street', 'Springfield'), at('12 Elm Street', 'Springfield', -88)]],
] as const)('marks what lacks a part or could be another: %s, %s', (doubt, text, found) => {
  expect(matchAddress(text, found)).toEqual({ address: found[0], doubt });
});

it('finds nothing in nothing', () => {
  expect(matchAddress('12 Elm St, Joliet', [])).toBeNull();
});
