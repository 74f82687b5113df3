import { epochMs } from '@milepost/units';
import { describe, expect, it, vi } from 'vitest';
import { evaluate } from './evaluate.ts';
import { readDutyLog } from './read-duty-log.ts';
import { RULE_SET_IDS } from './rule-set-id.ts';
import { ruleSets } from './rule-sets.ts';
import { randomLog, randomNumbers } from './testing/random-logs.ts';
import { Tracker } from './track.ts';

// A generous timeout: these tests are slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const begun = (raw: object) => {
  const read = readDutyLog(raw);
  if (!read.ok) throw new Error(JSON.stringify(read.errors));
  return read.value;
};

describe('following a log as it grows', () => {
  it('gives the result of a full evaluation at every step', () => {
    const random = randomNumbers(5);
    for (let seed = 0; seed < 150; seed++) {
      const { log, raw } = randomLog(seed);
      const ruleSet = ruleSets[RULE_SET_IDS[seed % RULE_SET_IDS.length] ?? 'US_PROPERTY_70_8'];
      const [first, ...rest] = log.segments;
      if (!first) throw new Error('a log has a segment');
      const tracker = new Tracker(begun({ ...raw, segments: [first] }), ruleSet);
      for (const [index, segment] of rest.entries()) {
        expect(tracker.append({ ...segment, end: random() < 0.5 ? segment.start : segment.end })).toBeNull();
        if (random() < 0.8) continue;
        const soFar = begun({ ...raw, segments: log.segments.slice(0, index + 2) });
        const now = epochMs(segment.start + Math.floor(random() * 20 * 60) * 60_000);
        expect(tracker.evaluate(now)).toEqual(evaluate(soFar, ruleSet, now));
      }
    }
  });

  it('evaluates past instants, too', () => {
    const { log } = randomLog(11);
    const tracker = new Tracker(log, ruleSets.US_PROPERTY_70_8);
    const middle = log.segments[Math.floor(log.segments.length / 2)]?.start ?? epochMs(0);
    expect(tracker.evaluate(middle)).toEqual(evaluate(log, ruleSets.US_PROPERTY_70_8, middle));
  });

  it('refuses what overlaps or ends before it begins, and stays unchanged', () => {
    const { log } = randomLog(3);
    const tracker = new Tracker(log, ruleSets.US_PROPERTY_70_8);
    const end = log.segments.at(-1)?.end ?? epochMs(0);
    expect(tracker.append({ status: 'ON', start: epochMs(end - 1), end: epochMs(end + 1) })).toBe('overlap');
    expect(tracker.append({ status: 'ON', start: end, end: epochMs(end - 1) })).toBe('empty-segment');
    expect(tracker.log).toEqual(log);
  });
});
