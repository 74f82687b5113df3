import { celsius, degrees, epochMs, fromKilometresPerHour, metres, percent } from '@milepost/units';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { positionOf } from '../position.ts';
import { wialonTcp, wialonUdp } from './decode.ts';
import { encodeBlackBox, encodeData, encodeLogin } from './encode.ts';

const IMEI = '352093081452251';
const SESSION = { imei: IMEI, receivedAt: epochMs(0) };
const orNull = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null });
const finite = (min: number, max: number) =>
  fc.integer({ min: min * 1000, max: max * 1000 }).map(thousandths => (thousandths === 0 ? 0 : thousandths / 1000));

const position = fc
  .record({
    time: fc.integer({ min: 946_684_800_000, max: 4_102_444_799_999 }),
    lat: fc.integer({ min: -90e7, max: 90e7 }),
    lon: fc.integer({ min: -180e7, max: 180e7 }),
    kmh: orNull(fc.integer({ min: 0, max: 300 })),
    course: orNull(fc.integer({ min: 0, max: 359 })),
    altitude: orNull(finite(-500, 9000)),
    satellites: orNull(fc.integer({ min: 1, max: 40 })),
    hdop: orNull(finite(0, 50)),
    ignition: orNull(fc.boolean()),
    odometer: orNull(fc.integer({ min: 0, max: 1e9 })),
    fuel: orNull(fc.integer({ min: 0, max: 100 })),
    temperature: orNull(finite(-55, 85)),
    gsm: orNull(fc.integer({ min: 0, max: 31 })),
    event: orNull(fc.constantFrom('sos', 'towing', 'powerCut')),
    rfid: orNull(fc.stringMatching(/^[0-9A-F]{8,16}$/)),
    attributes: fc.dictionary(
      fc.constantFrom('rpm', 'batteryLevel', 'note', 'door'),
      fc.oneof(fc.integer(), fc.boolean(), fc.stringMatching(/^[a-z]{1,9}$/)),
    ),
  })
  .map(({ time, lat, lon, kmh, course, altitude, odometer, fuel, temperature, ...rest }) =>
    positionOf({
      ...rest,
      time: epochMs(time),
      valid: true,
      lat: degrees(lat / 1e7),
      lon: degrees(lon / 1e7),
      speed: kmh === null ? null : fromKilometresPerHour(kmh),
      course: course === null ? null : degrees(course),
      altitude: altitude === null ? null : metres(altitude),
      odometer: odometer === null ? null : metres(odometer),
      fuel: fuel === null ? null : percent(fuel),
      temperature: temperature === null ? null : celsius(temperature),
    }),
  );

it('data packets survive a round trip over TCP, in a black box and over UDP', () => {
  fc.assert(
    fc.property(position, sent => {
      const { lat, lon, speed, ...expected } = sent;
      const results = [
        wialonTcp.decode(encodeData(sent), SESSION).messages,
        wialonTcp.decode(encodeBlackBox([sent]), SESSION).messages,
        wialonUdp.decodeDatagram(encodeData(sent, IMEI), SESSION.receivedAt).messages.slice(1),
      ];
      for (const [got] of results) {
        expect(got).toMatchObject(expected);
        if (got?.kind !== 'position') throw new Error('no position');
        expect(got.lat).toBeCloseTo(lat, 8);
        expect(got.lon).toBeCloseTo(lon, 8);
        if (speed !== null) expect(got.speed).toBeCloseTo(speed, 6);
      }
    }),
    { numRuns: 200 },
  );
});

it('logins survive a round trip', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^\d{3,20}$/), imei => {
      const { messages } = wialonTcp.decode(encodeLogin(imei), { imei: null, receivedAt: epochMs(0) });
      expect(messages).toEqual([{ kind: 'login', imei }]);
    }),
  );
});
