import { z } from 'zod';
import { BACKWARD, idSchema, instantSchema, isForward, numeric } from '../fields.ts';
import { geofenceShapeSchema } from '../geofence-shape.ts';
import { positionReportSchema } from '../messaging.ts';
import { defineRoute, fileAnswerSchema } from '../route.ts';

const TAG = 'Positions';

/** The longest period of history in one call, in days. */
export const HISTORY_MAX_DAYS = 31;

export const latestPositions = defineRoute({
  method: 'GET',
  path: '/api/v1/position/latest',
  access: 'vehicles.read',
  summary: 'Read the newest position report of every vehicle you can see',
  tag: TAG,
  response: z.array(positionReportSchema),
});

export const listPositions = defineRoute({
  method: 'GET',
  path: '/api/v1/position',
  access: 'vehicles.read',
  summary: 'Read all position reports of a vehicle between two times, both included, oldest first',
  tag: TAG,
  query: z.object({ deviceId: idSchema, from: instantSchema, to: instantSchema }).refine(isForward, BACKWARD),
  response: z.array(positionReportSchema),
  problems: ['not-found', 'range-too-long'],
});

/** Why a fix is stored but not trusted. Bit positions in the database; see docs/life-of-a-position.md. */
export const FIX_DOUBTS = ['impossible-speed', 'impossible-time', 'null-island', 'out-of-range'] as const;
export type FixDoubt = (typeof FIX_DOUBTS)[number];

export const listMessages = defineRoute({
  method: 'GET',
  path: '/api/v1/device/{id}/message',
  access: 'vehicles.read',
  summary: 'Read the last messages of a vehicle as they were stored, newest first',
  tag: TAG,
  params: z.object({ id: idSchema }),
  query: z.object({
    limit: numeric(z.int().min(1).max(200)).default(50),
    /** Only those fixed up to this moment. */
    at: instantSchema.optional(),
  }),
  response: z.array(
    z.object({
      report: positionReportSchema,
      protocol: z.string(),
      doubts: z.array(z.enum(FIX_DOUBTS)),
      attributes: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
    }),
  ),
  problems: ['not-found'],
});

/** What a track may have beside time, place, and whether the fix is believed. Units: docs/adr/0011-a-day-of-positions-as-columns.md. */
export const TRACK_COLUMNS = [
  'speed',
  'course',
  'altitude',
  'odometer',
  'fuel',
  'temperature',
  'ignition',
  'hdop',
  'satellites',
  'gsm',
  'late',
  'event',
  'rfid',
  'attributes',
] as const;
export type TrackColumn = (typeof TRACK_COLUMNS)[number];

const columnsSchema = z
  .string()
  .transform(text => (text === '' ? [] : text.split(',')))
  .pipe(z.array(z.enum(TRACK_COLUMNS)).max(TRACK_COLUMNS.length));

export const readTrack = defineRoute({
  method: 'GET',
  path: '/api/v1/device/{id}/track',
  access: 'vehicles.read',
  summary:
    'Read the track of a vehicle between two times, both included, as columns; with a zoom, only the points that a map shows',
  tag: TAG,
  params: z.object({ id: idSchema }),
  query: z
    .object({
      from: instantSchema,
      to: instantSchema,
      columns: columnsSchema.default([]),
      zoom: numeric(z.number().min(0).max(22)).optional(),
    })
    .refine(isForward, BACKWARD),
  response: fileAnswerSchema,
  responseType: 'application/octet-stream',
  problems: ['not-found', 'range-too-long'],
});

/** Each with the end of its file's name. */
export const TRACK_FILE_FORMATS = ['gpx', 'kml', 'geojson', 'csv'] as const;
export type TrackFileFormat = (typeof TRACK_FILE_FORMATS)[number];

/** The most vehicles in one file of tracks, or one replay. */
export const TRACK_FILE_VEHICLES_MAX = 50;

const vehicleIdsSchema = z
  .string()
  .max(11 * TRACK_FILE_VEHICLES_MAX)
  .transform(text => text.split(',').filter(Boolean))
  .pipe(z.array(idSchema).min(1).max(TRACK_FILE_VEHICLES_MAX))
  .describe('IDs, separated by commas');

export const downloadTracks = defineRoute({
  method: 'GET',
  path: '/api/v1/track_file',
  access: 'vehicles.read',
  summary:
    'Download the tracks of vehicles between two times, both included: as GPX, KML or GeoJSON where they were for sure, as CSV every report',
  tag: TAG,
  query: z
    .object({
      vehicles: vehicleIdsSchema,
      from: instantSchema,
      to: instantSchema,
      format: z.enum(TRACK_FILE_FORMATS),
    })
    .refine(isForward, BACKWARD),
  response: fileAnswerSchema,
  responseType: 'application/octet-stream',
  problems: ['not-found', 'range-too-long'],
});

export const findVehiclesInside = defineRoute({
  method: 'POST',
  path: '/api/v1/device/inside',
  access: 'geofences.read',
  summary: 'Find the vehicles that were inside an area between two times, both included',
  tag: TAG,
  body: z
    .object({
      from: instantSchema,
      to: instantSchema,
      /** A drawn area, or the ID of a geofence. */
      area: z.union([geofenceShapeSchema, z.object({ geofenceId: idSchema })]),
    })
    .refine(isForward, BACKWARD),
  /** In the order in which they came. */
  response: z.array(
    z.object({
      deviceId: z.string(),
      /** The first and the last moment inside, as far as reports show. */
      firstAt: z.iso.datetime(),
      lastAt: z.iso.datetime(),
    }),
  ),
  problems: ['not-found', 'range-too-long'],
});
