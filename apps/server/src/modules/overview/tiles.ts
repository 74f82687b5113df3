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

/** A day's figures beside what they are a part of. */
export type MeasuredDay = MeasuredSums;

export interface Measured {
  readonly period: Period;
  readonly today: number;
  /** Null for days to come and for those before anything was known. */
  readonly dayOf: (day: number) => MeasuredDay | null;
  readonly settings: Settings;
  /** A target of the whole fleet says nothing about a part of it. */
  readonly isWhole: boolean;
}

interface Rule {
  /** How two periods are compared: sums and means by what a finished day brought, anything else by the difference. */
  readonly compare: 'sum' | 'mean' | 'difference';
  readonly target?: (settings: Settings, days: number) => number | null;
}

const percent = (value: number | null): number | null => (value === null ? null : value / 100);

/** How each figure is compared; what it is made of is `fleetFigure`. */
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

/** What a figure is over these days; null where there is nothing to measure. */
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
    // A period of which a part is unknown is none to compare with.
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
  // Half a day compared with whole ones would always be a loss.
  const mean =
    finished.length === 0
      ? null
      : finished.reduce((sum, day) => sum + (figureOf(key, [day]) ?? 0), 0) / finished.length;
  const meanBefore = compare === 'sum' ? previous / lengthOf(before) : previous;
  return mean === null || meanBefore === 0 ? null : mean / meanBefore - 1;
}
