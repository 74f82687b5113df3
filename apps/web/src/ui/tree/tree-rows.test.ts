import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Check, checkOfAll, treeStep, typedRow, visibleRows } from './tree-rows.ts';

interface Node {
  readonly id: string;
  readonly children: readonly Node[];
}
const node = (id: string, ...children: Node[]): Node => ({ id, children });

const ROOTS = [node('north', node('reefers', node('spare')), node('yard')), node('south'), node('none', node('old'))];
const rowsWith = (...expanded: string[]) => visibleRows(ROOTS, new Set(expanded));
const ids = (...expanded: string[]) => rowsWith(...expanded).map(row => row.node.id);

describe('the rows of a tree', () => {
  it('are those whose ancestors are all open', () => {
    expect(ids()).toEqual(['north', 'south', 'none']);
    expect(ids('north')).toEqual(['north', 'reefers', 'yard', 'south', 'none']);
    expect(ids('reefers')).toEqual(['north', 'south', 'none']);
    expect(ids('north', 'reefers')).toEqual(['north', 'reefers', 'spare', 'yard', 'south', 'none']);
  });

  it('know their level, their place among siblings and the row above', () => {
    expect(rowsWith('north', 'reefers')[2]).toMatchObject({ level: 3, position: 1, siblings: 1, parent: 1 });
    expect(rowsWith('north')[3]).toMatchObject({ level: 1, position: 2, siblings: 3, parent: null });
  });

  it('say open only where there is something to open', () => {
    expect(rowsWith('south')[1]).toMatchObject({ expandable: false, expanded: false });
  });
});

describe('keys, as WAI-ARIA describes a tree', () => {
  const rows = rowsWith('north');
  it.each([
    [0, 'ArrowDown', { kind: 'focus', index: 1 }],
    [4, 'ArrowDown', { kind: 'focus', index: 4 }],
    [0, 'ArrowUp', { kind: 'focus', index: 0 }],
    [2, 'Home', { kind: 'focus', index: 0 }],
    [0, 'End', { kind: 'focus', index: 4 }],
    [1, 'ArrowRight', { kind: 'expand', index: 1, open: true }],
    [0, 'ArrowRight', { kind: 'focus', index: 1 }],
    [3, 'ArrowRight', null],
    [0, 'ArrowLeft', { kind: 'expand', index: 0, open: false }],
    [2, 'ArrowLeft', { kind: 'focus', index: 0 }],
    [3, 'ArrowLeft', null],
    [1, '*', { kind: 'expand-siblings', index: 1 }],
    [1, 'x', null],
    [-1, 'ArrowDown', { kind: 'focus', index: 0 }],
  ])('on row %i, %s', (at, key, expected) => {
    expect(treeStep(rows, at, key)).toEqual(expected);
  });

  it('an empty tree has nowhere to go', () => {
    expect(treeStep([], 0, 'ArrowDown')).toBeNull();
  });

  it('letters go to the next name that begins with them, around the end', () => {
    const names = ['Line haul North', 'Line haul South', 'Reefers', 'Yard'];
    expect(typedRow(names, 0, 'l')).toBe(1);
    expect(typedRow(names, 1, 'l')).toBe(0);
    expect(typedRow(names, 0, 'line haul s')).toBe(1);
    expect(typedRow(names, 1, 'line')).toBe(1);
    expect(typedRow(names, 3, 'R')).toBe(2);
    expect(typedRow(names, 0, 'z')).toBeNull();
    expect(typedRow([], 0, 'a')).toBeNull();
  });
});

describe('[R3.04] tri-state', () => {
  const check = fc.constantFrom<Check>('on', 'off', 'mixed');

  it('is on or off only where all below agree', () => {
    expect(checkOfAll([])).toBe('off');
    expect(checkOfAll(['on', 'on'])).toBe('on');
    expect(checkOfAll(['off'])).toBe('off');
    expect(checkOfAll(['on', 'off'])).toBe('mixed');
    expect(checkOfAll(['mixed'])).toBe('mixed');
  });

  it('does not depend on the order, nor on how what is below is grouped', () => {
    fc.assert(
      fc.property(fc.array(fc.array(check, { minLength: 1 }), { minLength: 1 }), groups => {
        expect(checkOfAll(groups.map(checkOfAll))).toBe(checkOfAll(groups.flat().toReversed()));
      }),
    );
  });
});
