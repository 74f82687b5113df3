import { expect, it } from 'vitest';
import { shiftOf } from './shift.ts';

const at = (hour: number) => Date.parse('2026-11-27T06:00:00Z') + hour * 3_600_000;
const day = (throughHour = 24) => ({
  from: new Date(at(0)).toISOString(),
  through: new Date(at(throughHour)).toISOString(),
});
const spans = (...all: (readonly ['OFF' | 'D' | 'ON' | 'PC', number, number])[]) =>
  all.map(([status, from, to]) => ({ status, fromMs: at(from), toMs: at(to) }));

it('[R2.14] says when a driver worked on a day, without taking midnight or now for an end of the work', () => {
  const worked = spans(['OFF', 0, 5.5], ['ON', 5.5, 6], ['D', 6, 17], ['PC', 17, 24]);
  expect(shiftOf(day(), worked)).toEqual({ fromMs: at(5.5), toMs: at(17) });
  expect(shiftOf(day(), spans(['D', 0, 3], ['OFF', 3, 24]))).toEqual({ fromMs: null, toMs: at(3) });
  expect(shiftOf(day(), spans(['OFF', 0, 22], ['D', 22, 24]))).toEqual({ fromMs: at(22), toMs: null });
  // Today: the work goes on.
  expect(shiftOf(day(7), spans(['D', 0, 6], ['ON', 6, 7]))).toEqual({ fromMs: null, toMs: null });
  expect(shiftOf(day(), spans(['OFF', 0, 24]))).toBeNull();
});
