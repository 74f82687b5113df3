import { degrees, epochMs, fromKilometresPerHour, metres } from '@milepost/units';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { positionOf } from '../position.ts';
import type { DecodedMessage } from '../protocol.ts';
import { ALERT_IDS } from './alert-ids.ts';
import { suntechTcp } from './decode.ts';
import { encodeOlder, encodeUniversal } from './encode.ts';

/** Decoding returns what was encoded: millionths of a degree, hundredths of km/h and degrees, seconds. */
const ID = '0560001616';
const SESSION = { imei: null, receivedAt: epochMs(0) };

const position = fc
  .record({
    seconds: fc.integer({ min: 946_684_800, max: 4_102_444_799 }),
    valid: fc.boolean(),
    lat: fc.integer({ min: -90e6, max: 90e6 }),
    lon: fc.integer({ min: -180e6, max: 180e6 }),
    centikmh: fc.integer({ min: 0, max: 30_000 }),
    centidegrees: fc.integer({ min: 0, max: 35_999 }),
    satellites: fc.integer({ min: 0, max: 40 }),
    ignition: fc.boolean(),
    replayed: fc.boolean(),
    centivolts: fc.integer({ min: 600, max: 3200 }),
    event: fc.constantFrom(null, ...[...new Set(ALERT_IDS.values())].filter(each => each !== null)),
  })
  .map(({ seconds, lat, lon, centikmh, centidegrees, replayed, centivolts, ...rest }) =>
    positionOf({
      ...rest,
      time: epochMs(seconds * 1000),
      lat: degrees(lat / 1e6),
      lon: degrees(lon / 1e6),
      speed: fromKilometresPerHour(centikmh / 100),
      course: degrees(centidegrees / 100),
      attributes: { batteryVoltage: 4.1, externalVoltage: centivolts / 100, ...(replayed ? { replayed } : {}) },
    }),
  );

function expectBack(got: DecodedMessage | undefined, sent: ReturnType<typeof positionOf>): void {
  if (got?.kind !== 'position') throw new Error('no position');
  const { lat, lon, speed, course, ...expected } = sent;
  expect(got).toMatchObject(expected);
  expect(got.lat).toBeCloseTo(lat, 9);
  expect(got.lon).toBeCloseTo(lon, 9);
  expect(got.speed).toBeCloseTo(speed ?? 0, 9);
  expect(got.course).toBeCloseTo(course ?? 0, 9);
}

it('reports of the universal protocol survive a round trip', () => {
  fc.assert(
    fc.property(position, fc.nat(9999), fc.integer({ min: 0, max: 31 }), (sent, number, gsm) => {
      const full = {
        ...sent,
        gsm: gsm < 2 ? null : gsm,
        attributes: { ...sent.attributes, cell: '310-410-33278-421210' },
      };
      const [who, got] = suntechTcp.decode(encodeUniversal(ID, full, number), SESSION).messages;
      expect(who).toEqual({ kind: 'login', imei: ID });
      expectBack(got, full);
    }),
    { numRuns: 200 },
  );
});

it('reports of the older protocols survive a round trip', () => {
  fc.assert(
    fc.property(position, fc.nat(9999), fc.nat(1e9), fc.nat(999_999), (sent, number, distance, minutes) => {
      const full = {
        ...sent,
        odometer: metres(distance),
        attributes: { ...sent.attributes, engineHours: minutes * 60 },
      };
      expectBack(suntechTcp.decode(encodeOlder(ID, full, number), SESSION).messages[1], full);
    }),
    { numRuns: 200 },
  );
});
