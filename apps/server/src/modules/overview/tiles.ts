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

export function tilesOf({ period, today, dayOf, settings, isWhole }: Measured): Tile[] {
  const known = (of: Period): MeasuredDay[] => daysOf(of).flatMap(day => dayOf(day) ?? []);
  const before = previousOf(period);
  const finished = { from: period.from, to: Math.min(period.to, today - 1) };
  return OVERVIEW_TILES.flatMap(key => {
    const rule = RULES[key];
    const series = daysOf(period).map(day => {
      const measured = dayOf(day);
      return measured && figureOf(key, [measured]);
    });
    if (series.every(value => value === null)) return [];
    // A period with missing days is not used for comparison.
    const isWholeBefore = known(before).length === lengthOf(before);
    const previous = isWholeBefore ? figureOf(key, known(before)) : null;
    const value = figureOf(key, known(period));
    return {
      key,
      value,
      previous,
      change: previous === null ? null : changeOf(key, { value, previous, finished: known(finished), before }),
      series,
      target: (isWhole && rule.target?.(settings, lengthOf(period))) || null,
    };
  });
}

function changeOf(
  key: OverviewTile,
  {
    value,
    previous,
    finished,
    before,
  }: {
    readonly value: number | null;
    readonly previous: number;
    readonly finished: readonly MeasuredDay[];
    readonly before: Period;
  },
): number | null {
  const { compare } = RULES[key];
  if (compare === 'difference') return value === null ? null : value - previous;
  // Comparing half a day with whole days would always show a decrease.
  const mean =
    finished.length === 0
      ? null
      : finished.reduce((sum, day) => sum + (figureOf(key, [day]) ?? 0), 0) / finished.length;
  const meanBefore = compare === 'sum' ? previous / lengthOf(before) : previous;
  return mean === null || meanBefore === 0 ? null : mean / meanBefore - 1;
}
