import { VEHICLE_STATUSES } from '@milepost/geo';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { METRIC, US } from '../format/measure.ts';
import { keptValue, ownUnit, SIZE_FIELDS, TRAITS } from './fields.ts';
import {
  formatSearch,
  parseSearch,
  type Search,
  toggleValue,
  valuesOf,
  withoutToken,
  withToken,
} from './search-text.ts';

const free = fc
  .oneof(
    fc.string({ maxLength: 12, unit: 'binary' }),
    fc.string({ maxLength: 10, unit: fc.constantFrom(...'aZ \t":,\\<>-%/é'.split('')) }),
    fc.constantFrom('status:idling', 'speed>60', '-tag:x', 'Main Street', '"', 'a"b'),
  )
  .map(text => text.trim())
  .filter(text => text !== '');
const distinct = <T extends string>(value: fc.Arbitrary<T>, max = 3) =>
  fc.uniqueArray(value, { minLength: 1, maxLength: max, selector: text => text.toLowerCase() });

const wordTokens = fc
  .record({
    status: fc.option(distinct(fc.constantFrom(...VEHICLE_STATUSES))),
    is: fc.option(distinct(fc.constantFrom(...TRAITS))),
    folder: fc.option(distinct(free)),
    driver: fc.option(distinct(free)),
    near: fc.option(distinct(free.map(text => keptValue('near', text, METRIC) as string))),
    not: fc.boolean(),
  })
  .map(({ not, ...fields }) =>
    Object.entries(fields).flatMap(([field, values]) =>
      values ? [{ kind: 'word' as const, field, not, values }] : [],
    ),
  );
const sizeTokens = fc.uniqueArray(fc.constantFrom(...SIZE_FIELDS), { maxLength: 4 }).chain(fields =>
  fc.tuple(
    ...fields.map(field =>
      fc.record({
        kind: fc.constant('size' as const),
        field: fc.constant(field),
        over: fc.boolean(),
        amount: fc.integer({ min: -99_999, max: 999_999_999 }).map(thousandths => thousandths / 1000 + 0),
        unit: fc.constantFrom(ownUnit(field, US), ownUnit(field, METRIC)),
      }),
    ),
  ),
);
const searches = fc
  .record({ words: fc.uniqueArray(free, { maxLength: 3 }), first: wordTokens, second: sizeTokens })
  .map(({ words, first, second }): Search => ({ tokens: [...first, ...second] as Search['tokens'], words }));

describe('the text of a search', () => {
  it('says every search so that it is read back as it is, by readers of either units', () => {
    fc.assert(
      fc.property(searches, fc.constantFrom(US, METRIC), (search, system) => {
        const text = formatSearch(search);
        expect(parseSearch(text, system)).toEqual(search);
        expect(formatSearch(parseSearch(text, system))).toBe(text);
      }),
    );
  });

  it('is read whatever it is, and once read stays the same', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'status:idle,folder"\\ <>-0159.mph%é'.split('')) }), text => {
        const once = formatSearch(parseSearch(text, US));
        expect(formatSearch(parseSearch(once, METRIC))).toBe(once);
      }),
    );
  });

  it.each([
    ['status:idle folder:"North" driver:Ann', 'status:idling folder:North driver:Ann'],
    ['status:moving status:IDLE', 'status:moving,idling'],
    ['folder:"North End","South, far" 41', 'folder:"North End","South, far" 41'],
    ['speed>60', 'speed>60mph'],
    ['Speed>95KPH age>2h fuel<20 temp<-4.5c', 'speed>95km/h age>2h fuel<20% temp<-4.5C'],
    ['idle>20m is:silent -tag:reefer', 'idle>20m is:silent -tag:reefer'],
    ['speed>50 speed>60', 'speed>60mph'],
    // `near` always gets a radius, in the user's unit if none was typed.
    ['near:"Depot North"', 'near:"Depot North 5mi"'],
    ['near:"Depot North 12.5 KM",Joliet', 'near:"Depot North 12.5km","Joliet 5mi"'],
    ['near:"41.88, -87.63 2mi"', 'near:"41.88, -87.63 2mi"'],
    // Unfinished or unknown tokens are searched for as plain words.
    ['status:', 'status:'],
    ['status:flying speed>fast', 'status:flying speed>fast'],
    ['folder:"Nor', 'folder:Nor'],
    ['"status:idle"', '"status:idle"'],
  ])('%s', (typed, kept) => {
    expect(formatSearch(parseSearch(typed, US))).toBe(kept);
  });

  it('takes values and tokens in and out', () => {
    const one = toggleValue(parseSearch('speed>5 Ann', METRIC), 'status', 'idling');
    expect(formatSearch(one)).toBe('speed>5km/h status:idling Ann');
    const two = toggleValue(one, 'status', 'moving');
    expect(valuesOf(two, 'status')).toEqual(['idling', 'moving']);
    expect(formatSearch(toggleValue(toggleValue(two, 'status', 'idling'), 'status', 'moving'))).toBe('speed>5km/h Ann');
    expect(formatSearch(withoutToken(two, two.tokens[0] as Search['tokens'][number]))).toBe('status:idling,moving Ann');
    expect(formatSearch(withToken(two, { kind: 'size', field: 'speed', over: true, amount: 9, unit: 'km/h' }))).toBe(
      'speed>9km/h status:idling,moving Ann',
    );
  });
});
