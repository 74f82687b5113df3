import { epochMs, metresPerSecond } from '@milepost/units';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { advanceMotion, type MotionState } from './motion.ts';
import { speedShown } from './speed-shown.ts';
import { VEHICLE_STATUSES, vehicleStatus } from './status.ts';
import { driveArbitrary } from './testing/drive.ts';
import { DEFAULT_THRESHOLDS, isMovingSpeed } from './thresholds.ts';

describe('the speed beside a status', () => {
  it.each([
    ['moving', 30, 'now'],
    ['moving', 0, 'halted'],
    ['idling', 0, 'now'],
    ['idling', 21, 'starting'],
    ['stopped', 20, 'starting'],
    ['outdated', 64, 'was'],
    ['no-gps', 64, 'was'],
    ['offline', 0, 'was'],
  ] as const)('%s at %i km/h is %s', (status, kmh, tense) => {
    expect(speedShown({ status }, metresPerSecond(kmh / 3.6), 5000)?.tense).toBe(tense);
  });

  it('does not stay “starting” after a fast report that nothing followed', () => {
    expect(speedShown({ status: 'stopped' }, metresPerSecond(6), 3_600_000)?.tense).toBe('was');
  });

  it('is not shown in private mode, before the first report, or where the tracker sends none', () => {
    expect(speedShown({ status: 'private' }, metresPerSecond(20), 0)).toBeNull();
    expect(speedShown({ status: 'no-data' }, metresPerSecond(20), 0)).toBeNull();
    for (const status of VEHICLE_STATUSES) expect(speedShown({ status }, null, 0)).toBeNull();
  });

  it('never contradicts the status, at any moment of any drive', () => {
    fc.assert(
      fc.property(driveArbitrary, fc.nat(48 * 3600), (drive, laterS) => {
        let state: MotionState | null = null;
        for (const fix of drive) {
          state = advanceMotion(state, fix);
          const now = epochMs(fix.time + laterS * 1000);
          const status = vehicleStatus({ ...state, heardAt: fix.time }, now);
          const shown = speedShown(status, fix.speed, now - fix.time);
          if (shown?.tense !== 'now') continue;
          expect(status.status === 'moving').toBe(isMovingSpeed(shown.speed, DEFAULT_THRESHOLDS));
        }
      }),
    );
  });
});
