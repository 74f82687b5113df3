import { epochMs } from '@milepost/units';
import { describe, expect, it } from 'vitest';
import { atRest } from './at-rest.ts';
import { evaluate } from './evaluate.ts';
import { readDutyLog } from './read-duty-log.ts';
import { ruleSets } from './rule-sets.ts';

const HOUR = 3_600_000;
const NOW = Date.parse('2026-11-20T12:00:00Z');
const HOME = { timezone: 'America/Chicago' };

function judged(declarations: readonly { exception: string; start: number; end?: number }[], now = NOW) {
  const read = readDutyLog(atRest({ ...HOME, declarations }, now));
  if (!read.ok) throw new Error(JSON.stringify(read.errors));
  return evaluate(read.value, ruleSets.US_PROPERTY_70_8, epochMs(now));
}

describe('a log without a status', () => {
  it('has full clocks', () => {
    const { clocks, exempt } = judged([]);
    expect([clocks.drive.remaining, clocks.window.remaining, exempt]).toEqual([11 * HOUR, 14 * HOUR, null]);
  });

  it('knows what was declared in it, until it ends', () => {
    const declared = { exception: 'agriculture', start: NOW - 2 * HOUR };
    expect(judged([declared]).exempt).toBe('agriculture');
    expect(judged([{ ...declared, end: NOW - HOUR }]).exempt).toBeNull();
  });

  it('makes a valid log of any declaration, however old', () => {
    const old = { exception: 'agriculture', start: Date.parse('1991-01-01T00:00:00Z') };
    expect(judged([old]).clocks.drive.remaining).toBe(11 * HOUR);
    expect(judged([{ exception: 'agriculture', start: NOW + HOUR }]).exempt).toBeNull();
  });
});
