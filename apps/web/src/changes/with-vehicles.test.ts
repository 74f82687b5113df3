import { describe, expect, it } from 'vitest';
import type { InsideNow } from '../geofences/use-inside.ts';
import { withVehicles } from './with-vehicles.ts';

const at = (minute: number) => `2026-11-20T08:${String(minute).padStart(2, '0')}:00.000Z`;
const inside = (deviceId: string, geofenceId: string, minute: number) => ({
  ...{ deviceId, geofenceId, since: at(minute), isAtLeast: false, confidence: 1 },
});
const last = (deviceId: string, geofenceId: string, minute: number, kind: 'enter' | 'exit' = 'enter') => ({
  ...{ deviceId, geofenceId, at: at(minute), kind },
});
const KNOWN: InsideNow = {
  inside: [inside('1', 'a', 1), inside('2', 'a', 5), inside('2', 'b', 6)],
  last: [last('2', 'a', 5), last('2', 'b', 6), last('3', 'c', 2, 'exit')],
  ...{ counting: 2, vehicles: 3 },
};

describe('who is inside which geofence, vehicle by vehicle', () => {
  it('[R7.37] takes what is new of a vehicle, and leaves the others as they are', () => {
    const news: InsideNow = {
      inside: [inside('2', 'b', 6), inside('2', 'c', 8)],
      last: [last('2', 'a', 7, 'exit'), last('2', 'b', 6), last('2', 'c', 8)],
      ...{ counting: 0, vehicles: 3 },
    };
    expect(withVehicles(KNOWN, news, new Set(['2']))).toEqual({
      inside: [inside('1', 'a', 1), inside('2', 'b', 6), inside('2', 'c', 8)],
      last: [last('2', 'a', 7, 'exit'), last('2', 'b', 6), last('2', 'c', 8)],
      ...{ counting: 0, vehicles: 3 },
    });
  });

  it('reads all of it again if it can’t tell who crossed last', () => {
    const gone: InsideNow = { inside: [], last: [last('2', 'a', 5)], counting: 0, vehicles: 3 };
    expect(withVehicles(KNOWN, gone, new Set(['2']))).toBeNull();
    const away: InsideNow = { inside: [], last: [], counting: 0, vehicles: 2 };
    expect(withVehicles(KNOWN, away, new Set(['1']))?.inside).toEqual([inside('2', 'a', 5), inside('2', 'b', 6)]);
  });
});
