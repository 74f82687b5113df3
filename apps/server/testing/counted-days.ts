import type { LegPart } from '@milepost/geo';
import { expect } from 'vitest';
import type { Context } from '../src/context.ts';
import { dayOf } from '../src/modules/history/day.ts';
import type { DailyFigures } from '../src/modules/history/days/daily-figures.ts';
import { partsKept, partsSeen } from '../src/modules/history/trips/trips.ts';
import type { TestVehicle } from './ingest.ts';

const CATCH_UP_TIMEOUT_MS = 35_000;

/** A day of which nothing is known may be kept as a gap, or not at all. */
const knownOf = (parts: readonly LegPart[]): readonly LegPart[] =>
  parts.every(({ fixes, kind, millimetres }) => kind === 'gap' && millimetres === 0 && fixes === 0) ? [] : parts;

const sumsOf = (parts: readonly LegPart[]) => {
  const sum = (of: (part: LegPart) => number): number => parts.reduce((total, part) => total + of(part), 0);
  const speeds = parts.flatMap(({ maxSpeed }) => maxSpeed ?? []);
  return {
    distanceM: sum(({ millimetres }) => millimetres) / 1000,
    movingS: sum(({ movingMs }) => movingMs) / 1000,
    idlingS: sum(({ idlingMs }) => idlingMs) / 1000,
    stoppedS: sum(({ stoppedMs }) => stoppedMs) / 1000,
    fixes: sum(({ fixes }) => fixes),
    maxSpeedMps: speeds.length === 0 ? null : Math.max(...speeds),
  };
};

/** Every day of the last weeks, with its trips, as it is kept and as the route of a day counts it. */
export async function expectAllCounted(
  { db }: Pick<Context, 'db'>,
  figures: DailyFigures,
  { id, accountId }: TestVehicle,
  days = 12,
): Promise<void> {
  await figures.manager.catchUp(accountId, [id], CATCH_UP_TIMEOUT_MS);
  const calendar = figures.calendar(accountId);
  const nowMs = Date.now();
  expect(figures.manager.isBehind(id, nowMs)).toBe(false);
  const today = calendar.dayOf(nowMs);
  await db.asAccount(accountId, async trx => {
    for (let day = today - days; day <= today; day++) {
      const kept = (await figures.ofDay(trx, [{ id, accountId }], day, nowMs)).get(id);
      const stretch = { fromMs: calendar.startOf(day), toMs: calendar.startOf(day + 1), isSeen: () => true };
      const { segments, ...counted } = await dayOf(trx, id, stretch, nowMs);
      expect([calendar.dateOf(day), kept]).toEqual([calendar.dateOf(day), expect.objectContaining(counted)]);
      const seconds = (kind: string): number =>
        segments.reduce((sum, { kind: k, from, to }) => sum + (k === kind ? Date.parse(to) - Date.parse(from) : 0), 0) /
        1000;
      expect(kept?.gapS).toBeCloseTo(seconds('gap'), 6);
      const byHour = (kept?.hours ?? []).reduce((sum, value) => sum + value, 0);
      expect(Math.abs(byHour - seconds('moving'))).toBeLessThan(24);
      const keptParts = knownOf(await partsKept(trx, figures, { id, accountId }, calendar, nowMs).partsOn(day, day));
      const countedParts = knownOf(await partsSeen(trx, id, calendar, nowMs, () => true).partsOn(day, day));
      expect([calendar.dateOf(day), keptParts]).toEqual([calendar.dateOf(day), countedParts]);
      expect([calendar.dateOf(day), sumsOf(keptParts)]).toEqual([
        calendar.dateOf(day),
        {
          distanceM: counted.distanceM,
          movingS: counted.movingS,
          idlingS: counted.idlingS,
          stoppedS: counted.stoppedS,
          fixes: counted.fixes,
          maxSpeedMps: counted.maxSpeedMps,
        },
      ]);
    }
  });
}
