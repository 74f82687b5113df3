import { degrees, epochMs } from '@milepost/units';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { positionMessage } from '../../testing/ingest.ts';
import { storable } from './storable.ts';

const NOW = epochMs(Date.parse('2026-11-20T12:00:00Z'));
const made = (fields: Parameters<typeof positionMessage>[1]) =>
  storable(positionMessage(NOW, fields), 'teltonika', NOW);

it('keeps what a tracker sent as it is', () => {
  const message = positionMessage(NOW, { event: 'sos', rfid: '0A1B2C' });
  const { kind: _, time: fixAt, ...values } = message;
  expect(storable(message, 'teltonika', NOW)).toEqual({ ...values, fixAt, receivedAt: NOW, protocol: 'teltonika' });
});

it('makes what no column holds null, and leaves the rest of the report', () => {
  expect(
    made({ satellites: 70_000, gsm: 99, hdop: Number.NaN, speed: Number.POSITIVE_INFINITY as never }),
  ).toMatchObject({
    satellites: null,
    gsm: null,
    hdop: null,
    speed: null,
    lat: 41.9,
  });
});

it('keeps a place that is no number as an invalid fix', () => {
  expect(made({ lat: degrees(Number.NaN) })).toMatchObject({ lat: 0, lon: 0, valid: false });
});

it('keeps a place that is no place on Earth, to be marked', () => {
  expect(made({ lat: degrees(214.7) })).toMatchObject({ lat: 214.7, valid: true });
});

it('moves a time that no calendar writes to the nearest that one does; without a time there is no row', () => {
  expect(made({ time: epochMs(1e18) })?.fixAt).toBe(Date.parse('9999-12-31T23:59:59Z'));
  expect(made({ time: epochMs(-1e18) })?.fixAt).toBe(Date.parse('0001-01-01T00:00:00Z'));
  expect(made({ time: epochMs(Number.NaN) })).toBeNull();
});

it('takes NUL and lone surrogates out of texts, which the database refuses', () => {
  expect(made({ event: 'so\0s', attributes: { 'na\0me': 'a\ud800b' } })).toMatchObject({
    event: 'sos',
    attributes: { name: 'a\ufffdb' },
  });
});

it('bounds what attributes may hold', () => {
  const many = Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`a${n}`, 'x'.repeat(10_000)]));
  expect(JSON.stringify(made({ attributes: many })?.attributes).length).toBeLessThan(600_000);
});

it('answers a row for whatever a decoder may say, whose numbers are finite', () => {
  const number = fc.oneof(fc.double(), fc.constant(null));
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constant(null));
  const anything = fc.record({
    time: fc.double({ noNaN: true }),
    lat: fc.double(),
    lon: fc.double(),
    speed: number,
    course: number,
    altitude: number,
    odometer: number,
    fuel: number,
    temperature: number,
    hdop: number,
    satellites: number,
    gsm: number,
    event: text,
    rfid: text,
    attributes: fc.dictionary(fc.string(), fc.oneof(fc.double(), fc.string(), fc.boolean())),
  });
  fc.assert(
    fc.property(anything, fields => {
      const row = made(fields as never);
      if (Number.isFinite(fields.time)) expect(row).not.toBeNull();
      else expect(row).toBeNull();
      const numbers = Object.values(row ?? {}).filter(value => typeof value === 'number');
      expect(numbers.filter(value => !Number.isFinite(value))).toEqual([]);
    }),
  );
});

it('keeps seven digits of what goes into a real column, so that it reads back as it was written', () => {
  const numbers = {
    speed: 13.888_888_9,
    course: 359.999,
    altitude: 99_998.765,
    fuel: 64.004,
    temperature: -18.256,
    hdop: 0.914,
  };
  const row = made(numbers as never);
  const columns = [row?.speed, row?.course, row?.altitude, row?.fuel, row?.temperature, row?.hdop] as number[];
  expect(columns).toEqual([13.889, 360, 99_998.77, 64, -18.26, 0.91]);
  for (const value of columns) expect(Number(Math.fround(value).toPrecision(7))).toBe(value);
});
