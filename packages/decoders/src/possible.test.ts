import { degrees, epochMs, metresPerSecond } from '@milepost/units';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SESSION } from './fuzz-checks.ts';
import { SAMPLE_POSITION } from './fuzz-inputs.ts';
import { PROTOCOL_NAMES, protocols } from './index.ts';
import { possible } from './possible.ts';

/** A position is a place on Earth at a time that a clock can have; anything else becomes a status with the reason. */

describe('the position check', () => {
  it('applies to anything a tracker sends', () => {
    const anything = fc.record({ lat: fc.double(), lon: fc.double(), time: fc.double() });
    const likely = fc.record({
      lat: fc.double({ min: -91, max: 91 }),
      lon: fc.double({ min: -181, max: 181 }),
      time: fc.double({ min: Date.UTC(1999, 0), max: Date.UTC(2101, 0) }),
    });
    fc.assert(
      fc.property(fc.oneof(anything, likely), ({ lat, lon, time }) => {
        const sent = { ...SAMPLE_POSITION, lat: degrees(lat), lon: degrees(lon), time: epochMs(time) };
        const message = possible(sent);
        if (message.kind === 'position') {
          expect(message).toBe(sent);
          expect(Math.abs(lat) <= 90 && Math.abs(lon) <= 180).toBe(true);
          expect(time >= Date.UTC(2001, 0) && time < Date.UTC(2070, 0)).toBe(true);
        } else {
          expect(message).toMatchObject({ kind: 'status', event: sent.event });
          expect('attributes' in message && message.attributes?.noFix).toMatch(/^(latitude|longitude|time)$/);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('takes zeros of a tracker that says it has no fix for no place', () => {
    const zeros = { ...SAMPLE_POSITION, lat: degrees(0), lon: degrees(-0) };
    expect(possible({ ...zeros, valid: false })).toMatchObject({ kind: 'status', attributes: { noFix: 'fix' } });
    expect(possible(zeros)).toBe(zeros);
    const equator = { ...zeros, valid: false, lon: degrees(9.45) };
    expect(possible(equator)).toBe(equator);
  });

  it('keeps the other values, and the time if it is valid', () => {
    expect(possible({ ...SAMPLE_POSITION, lat: degrees(-4278.19) })).toEqual({
      kind: 'status',
      time: SAMPLE_POSITION.time,
      event: 'harshBraking',
      attributes: {
        noFix: 'latitude',
        ignition: true,
        odometer: 123_456_789,
        fuel: 64,
        temperature: -4.5,
        satellites: 11,
        gsm: 25,
        rfid: '01000000A1B2C3D4',
        ...SAMPLE_POSITION.attributes,
      },
    });
    expect(possible({ ...SAMPLE_POSITION, time: epochMs(0) })).toMatchObject({
      time: null,
      attributes: { noFix: 'time' },
    });
  });
});

it.each([
  ['a field of all ones', 65_535],
  ['a minus', -1],
  ['more than 360 degrees', 360.5],
])('drops the course of %s', (_, course) => {
  expect(possible({ ...SAMPLE_POSITION, course: degrees(course) })).toEqual({ ...SAMPLE_POSITION, course: null });
});

it.each([
  ['satellites', -1],
  ['hdop', -0.1],
  ['odometer', -5],
  ['fuel', 100.5],
  ['fuel', -1],
] as const)('[R4.03] takes no %s of %d, with a place or without one', (name, value) => {
  const sent = { ...SAMPLE_POSITION, [name]: value };
  expect(possible(sent)).toEqual({ ...SAMPLE_POSITION, [name]: null });
  expect(possible({ ...sent, lat: degrees(91) })).not.toHaveProperty(`attributes.${name}`);
});

it.each([18_204, -1])('takes no speed of %i m/s', speed => {
  const sent = { ...SAMPLE_POSITION, speed: metresPerSecond(speed) };
  expect(possible(sent)).toEqual({ ...SAMPLE_POSITION, speed: null });
});

it('refuses a fix from a clock that was never set and has two-digit years', () => {
  expect(possible({ ...SAMPLE_POSITION, time: epochMs(Date.UTC(2070, 0)) })).toMatchObject({ kind: 'status' });
});

const WRONG = [
  { ...SAMPLE_POSITION, lat: degrees(93.5) },
  { ...SAMPLE_POSITION, lat: degrees(-90.01) },
  { ...SAMPLE_POSITION, lon: degrees(180.5) },
  { ...SAMPLE_POSITION, lon: degrees(-199) },
  { ...SAMPLE_POSITION, time: epochMs(0) },
  { ...SAMPLE_POSITION, time: epochMs(Date.UTC(2000, 0)) },
];

it.each(PROTOCOL_NAMES)('%s gives no impossible position', name => {
  const { stream, tracker, datagram, datagramTracker, http } = protocols[name];
  const imei = '352093081452251';
  for (const position of WRONG) {
    const messages = [
      ...(tracker?.reports(imei, [position], 1) ?? []).flatMap(frame => stream?.decode(frame, SESSION).messages ?? []),
      ...(datagramTracker?.reports(imei, [position], 1) ?? []).flatMap(
        frame => datagram?.decodeDatagram(frame, SESSION.receivedAt).messages ?? [],
      ),
    ];
    if (http) {
      const query = `id=${imei}&lat=${position.lat}&lon=${position.lon}&timestamp=${position.time / 1000}`;
      messages.push(...http.decodeRequest({ method: 'GET', query, contentType: null, body: '' }, SESSION.receivedAt));
    }
    expect(messages.length).toBeGreaterThan(0);
    expect(messages.flatMap(message => (message.kind === 'position' ? [possible(message)] : []))).toEqual(
      messages.filter(message => message.kind === 'position'),
    );
  }
});
