import { describe, expect, it } from 'vitest';
import {
  celsius,
  fromFahrenheit,
  fromHours,
  fromKilometres,
  fromKilometresPerHour,
  fromKnots,
  fromMiles,
  fromMilesPerHour,
  fromMinutes,
  metres,
  metresPerSecond,
  toFahrenheit,
  toHours,
  toKilometres,
  toKilometresPerHour,
  toKnots,
  toMiles,
  toMilesPerHour,
  toMinutes,
} from './index.ts';

describe('conversions', () => {
  it('match the defined values', () => {
    expect(fromKilometresPerHour(36)).toBe(10);
    expect(fromKnots(1)).toBeCloseTo(0.514444, 6);
    expect(fromMiles(1)).toBe(1609.344);
    expect(toFahrenheit(celsius(-40))).toBe(-40);
    expect(fromFahrenheit(212)).toBe(100);
    expect(fromHours(11)).toBe(39_600_000);
    expect(fromMinutes(30)).toBe(fromHours(0.5));
  });

  it('convert back to the same value', () => {
    for (const value of [-12.5, 0, 0.1, 7, 123.456, 9999]) {
      expect(toKilometres(fromKilometres(value))).toBeCloseTo(value, 9);
      expect(fromMiles(toMiles(metres(value)))).toBeCloseTo(value, 9);
      expect(toKilometresPerHour(fromKilometresPerHour(value))).toBeCloseTo(value, 9);
      expect(fromMilesPerHour(toMilesPerHour(metresPerSecond(value)))).toBeCloseTo(value, 9);
      expect(toKnots(fromKnots(value))).toBeCloseTo(value, 9);
      expect(toMinutes(fromMinutes(value))).toBeCloseTo(value, 9);
      expect(toHours(fromHours(value))).toBeCloseTo(value, 9);
      expect(toFahrenheit(fromFahrenheit(value))).toBeCloseTo(value, 9);
    }
  });
});
