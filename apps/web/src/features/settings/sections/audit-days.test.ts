import { afterEach, describe, expect, it } from 'vitest';
import { setFormatTimeZone } from '../../../format/locale.ts';
import { daysAsked } from './audit-days.ts';

describe('the days of a change log', () => {
  afterEach(() => setFormatTimeZone(undefined));

  it('begin and end with the midnights of the reader’s zone, whatever zone the machine is in', () => {
    setFormatTimeZone('Pacific/Auckland');
    expect(daysAsked('2026-11-19', '2026-11-20')).toEqual({
      from: '2026-11-18T11:00:00.000Z',
      to: '2026-11-20T11:00:00.000Z',
    });
    setFormatTimeZone('America/Chicago');
    expect(daysAsked('2026-11-19', '')).toEqual({ from: '2026-11-19T06:00:00.000Z' });
  });

  it('hold the whole of a day on which the clocks change', () => {
    setFormatTimeZone('America/Chicago');
    expect(daysAsked('2026-11-01', '2026-11-01')).toEqual({
      from: '2026-11-01T05:00:00.000Z',
      to: '2026-11-02T06:00:00.000Z',
    });
    expect(daysAsked('2026-03-08', '2026-03-08')).toEqual({
      from: '2026-03-08T06:00:00.000Z',
      to: '2026-03-09T05:00:00.000Z',
    });
  });

  it('leave out what is no day', () => {
    expect(daysAsked('', '120266-11-19')).toEqual({});
    expect(daysAsked('2026-02-', '9999-12-31')).toEqual({});
  });

  it('take a year that is still being typed', () => {
    setFormatTimeZone('America/Chicago');
    expect(daysAsked('0002-11-19', '').from).toMatch(/^0002-11-19T0[56]/);
  });
});
