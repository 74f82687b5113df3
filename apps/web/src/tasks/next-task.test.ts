import type { Task } from '@milepost/contract';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { nextTasks } from './next-task.ts';
import { newTask } from './test-task.ts';

const NOON = Date.parse('2026-11-26T12:00:00Z');
const at = (hours: number): string => new Date(NOON + hours * 3_600_000).toISOString();
const ANN = { id: '7', name: 'Ann' };
const TRUCK = { id: '3', imei: '356307042441013', deviceName: '4101' };

const ofTruck = (tasks: readonly Task[], driverId: string | null = ANN.id) =>
  nextTasks(tasks).of(TRUCK.id, driverId ?? undefined)?.id;

it('takes the task that is under way, then the one due first, then the older one', () => {
  const later = newTask({ id: '1', driver: ANN, dueFrom: at(5) });
  const soon = newTask({ id: '2', driver: ANN, dueTo: at(2) });
  const anytime = newTask({ id: '3', driver: ANN });
  const under = newTask({ id: '4', driver: ANN, state: 'enroute', dueFrom: at(9) });
  const there = newTask({ id: '5', driver: ANN, state: 'arrived', dueFrom: at(9) });
  expect(ofTruck([later, soon, anytime])).toBe('2');
  expect(ofTruck([later, soon, anytime, under])).toBe('4');
  expect(ofTruck([later, under, there, soon])).toBe('5');
  expect(ofTruck([newTask({ id: '9', driver: ANN }), anytime])).toBe('3');
});

it('goes by the vehicle that a task names, or else by its driver, and leaves out what is over or has no driver', () => {
  const named = newTask({ id: '1', driver: { id: '8', name: 'Bo' }, vehicle: TRUCK });
  expect(ofTruck([named], null)).toBe('1');
  expect(ofTruck([newTask({ driver: ANN, vehicle: { ...TRUCK, id: '4' } })])).toBeUndefined();
  expect(ofTruck([newTask({ driver: ANN })], null)).toBeUndefined();
  expect(ofTruck([newTask({ state: 'open', vehicle: TRUCK })])).toBeUndefined();
  expect(
    ofTruck([newTask({ driver: ANN, state: 'done' }), newTask({ driver: ANN, state: 'declined' })]),
  ).toBeUndefined();
});

it('doesn’t depend on the order of the list', () => {
  const due = fc.option(fc.integer({ min: -5, max: 5 }), { nil: null });
  const state = fc.constantFrom('assigned', 'seen', 'accepted', 'enroute', 'arrived', 'working', 'done');
  const task = fc.record({ due, state, isNamed: fc.boolean() });
  fc.assert(
    fc.property(fc.array(task, { maxLength: 8 }), fc.infiniteStream(fc.nat()), (made, keys) => {
      const tasks = made.map((one, index) =>
        newTask({
          ...{ id: String(index), driver: ANN, state: one.state as Task['state'] },
          ...{ vehicle: one.isNamed ? TRUCK : null, dueFrom: one.due === null ? null : at(one.due) },
        }),
      );
      const mixed = tasks
        .map(one => ({ one, key: keys.next().value as number }))
        .toSorted((a, b) => a.key - b.key)
        .map(({ one }) => one);
      expect(ofTruck(mixed)).toBe(ofTruck(tasks));
    }),
  );
});
