import { z } from 'zod';
import { issue } from '../issue.ts';
import { fieldErrorSchema } from '../problem.ts';
import { defineRoute, fileAnswerSchema } from '../route.ts';

const TAG = 'Vehicles';

export const exportVehicles = defineRoute({
  method: 'GET',
  path: '/api/v1/device/export',
  access: 'vehicles.read',
  summary: 'Export the vehicles you can see as CSV, with the columns an import accepts',
  tag: TAG,
  query: z.object({
    /** Comma-separated ids; all vehicles if absent. */
    ids: z
      .string()
      .regex(/^[1-9]\d{0,9}(,[1-9]\d{0,9})*$/, issue('ids'))
      .optional(),
  }),
  response: fileAnswerSchema,
  responseType: 'text/csv',
});

export const importRowErrorSchema = z
  .object({
    /** Row of the file, counted from 1; the header is row 1. */
    row: z.int(),
    column: z.string().nullable(),
    ...fieldErrorSchema.omit({ field: true }).shape,
  })
  .meta({ id: 'ImportRowError' });

/** Columns of a vehicle file. Folder and driver are given by name; tags are separated by semicolons. */
export const IMPORT_COLUMNS = [
  'imei',
  'deviceName',
  'plate',
  'vin',
  'type',
  'make',
  'model',
  'year',
  'fuelType',
  'tankLitres',
  'speedLimitKmh',
  'odometerOffsetKm',
  'tags',
  'notes',
  'trackerModel',
  'simNumber',
  'trackerId',
  'folder',
] as const;

export const importVehicles = defineRoute({
  method: 'POST',
  path: '/api/v1/device/import',
  access: 'vehicles.write',
  summary: 'Import vehicles from CSV with a header (imei, deviceName and any optional columns); all rows or none',
  tag: TAG,
  query: z.object({ dryRun: z.enum(['true', 'false']).default('true') }),
  body: z.string(),
  bodyType: 'text/csv',
  response: z.object({
    dryRun: z.boolean(),
    rows: z.int(),
    imported: z.int(),
    errors: z.array(importRowErrorSchema),
  }),
  problems: ['import-has-errors', 'payload-too-large', 'unsupported-media-type'],
});
