import { z } from 'zod';
import { idSchema, timeZoneSchema, uuidSchema } from '../fields.ts';
import { defineRoute } from '../route.ts';
import { jobSchema } from './jobs.ts';

const TAG = 'Data';

/** `tracks`: GPX and CSV files for vehicles of this account. `traccar`: what was taken out of Traccar, for an empty account. */
export const MOVE_IN_SOURCES = ['tracks', 'traccar'] as const;
export type MoveInSource = (typeof MOVE_IN_SOURCES)[number];

/** What a column of a CSV file can be. `date` is for files that have the day in a column of its own. */
export const CSV_TRACK_COLUMNS = [
  'vehicle',
  'time',
  'date',
  'lat',
  'lon',
  'speed',
  'course',
  'altitude',
  'odometer',
  'fuel',
  'temperature',
  'ignition',
  'satellites',
  'hdop',
  'card',
] as const;
export type CsvTrackColumn = (typeof CSV_TRACK_COLUMNS)[number];

export const SPEED_UNITS = ['km/h', 'mph', 'kn', 'm/s'] as const;
export const DISTANCE_UNITS = ['km', 'mi', 'm'] as const;
export const ALTITUDE_UNITS = ['m', 'ft'] as const;
export const TEMPERATURE_UNITS = ['c', 'f'] as const;
export const DATE_ORDERS = ['mdy', 'dmy'] as const;

/** Why a row can't be imported. */
export const TRACK_PROBLEMS = [
  'unreadable',
  'no-time',
  'bad-time',
  'too-new',
  'too-old',
  'no-place',
  'bad-place',
  'bad-number',
  'unknown-vehicle',
  'not-traccar',
  'no-imei',
  'unknown-area',
  'unknown-device',
  'refused',
] as const;
export type TrackProblem = (typeof TRACK_PROBLEMS)[number];

/** Rows with problems that an answer lists; all are counted. */
export const PROBLEMS_LISTED = 100;
export const MOVE_IN_FILES_AT_MOST = 500;

const columnsSchema = z.partialRecord(z.enum(CSV_TRACK_COLUMNS), z.string().max(200));

/** How files are read; a GPX file has its own units and UTC. */
export const trackOptionsSchema = z.object({
  /** The name of each column in the CSV files; what is not named is found by its usual names. */
  columns: columnsSchema.default({}),
  /** Of times without one. */
  timeZone: timeZoneSchema.default('UTC'),
  /** Of dates such as 03/04/2026. */
  dateOrder: z.enum(DATE_ORDERS).default('mdy'),
  speedUnit: z.enum(SPEED_UNITS).default('km/h'),
  distanceUnit: z.enum(DISTANCE_UNITS).default('km'),
  altitudeUnit: z.enum(ALTITUDE_UNITS).default('m'),
  temperatureUnit: z.enum(TEMPERATURE_UNITS).default('c'),
  /** The vehicle of each name in the files that is not the name, plate, VIN or IMEI of one. */
  vehicles: z.record(z.string().max(200), idSchema).default({}),
});
export type TrackOptions = z.infer<typeof trackOptionsSchema>;

export const moveInFileSchema = z
  .object({
    id: z.string(),
    bytes: z.int(),
    format: z.enum(['gpx', 'csv', 'json', 'other']),
    /** The columns of a CSV file, what each is taken for, and its first rows. */
    columns: z.array(z.string()),
    guessed: columnsSchema,
    sample: z.array(z.array(z.string())),
  })
  .meta({ id: 'MoveInFile' });
export type MoveInFile = z.infer<typeof moveInFileSchema>;

/** What was found in the files, and what was imported of it. */
export const moveInReportSchema = z.object({
  rows: z.int(),
  /** Rows that can be imported, without duplicates. */
  accepted: z.int(),
  /** Rows that are there already, or twice in the files. */
  duplicates: z.int(),
  from: z.iso.datetime().nullable(),
  to: z.iso.datetime().nullable(),
  /** The vehicles that the files name, those with the most rows first. */
  vehicles: z.array(
    z.object({ name: z.string(), rows: z.int(), vehicleId: z.string().nullable(), vehicleName: z.string().nullable() }),
  ),
  /** Of Traccar: how many of each table. */
  tables: z.record(z.string(), z.int()).nullable(),
  problemCount: z.int(),
  problems: z.array(
    z.object({
      file: z.string(),
      line: z.int(),
      code: z.enum(TRACK_PROBLEMS),
      /** What stands there. */
      value: z.string(),
    }),
  ),
});
export type MoveInReport = z.infer<typeof moveInReportSchema>;

const askedFilesSchema = z
  .array(z.object({ id: uuidSchema, name: z.string().min(1).max(200) }))
  .min(1)
  .max(MOVE_IN_FILES_AT_MOST);

/** `done` and `total` count bytes. */
export const moveInSchema = jobSchema
  .omit({ kind: true, startedAt: true, retryAt: true })
  .extend({
    source: z.enum(MOVE_IN_SOURCES),
    /** Nothing is imported by a dry run. */
    dryRun: z.boolean(),
    files: z.array(z.string()),
    /** Null until it is done. */
    report: moveInReportSchema.nullable(),
    /** What imports what was checked, while the files are kept; null of anything but a dry run that is done. */
    checked: z.object({ files: askedFilesSchema, options: trackOptionsSchema }).nullable(),
  })
  .meta({ id: 'MoveIn' });
export type MoveIn = z.infer<typeof moveInSchema>;

/** Bytes: a Blob for the client, a stream for the server. */
const bytesSchema = z.custom<Blob>();

export const uploadMoveInFile = defineRoute({
  method: 'POST',
  path: '/api/v1/data/move-in/file',
  access: 'data.write',
  summary: 'Upload a file to move in from; it is deleted after a day',
  tag: TAG,
  body: bytesSchema,
  bodyType: 'application/octet-stream',
  status: 201,
  response: moveInFileSchema,
  problems: ['no-room', 'payload-too-large', 'unsupported-media-type'],
});

export const deleteMoveInFile = defineRoute({
  method: 'DELETE',
  path: '/api/v1/data/move-in/file/{id}',
  access: 'data.write',
  summary: 'Delete an uploaded file',
  tag: TAG,
  params: z.object({ id: uuidSchema }),
  response: z.object({ ok: z.literal(true) }),
  problems: ['not-found'],
});

export const listMoveIns = defineRoute({
  method: 'GET',
  path: '/api/v1/data/move-in',
  access: 'data.read',
  summary: 'List dry runs and imports of files of the last seven days, newest first',
  tag: TAG,
  response: z.array(moveInSchema),
});

export const startMoveIn = defineRoute({
  method: 'POST',
  path: '/api/v1/data/move-in',
  access: 'data.write',
  summary: 'Check uploaded files, or import them: tracks of vehicles, or a whole account from Traccar',
  tag: TAG,
  body: z.object({
    source: z.enum(MOVE_IN_SOURCES),
    dryRun: z.boolean(),
    files: askedFilesSchema,
    options: trackOptionsSchema.prefault({}),
  }),
  status: 201,
  response: moveInSchema,
  problems: ['not-found', 'import-open', 'account-not-empty'],
});

export const cancelMoveIn = defineRoute({
  method: 'POST',
  path: '/api/v1/data/move-in/{id}/cancel',
  access: 'data.write',
  summary: 'Cancel a dry run or an import; positions that are imported already stay',
  tag: TAG,
  params: z.object({ id: uuidSchema }),
  response: moveInSchema,
  problems: ['not-found'],
});
