import fc from 'fast-check';
import { expect, it } from 'vitest';
import { clear, NOTHING_SELECTED, remove, type Selection, select, setCurrent, showOnly } from './selection.ts';

it('[R4.17] adds a vehicle once, removes it and clears all', () => {
  const two = select(select(select(NOTHING_SELECTED, 'a'), 'b'), 'a');
  expect(two.selected).toEqual(['a', 'b']);
  expect(remove(two, 'a').selected).toEqual(['b']);
  expect(clear()).toEqual({ selected: [], current: null, only: null });
});

it('[R4.17] marks the current vehicle as selected', () => {
  expect(setCurrent(NOTHING_SELECTED, 'a')).toEqual({ selected: ['a'], current: 'a', only: null });
});

it('[R4.17] replaces the vehicles on the map by the one that was chosen', () => {
  const one = showOnly(select(NOTHING_SELECTED, 'a'), 'b');
  expect(one).toEqual({ selected: ['a', 'b'], current: 'b', only: 'b' });
  expect(setCurrent(one, 'a').only).toBe('a');
  expect(showOnly(one, null).only).toBeNull();
});

it('whatever is done, each vehicle is selected once and the current one is among them', () => {
  const imei = fc.constantFrom('a', 'b', 'c');
  const step: fc.Arbitrary<(selection: Selection) => Selection> = fc.oneof(
    imei.map(id => (selection: Selection) => select(selection, id)),
    imei.map(id => (selection: Selection) => remove(selection, id)),
    fc.option(imei).map(id => (selection: Selection) => setCurrent(selection, id)),
    fc.option(imei).map(id => (selection: Selection) => showOnly(selection, id)),
    fc.constant(clear),
  );
  fc.assert(
    fc.property(fc.array(step), steps => {
      const { selected, current, only } = steps.reduce((selection, one) => one(selection), NOTHING_SELECTED);
      expect(new Set(selected).size).toBe(selected.length);
      if (current !== null) expect(selected).toContain(current);
      if (only !== null) expect(only).toBe(current);
    }),
  );
});
