import { celsius, degrees, epochMs, fromKilometresPerHour, metres } from '@milepost/units';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { positionOf } from '../position.ts';
import { gl200Tcp } from './decode.ts';
import { encodeReport } from './encode.ts';

/**
 * Decoding returns what was encoded, at the resolution of the protocol: millionths of a degree, tenths of km/h, 100 m,
 * seconds.
 */

const IMEI = '352093081452251';
const SESSION = { imei: null, receivedAt: epochMs(0) };
const orNull = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null });
const positive = (value: number): number => (value === 0 ? 0 : value);

const position = fc
  .record({
    seconds: fc.integer({ min: 946_684_800, max: 4_102_444_799 }),
    lat: fc.integer({ min: -90e6, max: 90e6 }),
    lon: fc.integer({ min: -180e6, max: 180e6 }),
    tenthsOfKmh: orNull(fc.integer({ min: 0, max: 9999 })),
    course: orNull(fc.integer({ min: 0, max: 359 })),
    decimetres: orNull(fc.integer({ min: -5000, max: 90_000 })),
    hdop: orNull(fc.integer({ min: 1, max: 50 })),
    ignition: orNull(fc.boolean()),
    hundreds: orNull(fc.integer({ min: 0, max: 42_949_670 })),
    batteryLevel: fc.integer({ min: 0, max: 100 }),
    millivolts: fc.integer({ min: 1000, max: 32_000 }),
    replayed: fc.boolean(),
    event: fc.constantFrom(null, 'sos', 'towing', 'overspeed', 'harshBraking', 'harshAcceleration', 'geofenceEnter'),
    cell: fc.tuple(
      fc.integer({ min: 200, max: 799 }),
      fc.integer({ min: 0, max: 999 }),
      fc.integer({ min: 0, max: 0xffff }),
      fc.integer({ min: 0, max: 0xfff_ffff }),
    ),
  })
  .map(({ seconds, lat, lon, tenthsOfKmh, course, decimetres, hundreds, millivolts, replayed, cell, ...rest }) =>
    positionOf({
      time: epochMs(seconds * 1000),
      valid: rest.hdop !== null,
      lat: degrees(positive(lat) / 1e6),
      lon: degrees(positive(lon) / 1e6),
      speed: tenthsOfKmh === null ? null : fromKilometresPerHour(tenthsOfKmh / 10),
      course: course === null ? null : degrees(course),
      altitude: decimetres === null ? null : metres(positive(decimetres) / 10),
      hdop: rest.hdop,
      ignition: rest.ignition,
      odometer: hundreds === null ? null : metres(hundreds * 100),
      event: rest.event,
      attributes: {
        cell: cell.join('-'),
        batteryLevel: rest.batteryLevel,
        movement: (tenthsOfKmh ?? 0) > 0,
        externalVoltage: millivolts / 1000,
        ...(rest.event === 'geofenceEnter' ? { fence: 1 } : {}),
        ...(replayed ? { replayed } : {}),
      },
    }),
  );

const LINES = {
  input1: false,
  input2: false,
  input3: false,
  output1: false,
  output2: false,
  output3: false,
};

describe('reports', () => {
  it('survive a round trip', () => {
    fc.assert(
      fc.property(position, fc.integer({ min: 0, max: 0xffff }), (sent, count) => {
        const { messages, acknowledgement } = gl200Tcp.decode(encodeReport(IMEI, sent, count), SESSION);
        const { speed, odometer, ...expected } = { ...sent, attributes: { ...sent.attributes, ...LINES } };
        expect(messages[0]).toEqual({ kind: 'login', imei: IMEI });
        expect(messages[1]).toMatchObject(expected);
        const [, got] = messages;
        if (got?.kind !== 'position') throw new Error('no position');
        if (speed === null) expect(got.speed).toBeNull();
        else expect(got.speed).toBeCloseTo(speed, 9);
        if (odometer === null) expect(got.odometer).toBeNull();
        else expect(got.odometer).toBeCloseTo(odometer, 3);
        expect(String.fromCharCode(...(acknowledgement ?? []))).toBe(
          `+SACK:${count.toString(16).toUpperCase().padStart(4, '0')}$`,
        );
      }),
      { numRuns: 300 },
    );
  });

  it('contain a driver’s card', () => {
    const sent = positionOf({
      time: epochMs(Date.UTC(2026, 0, 15)),
      valid: true,
      lat: degrees(1.5),
      lon: degrees(2.5),
      event: 'driverIdentified',
      rfid: 'D2C4FBC5',
      temperature: celsius(3),
    });
    expect(gl200Tcp.decode(encodeReport(IMEI, sent, 1), SESSION).messages[1]).toMatchObject({
      event: 'driverIdentified',
      rfid: 'D2C4FBC5',
      temperature: null,
    });
  });
});
