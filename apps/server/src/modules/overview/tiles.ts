import {
  addSums,
  fleetFigure,
  type MeasuredSums,
  NO_SUMS,
  OVERVIEW_TILES,
  type Overview,
  type OverviewTile,
  type Settings,
} from '@milepost/contract';
import { daysOf, lengthOf, type Period, previousOf } from './period.ts';

type Tile = Overview['tiles'][number];

/** A day's figures, with the totals that they are shares of. */
export type MeasuredDay = MeasuredSums;

export interface Measured {
  readonly period: Period;
  readonly today: number;
  /** Null for future days and for days before the first data. */
  readonly dayOf: (day: number) => MeasuredDay | null;
  /** The first day on which alerts were watched for. */
  readonly watchedSince: number;
  readonly settings: Settings;
  /** False for part of the fleet, to which the fleet's target does not apply. */
  readonly isWhole: boolean;
}

interface Rule {
  /** How two periods are compared: sums and means by the figure for a finished day, others by their difference. */
  readonly compare: 'sum' | 'mean' | 'difference';
  readonly target?: (settings: Settings, days: number) => number | null;
}

const percent = (value: number | null): number | null => (value === null ? null : value / 100);

/** How each figure is compared; `fleetFigure` defines the figures. */
const RULES: Readonly<Record<OverviewTile, Rule>> = {
  distance: {
    compare: 'sum',
    target: ({ targetDistanceKmPerWeek: km }, days) => (km === null ? null : (km * 1000 * days) / 7),
  },
  utilisation: { compare: 'difference', target: settings => percent(settings.targetUtilisationPercent) },
  inUse: { compare: 'mean' },
  driving: { compare: 'sum' },
  idleShare: { compare: 'difference', target: settings => percent(settings.targetIdlePercent) },
  stops: { compare: 'sum' },
  topSpeed: { compare: 'difference' },
  known: { compare: 'difference', target: settings => percent(settings.targetKnownPercent) },
  leftOut: { compare: 'difference' },
  alerts: { compare: 'sum' },
};

const NO_DAYS: MeasuredSums = { ...NO_SUMS, days: 0, vehicleDays: 0, vehicleSeconds: 0 };

/** A figure's value over these days; null if there is no data. */
const figureOf = (key: OverviewTile, days: readonly MeasuredDay[]): number | null =>
  fleetFigure(
    key,
    days.reduce(
      (all, day) => ({
        ...addSums(all, day),
        days: all.days + day.days,
        vehicleDays: all.vehicleDays + day.vehicleDays,
        vehicleSeconds: all.vehicleSeconds + day.vehicleSeconds,
      }),
      NO_DAYS,
    ),
  );

export function tilesOf({ watchedSince, settings, isWhole, ...days }: Measured): Tile[] {
  return OVERVIEW_TILES.flatMap(key => {
    const { compare, target } = RULES[key];
    const tile = tileOf({
      ...{ ...days, compare },
      ...(key === 'alerts' && { comparedSince: watchedSince }),
      figureOf: some => figureOf(key, some),
    });
    return tile === null
      ? []
      : { key, ...tile, target: (isWhole && target?.(settings, lengthOf(days.period))) || null };
  });
}

interface OneMeasured<Day> {
  readonly period: Period;
  readonly today: number;
  /** Null for future days and for days before the first data. */
  readonly dayOf: (day: number) => Day | null;
  readonly compare: Rule['compare'];
  /** A period that begins earlier is not compared with. */
  readonly comparedSince?: number | undefined;
  /** Of these days; null if there is nothing to measure. */
  readonly figureOf: (days: readonly Day[]) => number | null;
}

/** A figure over the period, by day, and compared with the period before; null if no day has one. */
export function tileOf<Day>({
  period,
  today,
  dayOf,
  compare,
  comparedSince = Number.NEGATIVE_INFINITY,
  figureOf,
}: OneMeasured<Day>): Omit<Tile, 'key' | 'target'> | null {
  const known = (of: Period): Day[] => daysOf(of).flatMap(day => dayOf(day) ?? []);
  const series = daysOf(period).map(day => {
    const measured = dayOf(day);
    return measured && figureOf([measured]);
  });
  if (series.every(value => value === null)) return null;
  const before = previousOf(period);
  // A period with missing days is not used for comparison.
  const isComparable = before.from >= comparedSince && known(before).length === lengthOf(before);
  const previous = isComparable ? figureOf(known(before)) : null;
  const value = figureOf(known(period));
  return { value, previous, change: previous === null ? null : changeOf(previous), series };

  function changeOf(previous: number): number | null {
    if (compare === 'difference') return value === null ? null : value - previous;
    // Comparing half a day with whole days would always show a decrease.
    const finished = known({ from: period.from, to: Math.min(period.to, today - 1) });
    const mean =
      finished.length === 0 ? null : finished.reduce((sum, day) => sum + (figureOf([day]) ?? 0), 0) / finished.length;
    const meanBefore = compare === 'sum' ? previous / lengthOf(before) : previous;
    return mean === null || meanBefore === 0 ? null : mean / meanBefore - 1;
  }
}
