import { epochMs, metres, metresPerSecond } from '@milepost/units';
import { describe, expect, it } from 'vitest';
import { receivedPosition } from '../../../testing/stored-positions.ts';
import { advance, type VehicleState } from '../../fleet/vehicle-state.ts';
import type { Change } from '../../ingest/change.ts';
import { effectRuleOf } from './effects.ts';
import type { CommandRecord } from './record.ts';

const SENT = Date.parse('2026-03-02T08:00:00Z');

interface Said {
  readonly s: number;
  readonly speed?: number;
  readonly ignition?: boolean;
  readonly odometer?: number;
}

/** What each of these reports shows about a command; in seconds after it was sent. */
function judged(command: Pick<CommandRecord, 'action' | 'params'>, ...reports: Said[]) {
  const record = { ...command, effect: 'awaited', publishedAt: SENT } as CommandRecord;
  let before: VehicleState | null = null;
  return reports.map(({ s, speed = 0, ignition = false, odometer = 0 }) => {
    const at = SENT + s * 1000;
    const fields = { speed: metresPerSecond(speed), ignition, odometer: metres(odometer) };
    const after = advance(before, { receivedAt: epochMs(at), positions: [receivedPosition(at, fields)] }, () => {});
    const change: Change = { vehicle: { id: 1, accountId: 1, imei: '' }, before, after, positions: 1 };
    before = after;
    return effectRuleOf(record)?.judge(record, change) ?? null;
  });
}

describe('[R3.08] the effect of', () => {
  it('trackOnDemand is a fix that is newer than the command', () => {
    expect(judged({ action: 'trackOnDemand', params: {} }, { s: -30 }, { s: 4 })).toEqual([null, 'seen']);
  });

  it('engineStop is an ignition that is still off after a minute, and not a drive', () => {
    const stop = { action: 'engineStop', params: {} } as const;
    expect(judged(stop, { s: -5 }, { s: 10 }, { s: 61 })).toEqual([null, null, 'seen']);
    expect(judged(stop, { s: -5 }, { s: 90, ignition: true })).toEqual([null, null]);
    const drive = judged(stop, { s: -5 }, { s: 30, speed: 9, ignition: true }, { s: 60, speed: 9, ignition: true });
    expect(drive.at(-1)).toBe('not-seen');
  });

  it('engineResume is an ignition that is on', () => {
    expect(judged({ action: 'engineResume', params: {} }, { s: 5 }, { s: 50, ignition: true })).toEqual([null, 'seen']);
  });

  it('setGprsInterval is two fixes that are so far apart, both after the command', () => {
    const interval = { action: 'setGprsInterval', params: { seconds: 60 } } as const;
    expect(judged(interval, { s: -30 }, { s: 30 }, { s: 40 }, { s: 102 })).toEqual([null, null, null, 'seen']);
  });

  it('setOdometer is an odometer that is about there', () => {
    const odometer = { action: 'setOdometer', params: { metres: 100_000 } } as const;
    expect(judged(odometer, { s: 5, odometer: 4_000_000 }, { s: 9, odometer: 100_400 })).toEqual([null, 'seen']);
  });

  it('what no report can show is awaited by nobody', () => {
    expect(judged({ action: 'deviceReboot', params: {} }, { s: 5 })).toEqual([null]);
  });
});
