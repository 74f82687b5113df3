import type { LogDay } from '@milepost/contract';
import { describe, expect, it } from 'vitest';
import { isSoon, isViolating } from '../../../logbook/attention.ts';
import { withRows } from '../../../logbook/board-rows.ts';
import { TEST_NOW as NOW, newRow as row } from '../../../logbook/test-row.ts';
import { byLeastTime, isFound, isShown } from './board-order.ts';
import { signingOfDay, stateOfDay } from './day-state.ts';
import { sharedLimits } from './shared-limits.ts';

describe('[R2.14] the board of drivers', () => {
  const over = row('over', 'D', { drive: 0 });
  const soon = row('soon', 'ON', { break: 25 });
  const fine = row('fine', 'D', { drive: 250 });
  const resting = row('resting', 'SB', { drive: 0, window: 0 });

  it('has who drives past a limit first, then who works by the time left, then who rests', () => {
    const names = byLeastTime([resting, fine, soon, over], NOW).map(({ name }) => name);
    expect(names).toEqual(['over', 'soon', 'fine', 'resting']);
  });

  it('counts each driver once, and a clock that has run out meanwhile as a violation', () => {
    expect([over, soon, fine, resting].map(each => [isViolating(each, NOW), isSoon(each, NOW)])).toEqual([
      [true, false],
      [false, true],
      [false, false],
      [false, false],
    ]);
    const exempt = [over, soon].map(each => ({ ...each, exempt: 'emergencyRelief' }));
    expect(exempt.map(each => isViolating(each, NOW) || isSoon(each, NOW))).toEqual([false, false]);
    const later = NOW + 200 * 60_000;
    expect(isSoon(fine, later)).toBe(true);
    expect(isViolating(fine, NOW + 251 * 60_000)).toBe(true);
  });

  it('shows whom a counter counts, and whom a search finds', () => {
    const unsigned = { ...fine, uncertifiedDays: 2 };
    expect([over, unsigned].map(each => isShown(each, 'uncertified', NOW))).toEqual([false, true]);
    expect(isShown(over, 'violation', NOW)).toBe(true);
    expect(isShown(over, undefined, NOW)).toBe(true);
    expect(isFound(soon, 'UNIT soon')).toBe(true);
    expect(isFound(soon, 'fine')).toBe(false);
  });

  it('names a limit in its head only where all rows have it', () => {
    const other = { ...fine, clocks: { ...fine.clocks, drive: { limitS: 36_000, leftS: 0 }, break: null } };
    expect(sharedLimits([fine, soon])).toEqual({ drive: 11, window: 14, break: 8, cycle: 70 });
    expect(sharedLimits([fine, other])).toEqual({ window: 14, cycle: 70 });
  });

  it('follows changes row by row: in place, new ones last, gone ones out', () => {
    const unidentified = { segments: 0, vehicles: 0, minutes: 0 };
    const board = { rows: [over, soon, fine], unidentified, at: '2026-11-19T18:00:00Z' };
    const changed = { ...soon, status: 'OFF' as const };
    const part = {
      rows: [changed, resting],
      unidentified: { ...unidentified, minutes: 4 },
      at: '2026-11-19T18:00:05Z',
    };
    const after = withRows(board, part, new Set(['soon', 'over', 'resting']));
    expect(after.rows).toEqual([changed, fine, resting]);
    expect(after.unidentified.minutes).toBe(4);
  });
});

describe('a day in the grid of logs', () => {
  const day: Pick<LogDay, 'violations' | 'proposals' | 'formErrors' | 'certification'> = {
    violations: [],
    proposals: 0,
    formErrors: [],
    certification: { count: 1, lastAt: null, changedSince: false },
  };
  const violation = { rule: 'US_11H', clause: '', from: '', to: '', overS: 60, severity: 'nominal' as const };

  it('says the weightiest thing', () => {
    expect(stateOfDay(day, false)).toBe('certified');
    expect(stateOfDay({ ...day, formErrors: [{ code: 'a', text: 'b' }] }, false)).toBe('errors');
    expect(stateOfDay({ ...day, proposals: 1, violations: [violation] }, false)).toBe('violation');
    expect(signingOfDay({ ...day, proposals: 1, violations: [violation] }, false)).toBe('proposed');
  });

  it('is not certified any more once it was changed, and today need not be', () => {
    const changed = { ...day, certification: { count: 2, lastAt: null, changedSince: true } };
    expect(stateOfDay(changed, false)).toBe('uncertified');
    expect(signingOfDay(changed, true)).toBe('today');
  });
});
