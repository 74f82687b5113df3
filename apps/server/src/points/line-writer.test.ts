import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CSV_FORMAT, cellBytes, LineWriter } from './line-writer.ts';

const written = (write: (line: LineWriter) => void): string => {
  const line = new LineWriter(new Uint8Array(16));
  write(line);
  return Buffer.from(line.finish()).toString();
};

it('a figure is written as a rounded number is, whatever it is', () => {
  const number = fc.oneof(
    fc.double(),
    fc.double({ min: -200, max: 200 }),
    fc.double({ min: 0, max: 1e9 }),
    fc.constantFrom(0, -0, 1e15, 1e-7, -1e-7, 0.05, 179.9999999, 1e21, 123_456_789.000_001),
  );
  fc.assert(
    fc.property(number, fc.constantFrom(1 as const, 3 as const, 6 as const), (value, digits) => {
      const steps = 10 ** digits;
      expect(written(line => line.figure(value, digits))).toBe(String(Math.round(value * steps) / steps));
    }),
    { numRuns: 3000 },
  );
});

it('a text is written as csv-stringify writes it, and no cell is a formula', () => {
  const text = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'=+-@",\r\n\t a1é') }));
  fc.assert(
    fc.property(text, other => {
      if (other === '') return;
      expect(`${cellBytes(other)}\r\n`).toBe(stringify([[other]], CSV_FORMAT));
    }),
    { numRuns: 1000 },
  );
  expect(String(cellBytes('=1+1'))).toBe("'=1+1");
  expect(String(cellBytes(''))).toBe('');
});

it('a cell longer than the writer has room for is written whole, and what follows it as well', () => {
  const long = Buffer.alloc(700_000, 'x');
  const text = written(line => {
    for (let i = 0; i < 3; i++) {
      line.cell(long);
      line.comma();
      line.figure(-12.5, 6);
      line.endLine();
    }
  });
  expect(text).toBe(`${long},-12.5\r\n`.repeat(3));
});

it('what is larger than the room goes on in memory of its own, and what fits stays in the room', () => {
  const small = new LineWriter(new Uint8Array(10));
  const roomy = new LineWriter(new Uint8Array(10_000));
  for (const line of [small, roomy]) {
    line.cell(Buffer.from('Truck 1'));
    line.comma();
    line.figure(41.5, 6);
  }
  expect([small.isInRoom, roomy.isInRoom]).toEqual([false, true]);
  for (const line of [small, roomy]) expect(Buffer.from(line.finish()).toString()).toBe('Truck 1,41.5');
});
