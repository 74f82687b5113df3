import type { DayFiguresAnswer } from '@milepost/contract';
import type { DayFigures } from '@milepost/geo';
import type { Selectable } from 'kysely';
import type { Database } from '../../../db/schema.ts';
import type { Calendar } from './calendar.ts';

/** Figures of a vehicle's day; SI units. */
export interface DayTotals extends DayFiguresAnswer {
  /** Seconds of driving by hour of the local clock; null if it never moved. */
  readonly hours: readonly number[] | null;
}

export function totalsOf(figures: DayFigures, calendar: Calendar): DayTotals {
  const hours: number[] = Array.from({ length: 24 }, () => 0);
  let firstMove: number | null = null;
  let lastStop: number | null = null;
  let underWay = false;
  for (const { kind, from, to } of figures.segments) {
    if (kind === 'moving') {
      calendar.addHours(hours, from, to);
      firstMove ??= from;
      underWay = true;
    } else if (kind === 'stopped' && underWay) {
      lastStop = from;
      underWay = false;
    }
  }
  return {
    distanceM: figures.distance,
    movingS: figures.moving,
    idlingS: figures.idling,
    stoppedS: figures.stopped,
    gapS: figures.gap,
    stops: figures.stops,
    maxSpeedMps: figures.maxSpeed,
    firstMoveAt: iso(firstMove),
    lastStopAt: iso(lastStop),
    fixes: figures.fixes,
    leftOut: figures.leftOut,
    hours: firstMove === null ? null : hours,
  };
}

/** The figures of a vehicle without data for this long. */
export const nothingKnown = (ms: number): DayTotals => ({
  distanceM: 0,
  movingS: 0,
  idlingS: 0,
  stoppedS: 0,
  gapS: Math.max(0, ms) / 1000,
  stops: 0,
  maxSpeedMps: null,
  firstMoveAt: null,
  lastStopAt: null,
  fixes: 0,
  leftOut: 0,
  hours: null,
});

export const toColumns = (totals: DayTotals) => ({
  distance: totals.distanceM,
  moving: totals.movingS,
  idling: totals.idlingS,
  stopped: totals.stoppedS,
  gap: totals.gapS,
  stops: totals.stops,
  max_speed: totals.maxSpeedMps,
  first_move_at: toDate(totals.firstMoveAt),
  last_stop_at: toDate(totals.lastStopAt),
  fixes: totals.fixes,
  left_out: totals.leftOut,
  hours: totals.hours?.map(Math.round) ?? null,
});

export const fromColumns = (row: Selectable<Database['vehicle_day']>): DayTotals => ({
  distanceM: row.distance,
  movingS: row.moving,
  idlingS: row.idling,
  stoppedS: row.stopped,
  gapS: row.gap,
  stops: row.stops,
  maxSpeedMps: row.max_speed,
  firstMoveAt: row.first_move_at?.toISOString() ?? null,
  lastStopAt: row.last_stop_at?.toISOString() ?? null,
  fixes: row.fixes,
  leftOut: row.left_out,
  hours: row.hours,
});

const iso = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

const toDate = (text: string | null): Date | null => (text === null ? null : new Date(text));
