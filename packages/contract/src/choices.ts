/**
 * Choices that a page needs before it shows any form. They are separate from the schemas that use them, so that such a
 * page loads neither the schemas nor zod.
 */

/** Languages of the app. */
export const LANGUAGES = ['en-US', 'es', 'fr'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The steps of the setup after the first start, in order; each can be skipped. */
export const SETUP_STEPS = ['company', 'you', 'map', 'vehicle', 'mail'] as const;
export type SetupStep = (typeof SETUP_STEPS)[number];

/** The built-in outline map, or the street map that the installation has chosen. */
export const MAP_KINDS = ['outline', 'streets'] as const;
export type MapKind = (typeof MAP_KINDS)[number];

export const APPEARANCES = ['auto', 'light', 'dark'] as const;
export const START_PAGES = ['/', '/fleet', '/overview', '/assets', '/personal', '/replay', '/reports', '/eld'] as const;

/** What a user must do before anything else is allowed. */
export const DUTIES = ['change-password', 'set-up-second-factor'] as const;
export type Duty = (typeof DUTIES)[number];

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

export const SEVERITIES = ['critical', 'warning', 'info'] as const;
export type Severity = (typeof SEVERITIES)[number];
