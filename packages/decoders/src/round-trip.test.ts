import { celsius, degrees, epochMs, fromKilometresPerHour, fromKnots, metres, percent } from '@milepost/units';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as gt06Encode from './gt06/encode.ts';
import { BATTERY_LEVELS, GSM_LEVELS } from './gt06/terminal.ts';
import { gt06, osmand, teltonika, teltonikaUdp } from './index.ts';
import * as osmandEncode from './osmand/encode.ts';
import type { DecodedMessage, PositionMessage, Session } from './protocol.ts';
import * as teltonikaEncode from './teltonika/encode.ts';
import { framesOf } from './testing/stream.ts';

/** Decoding returns what was encoded, at the resolution of the protocol. */

/** Earlier times come from clocks that were never set, see `possible.ts`. */
const EARLIEST = Date.UTC(2001, 0);
const LATEST = Date.UTC(2070, 0) - 1000;
const SESSION: Session = { imei: '352093081452251', receivedAt: epochMs(0) };
const orNull = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null });
const cardDigits = fc.stringMatching(/^[0-9A-F]{16}$/).filter(digits => /[1-9A-F]/.test(digits));

const EMPTY = {
  kind: 'position',
  hdop: null,
  ignition: null,
  odometer: null,
  fuel: null,
  temperature: null,
  gsm: null,
  event: null,
  rfid: null,
  attributes: {},
} as const;

const fixOf = (coordinates: { latScale: number; timeStep: number }) =>
  fc.record({
    time: fc
      .integer({ min: EARLIEST / coordinates.timeStep, max: LATEST / coordinates.timeStep })
      .map(steps => epochMs(steps * coordinates.timeStep)),
    lat: fc.integer({ min: -90 * coordinates.latScale, max: 90 * coordinates.latScale }),
    lon: fc.integer({ min: -180 * coordinates.latScale, max: 180 * coordinates.latScale }),
    valid: fc.boolean(),
    kmh: fc.integer({ min: 0, max: 255 }),
    course: fc.integer({ min: 0, max: 360 }),
    satellites: fc.integer({ min: 1, max: 15 }),
  });

/** −0 and 0 are the same place. */
const scaled = (value: number, scale: number) => degrees(value === 0 ? 0 : value / scale);
const single = (messages: readonly DecodedMessage[]): DecodedMessage => {
  expect(messages).toHaveLength(1);
  return messages[0]!;
};

const teltonikaPosition: fc.Arbitrary<PositionMessage> = fc
  .record({
    fix: fixOf({ latScale: 1e7, timeStep: 1 }),
    altitude: fc.integer({ min: -500, max: 9000 }),
    hdop: orNull(fc.integer({ min: 0, max: 500 })),
    ignition: orNull(fc.boolean()),
    odometer: orNull(fc.integer({ min: 0, max: 0xffff_ffff })),
    fuel: orNull(fc.integer({ min: 0, max: 100 })),
    tenthsOfDegrees: orNull(fc.integer({ min: -550, max: 849 })),
    gsm: orNull(fc.constantFrom(0, 6, 12, 19, 25, 31)),
    rfid: orNull(cardDigits),
    millivolts: orNull(fc.integer({ min: 0, max: 0xffff })),
  })
  .map(({ fix, hdop, odometer, fuel, tenthsOfDegrees, millivolts, ...rest }) => ({
    ...EMPTY,
    ...rest,
    time: fix.time,
    valid: fix.valid,
    lat: scaled(fix.lat, 1e7),
    lon: scaled(fix.lon, 1e7),
    speed: fix.valid ? fromKilometresPerHour(fix.kmh) : null,
    course: fix.valid ? degrees(fix.course) : null,
    satellites: fix.valid ? fix.satellites : 0,
    altitude: metres(rest.altitude),
    hdop: hdop === null ? null : hdop / 10,
    odometer: odometer === null ? null : metres(odometer),
    fuel: fuel === null ? null : percent(fuel),
    temperature: tenthsOfDegrees === null ? null : celsius(tenthsOfDegrees / 10),
    attributes: {
      ...(tenthsOfDegrees === null ? {} : { temperature1: tenthsOfDegrees / 10 }),
      ...(millivolts === null ? {} : { externalVoltage: millivolts / 1000 }),
    },
  }));

