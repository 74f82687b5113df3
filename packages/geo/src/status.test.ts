import { epochMs, seconds } from '@milepost/units';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type LiveVehicle, VEHICLE_STATUSES, vehicleStatus } from './status.ts';
import { DEFAULT_THRESHOLDS } from './thresholds.ts';

const NOW = epochMs(Date.UTC(2026, 10, 21, 14, 2, 11));
const ago = (s: number) => epochMs(NOW - s * 1000);
const MINUTE = 60;
const HOUR = 3600;

const live = (over: Partial<LiveVehicle> = {}): LiveVehicle => ({
  motion: 'moving',
  since: ago(900),
  fixAt: ago(3),
  heardAt: ago(2),
  gpsValid: true,
  interval: seconds(10),
  ...over,
});

describe('vehicle status', () => {
  it('is the motion while reports are fresh, since that motion began', () => {
    for (const motion of ['moving', 'idling', 'stopped'] as const) {
      const { status, sinceMs, reason } = vehicleStatus(live({ motion }), NOW);
      expect({ status, sinceMs, rule: reason.rule }).toEqual({ status: motion, sinceMs: ago(900), rule: motion });
    }
  });

  it('is private before anything else', () => {
    expect(vehicleStatus(live({ private: true, heardAt: null }), NOW)).toMatchObject({
      status: 'private',
      sinceMs: null,
    });
  });

  it('is no-data until a fix has come, whatever other messages came', () => {
    const { status } = vehicleStatus(live({ motion: null, since: null, fixAt: null, gpsValid: false }), NOW);
    expect(status).toBe('no-data');
  });

  it('is offline after more than 24 hours without a message', () => {
    expect(vehicleStatus(live({ motion: 'stopped', heardAt: ago(24 * HOUR) }), NOW).status).toBe('stopped');
    expect(vehicleStatus(live({ motion: 'stopped', heardAt: ago(24 * HOUR + 1) }), NOW)).toMatchObject({
      status: 'offline',
      sinceMs: ago(24 * HOUR + 1),
      reason: { rule: 'offline', silentMs: (24 * HOUR + 1) * 1000, limitMs: 24 * HOUR * 1000 },
    });
  });

  it('is outdated after ten minutes of silence while moving or idling, never while stopped', () => {
    const quiet = (motion: LiveVehicle['motion'], s: number) =>
      vehicleStatus(live({ motion, fixAt: ago(s), heardAt: ago(s) }), NOW);
    expect(quiet('moving', 10 * MINUTE).status).toBe('moving');
    expect(quiet('idling', 10 * MINUTE + 1).status).toBe('outdated');
    expect(quiet('stopped', 23 * HOUR).status).toBe('stopped');
    expect(quiet('moving', 10 * MINUTE + 1)).toMatchObject({
      status: 'outdated',
      sinceMs: ago(10 * MINUTE + 1),
      reason: { rule: 'outdated', lastMotion: 'moving', ageMs: 601_000, limitMs: 600_000 },
    });
  });

  it('is outdated only after four intervals where the tracker reports rarely', () => {
    const rare = (s: number) =>
      vehicleStatus(live({ interval: seconds(5 * MINUTE), fixAt: ago(s), heardAt: ago(s) }), NOW);
    expect(rare(20 * MINUTE).status).toBe('moving');
    expect(rare(20 * MINUTE + 1).status).toBe('outdated');
  });

  it('is outdated when the tracker sends messages but its newest fix is old', () => {
    expect(vehicleStatus(live({ fixAt: ago(3 * HOUR) }), NOW)).toMatchObject({
      status: 'outdated',
      sinceMs: ago(3 * HOUR),
    });
  });

  it('is no-gps while messages are fresh but the fix is unreliable', () => {
    expect(vehicleStatus(live({ gpsValid: false }), NOW).status).toBe('no-gps');
    expect(vehicleStatus(live({ gpsValid: false, motion: null, since: null }), NOW).status).toBe('no-gps');
    expect(vehicleStatus(live({ gpsValid: false, heardAt: ago(601) }), NOW).status).toBe('outdated');
  });

  it('follows custom thresholds', () => {
    const strict = { ...DEFAULT_THRESHOLDS, outdatedAfterMs: 1000, outdatedIntervals: 0 };
    expect(vehicleStatus(live(), NOW, strict).status).toBe('outdated');
  });

  it('of a vehicle that stops reporting only goes from motion to outdated to offline', () => {
    const order = ['moving', 'idling', 'stopped', 'no-gps', 'outdated', 'offline'];
    fc.assert(
      fc.property(
        fc.constantFrom('moving' as const, 'idling' as const, 'stopped' as const),
        fc.boolean(),
        fc.option(fc.integer({ min: 1, max: 30_000 })),
        fc.array(fc.integer({ min: 0, max: 200_000 }), { minLength: 2, maxLength: 8 }),
        (motion, gpsValid, interval, later) => {
          const vehicle = live({ motion, gpsValid, interval: interval === null ? null : seconds(interval) });
          const ranks = later
            .sort((a, b) => a - b)
            .map(s => vehicleStatus(vehicle, epochMs(NOW + s * 1000)).status)
            .map(status => order.indexOf(status));
          expect(ranks).toEqual([...ranks].sort((a, b) => a - b));
          expect(ranks.every(rank => rank >= 0)).toBe(true);
        },
      ),
    );
  });

  it('has the eight statuses of the legend', () => {
    expect(new Set(VEHICLE_STATUSES).size).toBe(8);
  });
});
