import type { OverviewTile } from './overview-tiles.ts';

/** What vehicles did over days, as sums: for a fleet's day, a vehicle's month, or both. */
export interface FleetSums {
  readonly distanceM: number;
  readonly movingS: number;
  readonly idlingS: number;
  readonly stoppedS: number;
  readonly stops: number;
  readonly maxSpeedMps: number | null;
  readonly fixes: number;
  readonly leftOut: number;
  /** Vehicle days in use: each vehicle counts once for each day on which it was used. */
  readonly inUse: number;
  /** Alerts that began; null if the user may not see alerts. */
  readonly alerts: number | null;
}

/** The same sums with the totals that they are a share of. */
export interface MeasuredSums extends FleetSums {
  readonly days: number;
  readonly vehicleDays: number;
  /** Total time of all vehicles, up to the present. */
  readonly vehicleSeconds: number;
}

export const NO_SUMS: FleetSums = {
  distanceM: 0,
  movingS: 0,
  idlingS: 0,
  stoppedS: 0,
  stops: 0,
  maxSpeedMps: null,
  fixes: 0,
  leftOut: 0,
  inUse: 0,
  alerts: 0,
};

export const addSums = (one: FleetSums, other: FleetSums): FleetSums => ({
  distanceM: one.distanceM + other.distanceM,
  movingS: one.movingS + other.movingS,
  idlingS: one.idlingS + other.idlingS,
  stoppedS: one.stoppedS + other.stoppedS,
  stops: one.stops + other.stops,
  maxSpeedMps:
    one.maxSpeedMps === null || other.maxSpeedMps === null
      ? (one.maxSpeedMps ?? other.maxSpeedMps)
      : Math.max(one.maxSpeedMps, other.maxSpeedMps),
  fixes: one.fixes + other.fixes,
  leftOut: one.leftOut + other.leftOut,
  inUse: one.inUse + other.inUse,
  alerts: one.alerts === null || other.alerts === null ? null : one.alerts + other.alerts,
});

const share = (part: number, whole: number): number | null => (whole > 0 ? part / whole : null);

/** How each figure of the overview is calculated from sums; explained in docs/figures.md. */
const FIGURES: Readonly<Record<OverviewTile, (sums: MeasuredSums) => number | null>> = {
  distance: ({ distanceM }) => distanceM,
  utilisation: ({ inUse, vehicleDays }) => share(inUse, vehicleDays),
  inUse: ({ inUse, days }) => inUse / days,
  driving: ({ movingS }) => movingS,
  idleShare: ({ idlingS, movingS }) => share(idlingS, idlingS + movingS),
  stops: ({ stops }) => stops,
  topSpeed: ({ maxSpeedMps }) => maxSpeedMps,
  known: ({ movingS, idlingS, stoppedS, vehicleSeconds }) => share(movingS + idlingS + stoppedS, vehicleSeconds),
  leftOut: ({ fixes, leftOut }) => share(leftOut, fixes + leftOut),
  alerts: ({ alerts }) => alerts,
};

/** The figure, or null if there is nothing to measure. */
export const fleetFigure = (figure: OverviewTile, sums: MeasuredSums): number | null =>
  sums.days === 0 ? null : FIGURES[figure](sums);

/** Days that may have data, from the first on, with how much of each is over. */
export interface MeasuredDays {
  readonly from: string;
  readonly daySeconds: readonly number[];
}

const DAY_MS = 86_400_000;

/** Sums over vehicles, and over the days from the first one on which any of them has figures. */
export function measuredOf(
  { from, daySeconds }: MeasuredDays,
  vehicles: readonly (FleetSums & { readonly since: string | null })[],
): MeasuredSums {
  let since: string | null = null;
  for (const one of vehicles) if (one.since !== null && (since === null || one.since < since)) since = one.since;
  const skipped = since === null ? daySeconds.length : (Date.parse(since) - Date.parse(from)) / DAY_MS;
  const known = daySeconds.slice(Math.max(0, skipped)).filter(seconds => seconds > 0);
  return {
    ...vehicles.reduce(addSums, NO_SUMS),
    days: known.length,
    vehicleDays: known.length * vehicles.length,
    vehicleSeconds: known.reduce((sum, seconds) => sum + seconds, 0) * vehicles.length,
  };
}
