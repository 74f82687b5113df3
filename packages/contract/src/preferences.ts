import { z } from 'zod';
import { timeZoneSchema } from './fields.ts';
import { LANGUAGES } from './language.ts';
import { ALL_TILES } from './overview-tiles.ts';

/** The built-in outline map, or the street map that the installation has chosen. */
export const MAP_KINDS = ['outline', 'streets'] as const;
export type MapKind = (typeof MAP_KINDS)[number];

export const APPEARANCES = ['auto', 'light', 'dark'] as const;
export const START_PAGES = ['/', '/fleet', '/overview', '/assets', '/personal', '/replay', '/reports', '/eld'] as const;

/** The steps of the setup after the first start, in order; each can be skipped. */
export const SETUP_STEPS = ['company', 'you', 'map', 'vehicle', 'mail'] as const;
export type SetupStep = (typeof SETUP_STEPS)[number];
const setupStepsSchema = z.array(z.enum(SETUP_STEPS)).max(SETUP_STEPS.length);

/** A user's own preferences; null follows the organization, the browser or the system. */
export const preferencesSchema = z.strictObject({
  language: z.enum(LANGUAGES).nullable(),
  timeZone: timeZoneSchema.nullable(),
  distanceUnit: z.enum(['km', 'mi']).nullable(),
  volumeUnit: z.enum(['l', 'gal']).nullable(),
  temperatureUnit: z.enum(['c', 'f']).nullable(),
  startPage: z.enum(START_PAGES).nullable(),
  appearance: z.enum(APPEARANCES).nullable(),
  /** The overview's visible tiles, in order. */
  overviewTiles: z.array(z.enum(ALL_TILES)).max(ALL_TILES.length).nullable(),
  /** Which map to show, if the installation has a street map. */
  map: z.enum(MAP_KINDS).nullable(),
  /** Setup steps that this user has finished; null: the user is not asked. */
  setupDone: setupStepsSchema.nullable(),
  setupSkipped: setupStepsSchema.nullable(),
});
export type Preferences = z.infer<typeof preferencesSchema>;

export const NO_PREFERENCES: Preferences = {
  language: null,
  timeZone: null,
  distanceUnit: null,
  volumeUnit: null,
  temperatureUnit: null,
  startPage: null,
  appearance: null,
  overviewTiles: null,
  map: null,
  setupDone: null,
  setupSkipped: null,
};
