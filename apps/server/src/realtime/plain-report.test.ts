import { trackerPositionReportSchema } from '@milepost/contract';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isPlainReport } from './plain-report.ts';

const WHOLE: Record<string, unknown> = {
  action: 'positionReport',
  lat: 41.9,
  lon: -87.68,
  reportDate: '2026-11-20',
  reportTime: '12:30:05',
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
/** Values at the edges of what some field takes. */
const VALUES = [
  undefined,
  null,
  true,
  '',
  'A',
  'V',
  'positionReport',
  '2026-11-20',
  '2026-11-20\n',
  '12:30:05',
  '1:30:05',
  ' 12:30:05',
  '٢٠٢٦-١١-٢٠',
  0,
  -0,
  1,
  -1,
  0.5,
  31,
  32,
  2 ** 53 - 1,
  2 ** 53,
  1e300,
  Number.POSITIVE_INFINITY,
  Number.NaN,
  [],
  [1],
  {},
];

const agrees = (report: object): void =>
  expect(isPlainReport(report)).toBe(trackerPositionReportSchema.safeParse(report).success);

it('knows every field that the contract takes', () => {
  expect(Object.keys(WHOLE).sort()).toEqual(Object.keys(trackerPositionReportSchema.shape).sort());
  agrees(WHOLE);
});

it('agrees with the contract on every value of every field', () => {
  for (const field of Object.keys(WHOLE)) {
    for (const value of VALUES) agrees({ ...WHOLE, [field]: value });
    agrees(Object.fromEntries(Object.entries(WHOLE).filter(([name]) => name !== field)));
  }
});

it('agrees with the contract whatever several fields hold', () => {
  const value = fc.oneof(fc.constantFrom(...VALUES), fc.double(), fc.integer(), fc.string(), fc.jsonValue());
  const changes = fc.dictionary(fc.oneof(fc.constantFrom(...Object.keys(WHOLE)), fc.string()), value, { maxKeys: 4 });
  const kept = fc.subarray(Object.keys(WHOLE));
  fc.assert(
    fc.property(fc.oneof(fc.constant(Object.keys(WHOLE)), kept), changes, (names, changed) => {
      agrees({ ...Object.fromEntries(names.map(name => [name, WHOLE[name]])), ...changed });
    }),
    { numRuns: 3000 },
  );
});