describe('Teltonika', () => {
  it.each(['codec8', 'codec8Extended', 'codec16'] as const)('%s over TCP', codec => {
    fc.assert(
      fc.property(fc.array(teltonikaPosition, { minLength: 1, maxLength: 12 }), positions => {
        const packet = teltonikaEncode.encodePacket(positions, codec);
        const { messages, acknowledgement } = teltonika.decode(packet, SESSION);
        expect(messages).toEqual(positions);
        expect([...acknowledgement!]).toEqual([0, 0, 0, positions.length]);
      }),
      { numRuns: 60 },
    );
  });

  it('over UDP', () => {
    const head = fc.record({
      imei: fc.stringMatching(/^\d{15}$/),
      packetId: fc.integer({ min: 0, max: 0xffff }),
      avlPacketId: fc.integer({ min: 0, max: 0xff }),
    });
    fc.assert(
      fc.property(head, fc.array(teltonikaPosition, { minLength: 1, maxLength: 5 }), (head, positions) => {
        const { messages, acknowledgement } = teltonikaUdp.decodeDatagram(
          teltonikaEncode.encodeDatagram(head, positions),
          SESSION.receivedAt,
        );
        expect(messages).toEqual([{ kind: 'login', imei: head.imei }, ...positions]);
        expect(acknowledgement?.[6]).toBe(positions.length);
        expect((acknowledgement?.[2] ?? 0) * 256 + (acknowledgement?.[3] ?? 0)).toBe(head.packetId);
      }),
      { numRuns: 60 },
    );
  });

  it.each([
    'ignitionOn',
    'ignitionOff',
    'movementStart',
    'movementStop',
    'tripStart',
    'tripStop',
    'idling',
    'idlingEnd',
    'powerCut',
    'powerRestored',
    'towing',
    'crash',
    'jamming',
    'jammingEnd',
    'harshAcceleration',
    'harshBraking',
    'harshCornering',
    'overspeed',
    'sos',
    'geofenceEnter',
    'geofenceExit',
  ])('carries the event %s', event => {
    const [position] = fc.sample(teltonikaPosition, { numRuns: 1, seed: 5 });
    const message = single(teltonika.decode(teltonikaEncode.encodePacket([{ ...position!, event }]), SESSION).messages);
    expect(message).toMatchObject({ kind: 'position', event });
  });
});

const gt06Position: fc.Arbitrary<PositionMessage> = fc
  .record({
    fix: fixOf({ latScale: 1_800_000, timeStep: 1000 }),
    ignition: fc.boolean(),
    odometer: fc.integer({ min: 0, max: 0xffff_ffff }),
    replayed: fc.boolean(),
    tower: orNull(
      fc.tuple(
        fc.integer({ min: 200, max: 799 }),
        fc.integer({ min: 0, max: 255 }),
        fc.integer({ min: 0, max: 0xffff }),
        fc.integer({ min: 0, max: 0xff_ffff }),
      ),
    ),
  })
  .map(({ fix, ignition, odometer, replayed, tower }) => ({
    ...EMPTY,
    time: fix.time,
    valid: fix.valid,
    lat: scaled(fix.lat, 1_800_000),
    lon: scaled(fix.lon, 1_800_000),
    speed: fromKilometresPerHour(fix.kmh),
    course: degrees(fix.course),
    satellites: fix.satellites,
    altitude: null,
    ignition,
    odometer: metres(odometer),
    attributes: { ...(tower ? { cell: tower.join('-') } : {}), ...(replayed ? { replayed } : {}) },
  }));

const serial = fc.integer({ min: 0, max: 0xffff });
const terminalState = fc.record({
  ignition: fc.boolean(),
  charging: fc.boolean(),
  batteryLevel: fc.constantFrom(...BATTERY_LEVELS),
  gsm: fc.constantFrom(...GSM_LEVELS),
});

