import { describe, expect, it } from 'vitest';
import { newRow, TEST_NOW } from '../../../logbook/test-row.ts';
import { workNow } from './work-now.ts';

const NONE = { segments: 0, vehicles: 0, minutes: 0 };

describe('[R2.11] the drivers’ work on the overview', () => {
  it('counts statuses and what needs attention as the desk does', () => {
    const rows = [
      newRow('Ann', 'D', { drive: 0 }),
      newRow('Bo', 'D', { break: 25 }),
      newRow('Cy', 'ON', { window: 40 }),
      newRow('Di', 'YM', {}),
      newRow('Ed', 'SB', { drive: 0 }),
      { ...newRow('Flo', 'OFF', {}), uncertifiedDays: 2 },
      { ...newRow('Gus', 'PC', {}), uncertifiedDays: 3 },
    ];
    const { steps, ...counts } = workNow(rows, { ...NONE, minutes: 47 }, TEST_NOW);
    expect(counts).toEqual({
      ...{ driving: 2, onDuty: 2, resting: 3, soon: 2, violation: 1 },
      ...{ uncertifiedDays: 5, unidentifiedMinutes: 47 },
    });
    expect(steps).toEqual([
      { kind: 'violation', severity: 'critical', count: 1, drivers: 1, names: ['Ann'], leftS: null },
      { kind: 'soon', severity: 'warning', count: 2, drivers: 2, names: ['Bo', 'Cy'], leftS: 25 * 60 },
      { kind: 'uncertified', severity: 'info', count: 5, drivers: 2, names: ['Gus', 'Flo'], leftS: null },
      { kind: 'unidentified', severity: 'info', count: 47, drivers: 0, names: [], leftS: null },
    ]);
  });

  it('has nothing to do where all is well, and finds a limit that has been passed since the clocks were read', () => {
    const row = newRow('Ann', 'D', { drive: 61 });
    expect(workNow([row], NONE, TEST_NOW).steps).toEqual([]);
    expect(workNow([row], NONE, TEST_NOW + 2 * 60_000).steps.map(({ kind }) => kind)).toEqual(['soon']);
    expect(workNow([row], NONE, TEST_NOW + 62 * 60_000).steps.map(({ kind }) => kind)).toEqual(['violation']);
  });
});
