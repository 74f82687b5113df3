/** Figures over a period, one tile each. Shares are 0…1, distances meters, times seconds, the rest counts. */
export const OVERVIEW_TILES = [
  'distance',
  'utilisation',
  'inUse',
  'driving',
  'idleShare',
  'stops',
  'topSpeed',
  'known',
  'leftOut',
  'alerts',
] as const;
export type OverviewTile = (typeof OVERVIEW_TILES)[number];

/** Tiles that reports add up, each only where there is something to count. */
export const OUTCOME_TILES = ['score', 'speeding', 'onTime', 'violations', 'temperature'] as const;
export type OutcomeTile = (typeof OUTCOME_TILES)[number];

/** All tiles, in the order of a page that nobody has arranged. */
export const ALL_TILES = [
  'distance',
  'utilisation',
  'idleShare',
  'score',
  'speeding',
  'onTime',
  'violations',
  'temperature',
  'inUse',
  'driving',
  'stops',
  'alerts',
  'topSpeed',
  'known',
  'leftOut',
] as const satisfies (OverviewTile | OutcomeTile)[];
export type AnyTile = (typeof ALL_TILES)[number];
