import { VEHICLE_STATUSES } from '@milepost/geo';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { METRIC } from '../../../format/measure.ts';
import { parseSearch } from '../../../search-tokens/search-text.ts';
import { CARD_TABS, DEFAULT_VIEW, LIST_TABS, parametersOf, SORTS, type View, viewOf } from './url-state.ts';

const imei = fc.integer({ min: 0, max: 99 }).map(n => String(356_307_000_000_000 + n));
const view: fc.Arbitrary<View> = fc
  .record({
    list: fc.constantFrom(...LIST_TABS),
    query: fc.string(),
    tokens: fc
      .subarray(['fuel<20%', 'speed>60mph', 'folder:"North End"', '-status:moving', 'is:alerting'])
      .map(texts => parseSearch(texts.join(' '), METRIC).tokens),
    statuses: fc.subarray([...VEHICLE_STATUSES]).map(list => new Set(list)),
    sort: fc.constantFrom(...SORTS),
    current: fc.option(imei),
    selected: fc.uniqueArray(imei, { maxLength: 6 }),
    tab: fc.constantFrom(...CARD_TABS),
    only: fc.boolean(),
    compares: fc.boolean(),
  })
  .map(one => ({
    ...one,
    selected: one.selected.filter(id => id !== one.current),
    tab: one.current === null ? 'now' : one.tab,
    only: one.only && one.current !== null && !one.compares,
  }));

describe('the address of a view', () => {
  it('leads back to the same view', () => {
    fc.assert(
      fc.property(view, one => {
        const { selected, follows, ...rest } = viewOf(new URLSearchParams(parametersOf(one).toString()));
        expect({ ...rest, selected: selected ?? [] }).toEqual(one);
        expect(follows).toBe(false);
      }),
    );
  });

  it('is empty for the plain page, and anything else in it is no harm', () => {
    expect(parametersOf(DEFAULT_VIEW).toString()).toBe('');
    const odd = new URLSearchParams('status=flying,moving&sort=colour&vehicle=4127&selected=x,,y&tab=fuel');
    expect(viewOf(odd)).toEqual({ ...DEFAULT_VIEW, selected: [], follows: false, statuses: new Set(['moving']) });
    expect(viewOf(new URLSearchParams()).selected).toBeNull();
  });

  it('leaves out a selection that is too long to send', () => {
    const selected = Array.from({ length: 31 }, (_, i) => String(356_307_000_000_000 + i));
    expect(parametersOf({ ...DEFAULT_VIEW, selected }).toString()).toBe('');
  });
});
