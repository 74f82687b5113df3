import { NO_SUMS } from '@milepost/contract';
import { expect, it } from 'vitest';
import { METRIC } from '../format/measure.ts';
import { timedReport, timedState } from '../live/live-message.ts';
import { movingState, report, vehicle } from '../live/testing/fleet.ts';
import { toEntry, type VehicleEntry } from '../live/vehicle-entry.ts';
import { matcher } from './matches.ts';
import { parseSearch } from './search-text.ts';

const NOW = Date.UTC(2026, 10, 19, 19);
const MINUTE = 60_000;

function entry(index: number, what: Parameters<typeof vehicle>[1], live: Parameters<typeof report>[2], ageMs = 5000) {
  const imei = `35693803564${index}009`;
  const known = vehicle(imei, what);
  return toEntry(
    {
      vehicle: known,
      state: timedState(known.live),
      report: live ? timedReport(report(imei, NOW - ageMs, live)) : null,
    },
    NOW,
  );
}
const moving = entry(
  1,
  {
    deviceName: 'R-214',
    plate: 'VA-12 A',
    tags: ['Reefer'],
    folderId: '7',
    driver: { id: '1', name: 'Sofía Marín', source: 'usual' },
    live: movingState(NOW - 5000, { lat: 15 }),
  },
  { speed: 96, temp: -2, fuelGage: 18, address: 'Lovingston, VA' },
);
const idling = entry(
  2,
  {
    deviceName: '4133',
    daysRemaining: 9,
    live: movingState(NOW - 5000, { lat: 3, motion: 'idling', motionSince: at(30) }),
  },
  { speed: 0, fuelGage: 80 },
);
const silent = entry(3, { deviceName: '4151', live: movingState(NOW - 50 * 60 * MINUTE) }, undefined);

function at(minutes: number): string {
  return new Date(NOW - minutes * MINUTE).toISOString();
}

const context = {
  nowMs: NOW,
  folderPathOf: ({ folderId }: VehicleEntry['vehicle']) => (folderId ? ['North', 'Reefers', 'Short'] : []),
  geofencesOf: ({ deviceName }: VehicleEntry['vehicle']) => (deviceName === '4133' ? ['Depot North'] : []),
  // The distance in km is the latitude in degrees.
  awayFrom: new Map([['depot', ({ lat }: { readonly lat: number }) => lat]]),
  alertsOf: ({ deviceName }: VehicleEntry['vehicle']) => (deviceName === '4133' ? 2 : 0),
  sumsOf: ({ deviceName }: VehicleEntry['vehicle']) =>
    deviceName === '4151'
      ? null
      : { ...NO_SUMS, distanceM: 120_000, idlingS: deviceName === '4133' ? 4000 : 60, stops: 3, maxSpeedMps: 30 },
  expires: ({ daysRemaining }: VehicleEntry['vehicle']) => daysRemaining !== null && daysRemaining < 30,
};

it.each([
  ['', ['R-214', '4133', '4151']],
  ['status:idle', ['4133']],
  ['-status:idle', ['R-214', '4151']],
  ['status:moving,idling speed>80', ['R-214']],
  ['speed<5', []],
  ['folder:north', ['R-214']],
  ['folder:"North/Reefers"', ['R-214']],
  ['folder:none', ['4133', '4151']],
  ['in:"Depot North"', ['4133']],
  ['in:north', ['4133']],
  ['in:none', ['R-214', '4151']],
  ['-in:depot', ['R-214', '4151']],
  ['near:depot', ['4133']],
  ['near:"depot 20km"', ['R-214', '4133']],
  ['-near:depot', ['R-214', '4151']],
  ['near:Nowhere', []],
  ['driver:mar', ['R-214']],
  ['driver:none', ['4133', '4151']],
  ['driver:ofia', []],
  ['tag:reefer', ['R-214']],
  ['age>24h', ['4151']],
  ['idle>20m', ['4133']],
  ['idle>31m', []],
  ['fuel<20', ['R-214']],
  ['temp>-5C temp<0C', ['R-214']],
  ['is:silent', ['4151']],
  ['is:alerting', ['4133']],
  ['alerts<1', ['R-214', '4151']],
  ['is:expiring', ['4133']],
  ['today>100km', ['R-214', '4133']],
  ['idled>1h', ['4133']],
  ['engine>1h', ['4133']],
  ['driven>0m', []],
  ['stops>2 topspeed>107km/h', ['R-214', '4133']],
  ['folder:"North/Ree"', []],
  ['lovingston', ['R-214']],
  ['va12', ['R-214']],
  ['marin reefer', ['R-214']],
  ['643009', ['4151']],
  ['09', []],
])('%s', (text, found) => {
  const matches = matcher(parseSearch(text, METRIC), context);
  expect([moving, idling, silent].filter(matches).map(one => one.vehicle.deviceName)).toEqual(found);
});
