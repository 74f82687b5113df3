import type { Vehicle } from '@milepost/contract';
import { expect, it } from 'vitest';
import { hintsOf } from './hints.ts';

const NOW = Date.parse('2026-11-19T14:00:00Z');
const MINUTE = 60_000;

const vehicle = (deviceName: string, motion: string, sinceMin: number, heardMin = 0): Vehicle => {
  const at = (minutes: number) => new Date(NOW - minutes * MINUTE).toISOString();
  const place = { fixAt: at(heardMin), heardAt: at(heardMin), gpsValid: true, intervalS: 30, lat: 41.9, lon: -87.7 };
  return { imei: deviceName, deviceName, live: { motion, motionSince: at(sinceMin), ...place } } as Vehicle;
};

it('[R2.03] names one vehicle for each thing that can be seen, the one that shows it the longest', () => {
  const fleet = [
    vehicle('4101', 'moving', 10),
    vehicle('4102', 'moving', 50),
    vehicle('4103', 'idling', 12),
    vehicle('4104', 'stopped', 20),
    vehicle('4105', 'stopped', 600),
    vehicle('4106', 'moving', 300, 240),
  ];
  expect(hintsOf(fleet, NOW).map(({ kind, name }) => [kind, name])).toEqual([
    ['moving', '4102'],
    ['idling', '4103'],
    ['silent', '4106'],
    ['asleep', '4105'],
  ]);
});

it('says nothing of what is not there', () => {
  expect(hintsOf([vehicle('4104', 'stopped', 20)], NOW)).toEqual([]);
});
