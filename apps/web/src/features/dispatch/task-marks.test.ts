import type { Task } from '@milepost/contract';
import { describe, expect, it } from 'vitest';
import { marksOf, waysOf } from './task-marks.ts';

const at = (hour: number): string => `2026-11-21T${String(hour).padStart(2, '0')}:00:00.000Z`;
const stop = (name: string, lat: number) => ({ name, lat, lon: -97, actions: [] });
const task = (id: string, more: Partial<Task>): Task => ({
  ...{ id, taskId: id, seqNo: 0, title: `Load ${id}`, ref: null, priority: 'normal', notes: null, stops: [] },
  ...{ dueFrom: null, dueTo: null, needsPhoto: false, needsSignature: false, state: 'assigned', reason: null },
  ...{ driver: { id: '7', name: 'Dana' }, vehicle: { id: '1', imei: '356', deviceName: '4127' }, assignedBy: null },
  ...{ assignedAt: null, answerBy: null, steps: [], proof: null, eta: null, createdAt: at(1), changedAt: at(1) },
  ...more,
});

const tasks = [
  task('3', { dueFrom: at(18), stops: [stop('Enid', 36.4)] }),
  task('2', { state: 'enroute', dueFrom: at(19), stops: [stop('Tulsa', 36.1), stop('Yukon', 35.5)] }),
  task('1', {
    ...{ state: 'done', stops: [stop('Joplin', 37.1)] },
    steps: [{ state: 'done', at: at(9), by: 'driver', name: 'Dana' }],
  }),
  task('4', { driver: null, vehicle: null, state: 'open', stops: [stop('Lawton', 34.6)] }),
  task('5', { state: 'cancelled', stops: [stop('Nowhere', 30)] }),
];

describe('tasks on the map', () => {
  it('are numbered for each driver in the order in which they are done', () => {
    expect(marksOf(tasks).map(({ number, name, tone }) => [number, name, tone])).toEqual([
      [1, 'Joplin', 'over'],
      [2, 'Tulsa', 'running'],
      [3, 'Yukon', 'running'],
      [4, 'Enid', 'planned'],
      [1, 'Lawton', 'planned'],
    ]);
  });

  it('are joined by a straight line from the vehicle through what is left', () => {
    const places = new Map([['356', { lat: 36, lon: -96 }]]);
    expect(waysOf(tasks, null, places).map(way => way.map(({ lat }) => lat))).toEqual([[36, 36.1, 35.5, 36.4]]);
    const there = tasks.map(one => (one.id === '2' ? { ...one, state: 'arrived' as const } : one));
    expect(waysOf(there, null, places).map(way => way.map(({ lat }) => lat))).toEqual([[36, 35.5, 36.4]]);
    // The way of somebody else is not drawn while a task is open.
    expect(waysOf(tasks, '4', places)).toEqual([]);
    expect(waysOf(tasks, '3', new Map()).map(way => way.length)).toEqual([3]);
  });
});
