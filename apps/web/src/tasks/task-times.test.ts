import type { Task } from '@milepost/contract';
import { describe, expect, it } from 'vitest';
import { isLate, spanOf } from './task-times.ts';

const NOON = Date.parse('2026-11-26T12:00:00Z');
const HOUR = 3_600_000;
const at = (hours: number): string => new Date(NOON + hours * HOUR).toISOString();

const task = (more: Partial<Task>): Task => ({
  ...{ id: '1', taskId: 'a', seqNo: 0, title: 'Load', ref: null, priority: 'normal', notes: null, stops: [] },
  ...{ dueFrom: null, dueTo: null, needsPhoto: false, needsSignature: false, state: 'assigned', reason: null },
  ...{ driver: null, vehicle: null, assignedBy: null, assignedAt: null, answerBy: null, steps: [], proof: null },
  ...{ createdAt: at(-5), changedAt: at(-5) },
  ...more,
});
const step = (state: Task['state'], hours: number) => ({ state, at: at(hours), by: 'driver' as const, name: null });

describe('a task', () => {
  it('is late when its window is over before anyone has arrived', () => {
    expect(isLate(task({ dueTo: at(-1) }), NOON)).toBe(true);
    expect(isLate(task({ dueTo: at(1) }), NOON)).toBe(false);
    expect(isLate(task({}), NOON)).toBe(false);
    expect(isLate(task({ dueTo: at(-1), state: 'arrived', steps: [step('arrived', -2)] }), NOON)).toBe(false);
    expect(isLate(task({ dueTo: at(-3), state: 'done', steps: [step('arrived', -2), step('done', -1)] }), NOON)).toBe(
      true,
    );
    expect(isLate(task({ dueTo: at(-1), state: 'cancelled' }), NOON)).toBe(false);
  });

  it('stands where it was driven, and otherwise where it is due', () => {
    expect(spanOf(task({ dueFrom: at(2), dueTo: at(3) }), NOON)).toEqual({
      fromMs: NOON + 2 * HOUR,
      toMs: NOON + 3 * HOUR,
    });
    expect(spanOf(task({ dueTo: at(3) }), NOON)).toEqual({ fromMs: NOON + 2 * HOUR, toMs: NOON + 3 * HOUR });
    const driving = task({ dueTo: at(-1), state: 'enroute', steps: [step('accepted', -4), step('enroute', -3)] });
    expect(spanOf(driving, NOON)).toEqual({ fromMs: NOON - 3 * HOUR, toMs: NOON });
    const done = task({ dueTo: at(5), state: 'done', steps: [step('enroute', -3), step('done', -1)] });
    expect(spanOf(done, NOON)).toEqual({ fromMs: NOON - 3 * HOUR, toMs: NOON - HOUR });
  });
});
