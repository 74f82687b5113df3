import { VEHICLE_STATUSES } from '@milepost/geo';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CARD_TABS, DEFAULT_VIEW, parametersOf, SORTS, type View, viewOf } from './url-state.ts';

const imei = fc.integer({ min: 0, max: 99 }).map(n => String(356_307_000_000_000 + n));
const view: fc.Arbitrary<View> = fc
  .record({
    query: fc.string(),
    statuses: fc.subarray([...VEHICLE_STATUSES]).map(list => new Set(list)),
    sort: fc.constantFrom(...SORTS),
    current: fc.option(imei),
    selected: fc.uniqueArray(imei, { maxLength: 6 }),
    tab: fc.constantFrom(...CARD_TABS),
  })
  .map(one => ({
    ...one,
    selected: one.selected.filter(id => id !== one.current),
    tab: one.current === null ? 'now' : one.tab,
  }));

describe('the address of a view', () => {
  it('leads back to the same view', () => {
    fc.assert(
      fc.property(view, one => {
        expect(viewOf(new URLSearchParams(parametersOf(one).toString()))).toEqual(one);
      }),
    );
  });

  it('is empty for the plain page, and anything else in it is no harm', () => {
    expect(parametersOf(DEFAULT_VIEW).toString()).toBe('');
    const odd = new URLSearchParams('status=flying,moving&sort=colour&vehicle=4127&selected=x,,y&tab=hours');
    expect(viewOf(odd)).toEqual({ ...DEFAULT_VIEW, statuses: new Set(['moving']) });
  });
});
