import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { COLUMN_IDS, movedColumn, resizedColumn, toggledColumn } from '../columns/column-ids.ts';
import { DEFAULT_VIEW, type FleetView, GROUPINGS, LAYOUTS, queryOf, viewOf, withView } from './fleet-url.ts';

const columns = fc
  .uniqueArray(
    fc.record(
      { id: fc.constantFrom(...COLUMN_IDS.slice(1)), width: fc.integer({ min: 48, max: 600 }) },
      { requiredKeys: ['id'] },
    ),
    { selector: ({ id }) => id },
  )
  .map(others => [{ id: 'unit' as const }, ...others]);
const views: fc.Arbitrary<FleetView> = fc.record({
  search: fc.constantFrom(
    DEFAULT_VIEW.search,
    viewOf(new URLSearchParams('q=status:idling folder:"North & South" speed>60mph Ann+Bo')).search,
  ),
  order: fc.record({ column: fc.constantFrom(...COLUMN_IDS), descending: fc.boolean() }),
  group: fc.constantFrom(...GROUPINGS),
  layout: fc.constantFrom(...LAYOUTS),
  columns: fc.option(columns),
  period: fc.oneof(
    fc.constantFrom('today', '7', '28', 'quarter').map(name => ({ name, days: { from: '', to: '' } }) as const),
    fc.constant({ name: 'custom', days: { from: '2026-11-02', to: '2026-11-08' } } as const),
  ),
});

describe('[R2.07] the address of the fleet', () => {
  it('holds the whole view and gives it back', () => {
    fc.assert(
      fc.property(views, view => {
        const address = withView(new URLSearchParams('other=kept'), view);
        expect(viewOf(new URLSearchParams(address.toString()))).toEqual(view);
        expect(address.get('other')).toBe('kept');
        expect(queryOf(viewOf(new URLSearchParams(queryOf(view))))).toBe(queryOf(view));
      }),
    );
  });

  it('says nothing where everything is at its default', () => {
    expect(withView(new URLSearchParams('q=x&sort=-speed&group=none&layout=wall'), DEFAULT_VIEW).toString()).toBe('');
  });

  it.each([
    'sort=--x',
    'sort=speedy',
    'group=moon',
    'columns=,,x',
    'columns=unit.9',
    'layout=',
    'period=week',
    'period=custom&from=2026-11-08&to=2026-11-02',
  ])('is read even when it makes no sense: %s', address => {
    const { columns, ...view } = viewOf(new URLSearchParams(address));
    expect(view).toEqual({ ...DEFAULT_VIEW, columns: undefined });
    expect(columns).toEqual(address === 'columns=unit.9' ? [{ id: 'unit' }] : null);
  });
});

describe('the columns', () => {
  const chosen = [{ id: 'unit' }, { id: 'speed' }, { id: 'fuel', width: 90 }] as const;

  it('come in at their place, go out, move and are resized; the unit stays the first', () => {
    expect(toggledColumn(chosen, 'place').map(({ id }) => id)).toEqual(['unit', 'place', 'speed', 'fuel']);
    expect(toggledColumn(chosen, 'speed').map(({ id }) => id)).toEqual(['unit', 'fuel']);
    expect(movedColumn(chosen, 'fuel', 1)).toEqual([chosen[0], chosen[2], chosen[1]]);
    expect(movedColumn(chosen, 'speed', 0)).toEqual(chosen);
    expect(movedColumn(chosen, 'unit', 2)).toEqual(chosen);
    expect(resizedColumn(chosen, 'speed', 9.7)[1]).toEqual({ id: 'speed', width: 48 });
  });
});
