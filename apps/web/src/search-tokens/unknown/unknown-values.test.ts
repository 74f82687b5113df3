import { expect, it } from 'vitest';
import { METRIC } from '../../format/measure.ts';
import { parseSearch } from '../search-text.ts';
import { type KnownNames, unknownValues } from './unknown-values.ts';

const KNOWN: KnownNames = {
  geofences: ['Depot North', 'Loop West'],
  places: new Map([['Joliet', true]]),
  folders: [['North'], ['North', 'Reefers']],
  departments: [['Drivers']],
  drivers: ['Sofía Marín'],
  tags: ['Reefer'],
  models: ['Volvo VNL 760'],
  trackers: ['Teltonika'],
};

it.each([
  ['', []],
  ['4102', []],
  ['in:"Depot North" in:none', []],
  ['in:north', []],
  ['in:"Depot South"', ['in:Depot South']],
  ['-in:"Depot South"', ['in:Depot South']],
  ['in:Depot,Nowhere', ['in:Nowhere']],
  ['near:"Joliet 10km"', []],
  ['near:"Jolliet 10km"', ['near:Jolliet']],
  ['folder:north folder:"North/Reefers" folder:none', []],
  ['folder:South', ['folder:South']],
  ['department:Yard', ['department:Yard']],
  ['driver:marin driver:none', []],
  ['driver:Nobody', ['driver:Nobody']],
  ['tag:reefer tag:flatbed', ['tag:flatbed']],
  ['model:volvo model:kenworth', ['model:kenworth']],
  ['tracker:teltonika tracker:acme', ['tracker:acme']],
  ['status:moving status:flying', ['status:flying']],
  ['is:silent is:late', ['is:late']],
  ['speed>60', []],
  ['speed>fast fuel<20mph', ['size:speed>fast', 'size:fuel<20mph']],
  // Not finished, or about something else.
  ['status:', []],
  ['https://example.com', []],
])('%s', (text, unknown) => {
  expect(unknownValues(parseSearch(text, METRIC), KNOWN).map(({ field, value }) => `${field}:${value}`)).toEqual(
    unknown,
  );
});

it('says nothing about what is not loaded', () => {
  expect(unknownValues(parseSearch('in:x near:y folder:z driver:a tag:b model:c tracker:d', METRIC), {})).toEqual([]);
});
