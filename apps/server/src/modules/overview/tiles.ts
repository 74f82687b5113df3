import { OVERVIEW_TILES, type Overview, type OverviewTile, type Settings } from '@milepost/contract';
import type { DaySums } from '../history/days/day-sums.ts';
import { daysOf, lengthOf, type Period, previousOf } from './period.ts';

type Tile = Overview['tiles'][number];

/** A day's figures beside what they are a part of. */
export interface MeasuredDay extends DaySums {
  /** Of all vehicles together, as far as the day is over. */
  readonly vehicleSeconds: number;
  readonly vehicles: number;
  /** Null where the reader may not see alerts. */
  readonly alerts: number | null;
}

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
  /** What stands for one day or for many; null where there is nothing to measure. */
  readonly of: (days: readonly MeasuredDay[]) => number | null;
  /** How two periods are compared: sums and means by what a finished day brought, anything else by the difference. */
  readonly compare: 'sum' | 'mean' | 'difference';
  readonly target?: (settings: Settings, days: number) => number | null;
}

const sum = (days: readonly MeasuredDay[], of: (day: MeasuredDay) => number): number =>
  days.reduce((total, day) => total + of(day), 0);

const total =
  (of: (day: MeasuredDay) => number): Rule['of'] =>
  days =>
    days.length === 0 ? null : sum(days, of);

const share =
  (part: (day: MeasuredDay) => number, whole: (day: MeasuredDay) => number): Rule['of'] =>
  days => {
    const all = sum(days, whole);
    return all > 0 ? sum(days, part) / all : null;
  };

const percent = (value: number | null): number | null => (value === null ? null : value / 100);

/** How each figure is computed; docs/figures.md says it in words. */
const RULES: Readonly<Record<OverviewTile, Rule>> = {
  distance: {
    of: total(day => day.distanceM),
    compare: 'sum',
    target: ({ targetDistanceKmPerWeek: km }, days) => (km === null ? null : (km * 1000 * days) / 7),
  },
  utilisation: {
    of: share(
      day => day.inUse,
      day => day.vehicles,
    ),
    compare: 'difference',
    target: settings => percent(settings.targetUtilisationPercent),
  },
  inUse: {
    of: days => (days.length === 0 ? null : sum(days, day => day.inUse) / days.length),
    compare: 'mean',
  },
  driving: { of: total(day => day.movingS), compare: 'sum' },
  idleShare: {
    of: share(
      day => day.idlingS,
      day => day.idlingS + day.movingS,
    ),
    compare: 'difference',
    target: settings => percent(settings.targetIdlePercent),
  },
  stops: { of: total(day => day.stops), compare: 'sum' },
  topSpeed: {
    of: days => {
      const speeds = days.flatMap(day => day.maxSpeedMps ?? []);
      return speeds.length === 0 ? null : Math.max(...speeds);
    },
    compare: 'difference',
  },
  known: {
    of: share(
      day => day.movingS + day.idlingS + day.stoppedS,
      day => day.vehicleSeconds,
    ),
    compare: 'difference',
    target: settings => percent(settings.targetKnownPercent),
  },
  leftOut: {
    of: share(
      day => day.leftOut,
      day => day.fixes + day.leftOut,
    ),
    compare: 'difference',
  },
  alerts: {
    of: days => (days.length === 0 || days.some(day => day.alerts === null) ? null : sum(days, day => day.alerts ?? 0)),
    compare: 'sum',
  },
};

export function tilesOf({ period, today, dayOf, settings, isWhole }: Measured): Tile[] {
  const known = (of: Period): MeasuredDay[] => daysOf(of).flatMap(day => dayOf(day) ?? []);
  const before = previousOf(period);
  const finished = { from: period.from, to: Math.min(period.to, today - 1) };
  return OVERVIEW_TILES.flatMap(key => {
    const rule = RULES[key];
    const series = daysOf(period).map(day => {
      const measured = dayOf(day);
      return measured && rule.of([measured]);
    });
    if (series.every(value => value === null)) return [];
    // A period of which a part is unknown is none to compare with.
    const isWholeBefore = known(before).length === lengthOf(before);
    const previous = isWholeBefore ? rule.of(known(before)) : null;
    const value = rule.of(known(period));
    return {
      key,
      value,
      previous,
      change: previous === null ? null : changeOf(rule, { value, previous, finished: known(finished), before }),
      series,
      target: (isWhole && rule.target?.(settings, lengthOf(period))) || null,
    };
  });
}

function changeOf(
  { of, compare }: Rule,
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
  if (compare === 'difference') return value === null ? null : value - previous;
  // Half a day compared with whole ones would always be a loss.
  const mean = finished.length === 0 ? null : sum(finished, day => of([day]) ?? 0) / finished.length;
  const meanBefore = compare === 'sum' ? previous / lengthOf(before) : previous;
  return mean === null || meanBefore === 0 ? null : mean / meanBefore - 1;
}