describe('GT06', () => {
  it('login', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\d{15}$/), serial, (imei, number) => {
        const frame = gt06Encode.encodeLogin(imei, number);
        expect(gt06.decode(frame, SESSION).messages).toEqual([{ kind: 'login', imei, attributes: {} }]);
      }),
    );
  });

  it('location', () => {
    fc.assert(
      fc.property(gt06Position, serial, (position, number) => {
        const frame = gt06Encode.encodeLocation(position, number);
        expect(single(gt06.decode(frame, SESSION).messages)).toEqual(position);
        expect(framesOf(gt06, frame, 9)).toEqual({ frames: [frame], garbage: 0 });
      }),
    );
  });

  it('heartbeat', () => {
    fc.assert(
      fc.property(terminalState, serial, (state, number) => {
        expect(single(gt06.decode(gt06Encode.encodeHeartbeat(state, number), SESSION).messages)).toEqual({
          kind: 'heartbeat',
          attributes: { ...state, cutOff: false, armed: false },
        });
      }),
    );
  });

  it('alarm', () => {
    const event = fc.constantFrom('sos', 'powerCut', 'vibration', 'overspeed', 'tamper', 'crash', 'harshBraking', null);
    fc.assert(
      fc.property(gt06Position, terminalState, event, serial, (position, state, event, number) => {
        const frame = gt06Encode.encodeAlarm({ ...position, event }, state, number);
        const { cell } = position.attributes;
        const { ignition, gsm, charging, batteryLevel } = state;
        expect(single(gt06.decode(frame, SESSION).messages)).toEqual({
          ...position,
          odometer: null,
          ignition,
          gsm,
          event,
          attributes: { ...(cell ? { cell } : {}), batteryLevel, charging, cutOff: false, armed: false },
        });
      }),
    );
  });
});

describe('OsmAnd', () => {
  const finite = (min: number, max: number) => fc.double({ min, max, noNaN: true, noDefaultInfinity: true });
  const position: fc.Arbitrary<PositionMessage> = fc
    .record({
      seconds: fc.integer({ min: EARLIEST / 1000, max: LATEST / 1000 }),
      lat: finite(-90, 90),
      lon: finite(-180, 180),
      valid: fc.boolean(),
      knots: orNull(fc.integer({ min: 0, max: 200 })),
      course: orNull(finite(0, 360)),
      altitude: orNull(finite(-500, 9000)),
      hdop: orNull(finite(0, 50)),
      satellites: orNull(fc.integer({ min: 0, max: 40 })),
      ignition: orNull(fc.boolean()),
      odometer: orNull(finite(0, 1e9)),
      fuel: orNull(finite(0, 100)),
      rfid: orNull(fc.stringMatching(/^[0-9A-F]{4,16}$/)),
      event: orNull(fc.constantFrom('sos', 'ignitionOn', 'towing')),
    })
    .map(({ seconds, knots, ...rest }) => ({
      ...EMPTY,
      ...rest,
      time: epochMs(seconds * 1000),
      lat: degrees(rest.lat === 0 ? 0 : rest.lat),
      lon: degrees(rest.lon === 0 ? 0 : rest.lon),
      speed: knots === null ? null : fromKnots(knots),
      course: rest.course === null ? null : degrees(rest.course + 0),
      altitude: rest.altitude === null ? null : metres(rest.altitude + 0),
      hdop: rest.hdop === null ? null : rest.hdop + 0,
      odometer: rest.odometer === null ? null : metres(rest.odometer + 0),
      fuel: rest.fuel === null ? null : percent(rest.fuel + 0),
      attributes: { batteryLevel: 87, rpm: 933, note: 'left door' },
    }));

  it('query', () => {
    fc.assert(
      fc.property(position, report => {
        const query = osmandEncode.encodeQuery('357000000000003', report);
        const request = { method: 'GET', query, contentType: null, body: '' };
        const [who, message] = osmand.decodeRequest(request, SESSION.receivedAt);
        expect(who).toEqual({ kind: 'login', imei: '357000000000003' });
        if (message?.kind !== 'position') throw new Error('no position');
        const { speed, ...others } = message;
        const { speed: sent, ...expected } = report;
        expect(others).toEqual(expected);
        if (sent === null) expect(speed).toBeNull();
        else expect(speed).toBeCloseTo(sent, 9);
      }),
    );
  });
});
