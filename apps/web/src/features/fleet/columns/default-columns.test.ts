import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { COLUMN_IDS, type ColumnId } from './column-ids.ts';
import { COLUMNS } from './columns.ts';
import { defaultColumns, PICK_PX } from './default-columns.ts';

const USED = { logs: true, tasks: true };
const idsAt = (px: number, used = USED): readonly ColumnId[] => defaultColumns(px, used).map(({ id }) => id);
const spanOf = (ids: readonly ColumnId[]): number => ids.reduce((sum, id) => sum + COLUMNS[id].width, PICK_PX);
const used = fc.record({ logs: fc.boolean(), tasks: fc.boolean() });
const WIDEST = spanOf(COLUMN_IDS) + 100;

describe('[R2.07] the columns that nobody chose', () => {
  it('are the same ones and more in a wider table, and always fit where more than the least is shown', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4000 }), fc.integer({ min: 0, max: 2000 }), used, (px, more, used) => {
        const [here, wider] = [idsAt(px, used), idsAt(px + more, used)];
        expect(here.every(id => wider.includes(id))).toBe(true);
        if (here.length > idsAt(0, used).length) expect(spanOf(here)).toBeLessThanOrEqual(px);
        expect(here).toEqual(COLUMN_IDS.filter(id => here.includes(id)));
      }),
    );
  });

  it('leave no room that another column would fill', () => {
    for (let px = spanOf(idsAt(0)); px < WIDEST; px += 7) {
      expect(px - spanOf(idsAt(px)), `${px} px`).toBeLessThan(
        56 + Math.max(...COLUMN_IDS.map(id => COLUMNS[id].width)),
      );
    }
    expect(idsAt(WIDEST)).toEqual(COLUMN_IDS);
  });

  it('of a window of 1440 and of 1920 px', () => {
    expect(idsAt(1328)).toEqual(
      'unit driver place speed since age ignition fuel today idled hours task alerts'.split(' '),
    );
    expect(idsAt(1328, { logs: false, tasks: false })).toEqual(
      'unit driver place speed since age ignition fuel temperature today idled alerts'.split(' '),
    );
    expect(idsAt(1676)).toEqual(
      'unit driver place inside speed since age ignition fuel temperature today idled hours task alerts'.split(' '),
    );
  });
});
