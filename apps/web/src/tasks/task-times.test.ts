import type { Task } from '@milepost/contract';
import { describe, expect, it } from 'vitest';
import { isLate, spanOf } from './task-times.ts';
import { newTask } from './test-task.ts';

const NOON = Date.parse('2026-11-26T12:00:00Z');
const HOUR = 3_600_000;
const at = (hours: number): string => new Date(NOON + hours * HOUR).toISOString();

const step = (state: Task['state'], hours: number) => ({ state, at: at(hours), by: 'driver' as const, name: null });

describe('a task', () => {
  it('is late when its window is over before anyone has arrived', () => {
    expect(isLate(newTask({ dueTo: at(-1) }), NOON)).toBe(true);
    expect(isLate(newTask({ dueTo: at(1) }), NOON)).toBe(false);
    expect(isLate(newTask({}), NOON)).toBe(false);
    expect(isLate(newTask({ dueTo: at(-1), state: 'arrived', steps: [step('arrived', -2)] }), NOON)).toBe(false);
    expect(
      isLate(newTask({ dueTo: at(-3), state: 'done', steps: [step('arrived', -2), step('done', -1)] }), NOON),
    ).toBe(true);
    expect(isLate(newTask({ dueTo: at(-1), state: 'cancelled' }), NOON)).toBe(false);
  });

  it('stands where it was driven, and otherwise where it is due', () => {
    expect(spanOf(newTask({ dueFrom: at(2), dueTo: at(3) }), NOON)).toEqual({
      fromMs: NOON + 2 * HOUR,
      toMs: NOON + 3 * HOUR,
    });
    expect(spanOf(newTask({ dueTo: at(3) }), NOON)).toEqual({ fromMs: NOON + 2 * HOUR, toMs: NOON + 3 * HOUR });
    const driving = newTask({ dueTo: at(-1), state: 'enroute', steps: [step('accepted', -4), step('enroute', -3)] });
    expect(spanOf(driving, NOON)).toEqual({ fromMs: NOON - 3 * HOUR, toMs: NOON });
    const done = newTask({ dueTo: at(5), state: 'done', steps: [step('enroute', -3), step('done', -1)] });
    expect(spanOf(done, NOON)).toEqual({ fromMs: NOON - 3 * HOUR, toMs: NOON - HOUR });
  });
});
