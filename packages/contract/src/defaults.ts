import type { Settings } from './routes/settings.ts';

/** The defaults for an account that has changed nothing. */
export const DEFAULT_SETTINGS: Settings = {
  address: '',
  dotNumber: '',
  authorityNumber: '',
  timeZone: 'America/Chicago',
  language: 'en-US',
  distanceUnit: 'mi',
  volumeUnit: 'gal',
  temperatureUnit: 'f',
  firstWeekday: 7,
  currency: 'USD',
  holidays: '',
  offlineAfterMinutes: 24 * 60,
  outdatedAfterMinutes: 10,
  keepPositionsDays: null,
  keepLooksDays: 365,
  privateDrive: false,
  privatePersonalUse: false,
  warnBeforeExpiryDays: 90,
  targetDistanceKmPerWeek: null,
  targetUtilisationPercent: null,
  targetIdlePercent: null,
  targetKnownPercent: null,
};

/** Used where no color is chosen [R9.07]. */
export const DEFAULT_COLOURS = {
  primaryColour: '#002e5c',
  secondaryColour: '#26a69a',
  activeColour: '#01579b',
} as const;

/** Minimum letters of a town search: fewer would match thousands of towns. */
export const TOWN_SEARCH_MIN = 2;
