import { degrees, epochMs, fromKilometresPerHour, metres, percent } from '@milepost/units';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { positionOf } from '../position.ts';
import { meitrackTcp } from './decode.ts';
import { encodeCce, encodeText } from './encode.ts';
import { EVENT_CODES } from './event-codes.ts';

/** Decoding returns what was encoded: millionths of a degree, km/h, meters, seconds. */
const IMEI = '352093081452251';
const SESSION = { imei: null, receivedAt: epochMs(0) };

const position = fc
  .record({
    seconds: fc.integer({ min: 946_684_800, max: 4_102_444_799 }),
    valid: fc.boolean(),
    lat: fc.integer({ min: -90e6, max: 90e6 }),
    lon: fc.integer({ min: -180e6, max: 180e6 }),
    kmh: fc.integer({ min: 0, max: 300 }),
    course: fc.integer({ min: 0, max: 359 }),
    altitude: fc.integer({ min: -500, max: 9000 }),
    satellites: fc.integer({ min: 0, max: 40 }),
    tenthsOfHdop: fc.integer({ min: 0, max: 500 }),
    ignition: fc.boolean(),
    odometer: fc.integer({ min: 0, max: 0x7fff_ffff }),
    gsm: fc.integer({ min: 0, max: 31 }),
    fuel: fc.option(fc.integer({ min: 0, max: 99 }), { nil: null }),
    event: fc.constantFrom(null, ...new Set(EVENT_CODES.values())),
    centivolts: fc.integer({ min: 600, max: 3200 }),
    battery: fc.integer({ min: 300, max: 440 }),
    cell: fc.tuple(
      fc.integer({ min: 200, max: 799 }),
      fc.integer({ min: 0, max: 999 }),
      fc.integer({ min: 0, max: 0xffff }),
      fc.integer({ min: 0, max: 0x7fff_ffff }),
    ),
  })
  .map(({ seconds, lat, lon, kmh, tenthsOfHdop, fuel, centivolts, battery, cell, ...rest }) =>
    positionOf({
      ...rest,
      time: epochMs(seconds * 1000),
      lat: degrees(lat === 0 ? 0 : lat / 1e6),
      lon: degrees(lon === 0 ? 0 : lon / 1e6),
      speed: fromKilometresPerHour(kmh),
      course: degrees(rest.course),
      altitude: metres(rest.altitude),
      hdop: tenthsOfHdop / 10,
      odometer: metres(rest.odometer),
      fuel: fuel === null ? null : percent(fuel),
      attributes: {
        batteryVoltage: battery / 100,
        externalVoltage: centivolts / 100,
        runTime: 7200,
        cell: cell.join('-'),
      },
    }),
  );

it('reports survive a round trip as text and in CCE', () => {
  fc.assert(
    fc.property(fc.array(position, { minLength: 1, maxLength: 4 }), fc.nat(500), (sent, number) => {
      const asText = sent.flatMap(
        (one, i) => meitrackTcp.decode(encodeText(IMEI, one, number + i), SESSION).messages[1],
      );
      const [who, ...binary] = meitrackTcp.decode(encodeCce(IMEI, sent, number), SESSION).messages;
      expect(who).toEqual({ kind: 'login', imei: IMEI });
      expect(asText).toMatchObject(sent);
      expect(binary).toMatchObject(sent);
    }),
    { numRuns: 150 },
  );
});
