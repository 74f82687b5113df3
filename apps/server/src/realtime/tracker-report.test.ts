import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readTrackerMessage } from './tracker-report.ts';

const MINIMAL = { action: 'positionReport', lat: 41.9, lon: -87.68, reportDate: '2026-11-20', reportTime: '12:30:05' };
const read = (value: unknown) => readTrackerMessage(Buffer.from(JSON.stringify(value)));

it('turns the units of the wire into SI', () => {
  const report = {
    ...MINIMAL,
    speed: 36,
    mileage: 184_233.456,
    fuelGage: 64,
    temp: -18.5,
    gpsStatus: 'A',
    gsmStatus: 21,
    ignitionStatus: 1,
    eventType: 'sos',
    rfid: '0A1B',
    course: 90,
    altitude: 180,
    hdop: 0.9,
    satellites: 11,
  };
  expect(read(report)).toEqual({
    kind: 'position',
    position: {
      kind: 'position',
      time: Date.parse('2026-11-20T12:30:05Z'),
      valid: true,
      lat: 41.9,
      lon: -87.68,
      speed: 10,
      odometer: 184_233_456,
      fuel: 64,
      temperature: -18.5,
      gsm: 21,
      ignition: true,
      event: 'sos',
      rfid: '0A1B',
      course: 90,
      altitude: 180,
      hdop: 0.9,
      satellites: 11,
      attributes: {},
    },
  });
});

it('makes nothing up: what is not sent is null', () => {
  expect(read(MINIMAL)).toMatchObject({
    position: { speed: null, ignition: null, odometer: null, fuel: null, gsm: null },
  });
  expect(read({ ...MINIMAL, gpsStatus: 'V', ignitionStatus: 0 })).toMatchObject({
    position: { valid: false, ignition: false },
  });
});

it.each([
  ['a signal that is off the scale', { gsmStatus: 99 }],
  ['a course as text', { course: 'north' }],
  ['an odometer as text', { mileage: 'many' }],
  ['an ignition of another kind', { ignitionStatus: 'on', temp: 'warm' }],
])('keeps the place beside %s', (_, wrong) => {
  expect(read({ ...MINIMAL, ...wrong, satellites: 9 })).toMatchObject({
    kind: 'position',
    position: { kind: 'position', lat: 41.9, lon: -87.68, gsm: null, course: null, odometer: null, satellites: 9 },
  });
});

it('a place under a clock that was never set is a status', () => {
  expect(read({ ...MINIMAL, reportDate: '1980-01-06' })).toMatchObject({
    position: { kind: 'status', time: null, attributes: { noFix: 'time' } },
  });
});

it('[R7.33] ignores positionPacket', () => {
  expect(read({ action: 'positionPacket', lat: 1 })).toEqual({ kind: 'ignored', action: 'positionPacket' });
});

it.each([
  ['trackOnDemandConfirmed', 'trackOnDemand', false],
  ['setGprsIntervalConfirmed', 'setGprsInterval', false],
  ['setAuthPhoneConfimed', 'setAuthPhone', false],
  ['setAuthPhoneConfirmed', 'setAuthPhone', false],
  ['engineStopRefused', 'engineStop', true],
])('[R7.33] takes %s for an answer to its command', (action, command, refused) => {
  const reply = { action: command, refused, reference: null, text: '' };
  expect(read({ action })).toEqual({ kind: 'reply', reply });
});

it('[R7.33] reads the number of a command and what its answer says', () => {
  const about = (rest: object) => read({ action: 'getStatusConfirmed', ...rest });
  expect(about({ id: 7, answer: 'all well' })).toMatchObject({ reply: { reference: 7, text: 'all well' } });
  expect(about({ id: '7', battery: 12.6 })).toMatchObject({ reply: { reference: null, text: '{"battery":12.6}' } });
  expect(about({ answer: { battery: 12.6 } })).toMatchObject({ reply: { text: '{"battery":12.6}' } });
  expect(about({ answer: 'x'.repeat(9000) })).toMatchObject({ reply: { text: 'x'.repeat(2000) } });
});

it.each([
  ['another action', { ...MINIMAL, action: 'format' }],
  ['an answer to what nobody asks', { action: 'formatConfirmed' }],
  ['no place', { ...MINIMAL, lat: undefined }],
  ['a place that is text', { ...MINIMAL, lat: '41.9' }],
  ['no day of the calendar', { ...MINIMAL, reportDate: '2026-02-30' }],
  ['no hour of a day', { ...MINIMAL, reportTime: '24:10:00' }],
  ['a date that is written otherwise', { ...MINIMAL, reportDate: '20.11.2026' }],
  ['a list', [MINIMAL]],
  ['null', null],
])('refuses %s, and says why', (_, value) => {
  expect(read(value)).toEqual({ kind: 'invalid', reason: expect.any(String) });
});

it('[I3] answers for any bytes', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.uint8Array({ maxLength: 300 }),
        fc.json().map(text => Buffer.from(text)),
      ),
      bytes => {
        expect(readTrackerMessage(Buffer.from(bytes)).kind).toBe('invalid');
      },
    ),
  );
  expect(readTrackerMessage(Buffer.alloc(20_000, '['))).toMatchObject({ kind: 'invalid' });
  expect(readTrackerMessage(Buffer.from('['.repeat(16_000)))).toMatchObject({ kind: 'invalid' });
});
