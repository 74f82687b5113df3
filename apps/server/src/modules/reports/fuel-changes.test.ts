import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type FuelReading, fuelChanges } from './fuel-changes.ts';

const MINUTE = 60_000;
const readings = (levels: readonly (readonly [minute: number, fuel: number])[], ignition: boolean | null = false) =>
  levels.map(([minute, fuel]): FuelReading => ({ timeMs: minute * MINUTE, fuel, ignition, lat: 1, lon: 2 }));
const kinds = (found: ReturnType<typeof fuelChanges>) => found.map(({ kind, before, after }) => [kind, before, after]);

describe('fills and drops', () => {
  it('are what rises or falls faster than an engine can explain', () => {
    const fill = readings([
      [0, 20],
      [1, 20],
      [2, 45],
      [3, 70],
      [4, 90],
      [5, 90],
      [6, 90],
    ]);
    expect(kinds(fuelChanges(fill, 8))).toEqual([['fill', 20, 90]]);
    const theft = readings([
      [0, 80],
      [1, 80],
      [4, 60],
      [8, 50],
      [9, 50],
      [10, 50],
    ]);
    expect(kinds(fuelChanges(theft, 8))).toEqual([['drop', 80, 50]]);
  });

  it('have no drop while the engine was on, or nobody says whether it was', () => {
    const falling = [
      [0, 80],
      [1, 80],
      [4, 60],
      [8, 50],
      [9, 50],
      [10, 50],
    ] as const;
    expect(fuelChanges(readings(falling, true), 8)).toEqual([]);
    expect(fuelChanges(readings(falling, null), 8)).toEqual([]);
  });

  it('are none where the level only moves in the tank, or one reading is wrong', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 47, max: 53 }), { maxLength: 200 }), levels => {
        const noisy = readings(levels.map((level, i) => [i * 2, level] as const));
        expect(fuelChanges(noisy, 8)).toEqual([]);
      }),
    );
    expect(
      fuelChanges(
        readings([
          [0, 50],
          [1, 50],
          [2, 0],
          [3, 50],
          [4, 50],
        ]),
        8,
      ),
    ).toEqual([]);
  });

  it('are none where the level went down by driving for hours', () => {
    const drive = readings(
      Array.from({ length: 300 }, (_, i) => [i * 2, 90 - i * 0.2] as const),
      false,
    );
    expect(fuelChanges(drive, 8)).toEqual([]);
  });
});
