/**
 * Choices that a page knows before it shows any form. They stand apart from the schemas that take them, so that such a
 * page loads neither those nor zod.
 */

/** Languages that the app speaks. */
export const LANGUAGES = ['en-US', 'es', 'fr'] as const;
export type Language = (typeof LANGUAGES)[number];

export const APPEARANCES = ['auto', 'light', 'dark'] as const;
export const START_PAGES = ['/', '/fleet', '/overview', '/assets', '/personal', '/replay', '/reports', '/eld'] as const;

/** What has to be done before anything else is allowed. */
export const DUTIES = ['change-password', 'set-up-second-factor'] as const;
export type Duty = (typeof DUTIES)[number];

/** What is measured over a period, one tile each. Shares are 0…1, ways metres, times seconds, the rest counts. */
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

export const SEVERITIES = ['critical', 'warning', 'info'] as const;
export type Severity = (typeof SEVERITIES)[number];
