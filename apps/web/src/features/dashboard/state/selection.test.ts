import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  clear,
  NOTHING_SELECTED,
  remove,
  removeAll,
  type Selection,
  select,
  selectAll,
  setCurrent,
  showOnly,
} from './selection.ts';

it('[R4.17] adds a vehicle once, removes it and clears all', () => {
  const two = select(select(select(NOTHING_SELECTED, 'a'), 'b'), 'a');
  expect(two.selected).toEqual(['a', 'b']);
  expect(remove(two, 'a').selected).toEqual(['b']);
  expect(clear()).toEqual({ selected: [], current: null, only: false });
});

it('[R4.17] marks the current vehicle as selected', () => {
  expect(setCurrent(NOTHING_SELECTED, 'a')).toEqual({ selected: ['a'], current: 'a', only: false });
});

it('[R4.17] replaces the vehicles on the map by the one that was chosen', () => {
  const one = showOnly(select(NOTHING_SELECTED, 'a'), 'b');
  expect(one).toEqual({ selected: ['a', 'b'], current: 'b', only: true });
  expect(setCurrent(one, 'a')).toMatchObject({ current: 'a', only: true });
  expect(showOnly(one, null)).toEqual({ selected: ['a', 'b'], current: 'b', only: false });
});

it('[R3.04] takes a whole folder in and out', () => {
  const folder = selectAll(setCurrent(NOTHING_SELECTED, 'b'), ['a', 'b', 'c']);
  expect(folder).toEqual({ selected: ['b', 'a', 'c'], current: 'b', only: false });
  expect(removeAll(folder, ['a', 'b'])).toEqual({ selected: ['c'], current: null, only: false });
});

const imei = fc.constantFrom('a', 'b', 'c', 'd');
const imeis = fc.subarray(['a', 'b', 'c', 'd']);
const step: fc.Arbitrary<(selection: Selection) => Selection> = fc.oneof(
  imei.map(id => (selection: Selection) => select(selection, id)),
  imei.map(id => (selection: Selection) => remove(selection, id)),
  imeis.map(ids => (selection: Selection) => selectAll(selection, ids)),
  imeis.map(ids => (selection: Selection) => removeAll(selection, ids)),
  fc.option(imei).map(id => (selection: Selection) => setCurrent(selection, id)),
  fc.option(imei).map(id => (selection: Selection) => showOnly(selection, id)),
  fc.constant(clear),
);
const selection = fc.array(step).map(steps => steps.reduce((one, next) => next(one), NOTHING_SELECTED));

it('[R4.17] whatever is done, each vehicle is selected once, and the current one is among them', () => {
  fc.assert(
    fc.property(selection, ({ selected, current, only }) => {
      expect(new Set(selected).size).toBe(selected.length);
      if (current !== null) expect(selected).toContain(current);
      if (only) expect(current).not.toBeNull();
    }),
  );
});

it('[R4.17] adding leaves nothing out, removing leaves nothing behind, and the others keep their order', () => {
  fc.assert(
    fc.property(selection, imeis, (before, ids) => {
      const added = selectAll(before, ids).selected;
      expect(added.slice(0, before.selected.length)).toEqual(before.selected);
      expect(new Set(added)).toEqual(new Set([...before.selected, ...ids]));
      expect(removeAll(before, ids).selected).toEqual(before.selected.filter(one => !ids.includes(one)));
      expect(selectAll(before, ids)).toEqual(ids.reduce(select, before));
      expect(removeAll(before, ids)).toEqual(ids.reduce(remove, before));
    }),
  );
});
