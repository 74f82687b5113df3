import { expect, it } from 'vitest';
import { Coalescer } from './coalescer.ts';
import { movingState, report } from './testing/fleet.ts';

const START = Date.parse('2026-11-19T19:00:00Z');
const imeiOf = (index: number): string => String(356_307_000_000_000 + index);

it('gives every message of a frame once, in order', () => {
  const coalescer = new Coalescer();
  for (let i = 0; i < 10; i++) coalescer.addReport(report(imeiOf(i % 3), START + i * 1000));
  const { reports } = coalescer.take();
  expect(reports.map(({ reportTime }) => reportTime)).toHaveLength(10);
  expect(coalescer.isEmpty).toBe(true);
  expect(coalescer.take()).toEqual({ reports: [], states: [] });
});

it('keeps the newest state of a vehicle, even when an older one comes after it', () => {
  const coalescer = new Coalescer();
  coalescer.addState(imeiOf(1), movingState(START));
  coalescer.addState(imeiOf(1), movingState(START + 5000));
  coalescer.addState(imeiOf(1), movingState(START + 1000));
  expect(coalescer.take().states).toEqual([[imeiOf(1), movingState(START + 5000)]]);
});

it('holds a bounded number of reports for a tab that draws nothing, the newest of each vehicle among them', () => {
  const coalescer = new Coalescer();
  const vehicles = 1500;
  for (let round = 0; round < 20; round++) {
    for (let i = 0; i < vehicles; i++) coalescer.addReport(report(imeiOf(i), START + round * 10_000));
  }
  const { reports } = coalescer.take();
  expect(reports.length).toBeLessThanOrEqual(2 * vehicles);
  const newest = new Map(reports.map(one => [one.imei, one.reportTime]));
  expect(newest.size).toBe(vehicles);
  expect(new Set(newest.values())).toEqual(new Set(['19:03:10']));
});
