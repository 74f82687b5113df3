import { readFileSync } from 'node:fs';
import { positionReportSchema } from '@milepost/contract';
import alerts from '@milepost/contract/texts/en-US/alerts.json' with { type: 'json' };
import { TRACKER_EVENTS } from '@milepost/decoders';
import { celsius, degrees, metres, metresPerSecond, percent } from '@milepost/units';
import { expect, it } from 'vitest';
import { receivedPosition } from '../../testing/stored-positions.ts';
import { type ReportContext, toPositionReport } from './report.ts';

const VEHICLE = { id: 7, accountId: 1, imei: '356307042441013', name: 'Tractor 104', odometerOffset: 0 };
const reportContext: ReportContext = {
  placeOf: () => ({ address: 'N Damen Ave, Chicago, IL', near: null }),
  driverOfCard: (accountId, card) => (accountId === 1 && card === '0A1B2C' ? { id: 4, name: 'Ann' } : null),
};
const position = {
  ...receivedPosition(Date.parse('2026-11-20T23:59:58.700Z'), {
    lat: degrees(41.912_345_678_9),
    speed: metresPerSecond(13.888_889),
    odometer: metres(184_233_456),
    temperature: celsius(-18.26),
    fuel: percent(64.04),
    ignition: true,
    event: 'overspeed',
    rfid: '0A1B2C',
  }),
  late: false,
  doubts: 0,
};

it('[R3.03] has exactly the specified names, then the additions, in the units of the wire', () => {
  const report = toPositionReport(VEHICLE, position, reportContext);
  expect(report).toEqual({
    address: 'N Damen Ave, Chicago, IL',
    deviceId: '7',
    deviceName: 'Tractor 104',
    eventType: 'overspeed',
    fuelGage: 64,
    gpsStatus: 'A',
    gsmStatus: 21,
    ignitionStatus: 1,
    imei: '356307042441013',
    lat: 41.9123457,
    lon: -87.68,
    mileage: 184_233.456,
    reportDate: '2026-11-20',
    reportTime: '23:59:58',
    rfid: '0A1B2C',
    speed: 50,
    temp: -18.3,
    course: 90,
    altitude: 180,
    hdop: 0.9,
    satellites: 11,
    receivedAt: '2026-11-20T23:59:59.500Z',
    late: false,
    driver: { id: '4', name: 'Ann' },
  });
  expect(positionReportSchema.strict().parse(report)).toEqual(report);
});

it('says V for a fix that the tracker does not vouch for, and null for what it did not send', () => {
  const silent = { ...position, valid: false, ignition: null, speed: null, odometer: null, gsm: null };
  expect(toPositionReport(VEHICLE, silent, { ...reportContext, placeOf: () => null })).toMatchObject({
    address: null,
    gpsStatus: 'V',
    ignitionStatus: null,
    speed: 0,
    mileage: null,
    gsmStatus: null,
  });
});

it('names nobody for the card of nobody, and adds what the odometer had before the tracker', () => {
  const report = toPositionReport({ ...VEHICLE, odometerOffset: 1000 }, { ...position, rfid: 'FFFF' }, reportContext);
  expect(report).toMatchObject({ rfid: 'FFFF', driver: null, mileage: 184_234.456 });
});

it('[R3.03] every event that a tracker can report has words on the vehicle’s card', () => {
  const file = new URL('../../../web/src/locales/en-US/tracker-events.json', import.meta.url);
  const known = [JSON.parse(readFileSync(file, 'utf8')), alerts.event, alerts.kind].flatMap(Object.keys);
  expect(TRACKER_EVENTS.filter(event => !known.includes(event))).toEqual([]);
});
