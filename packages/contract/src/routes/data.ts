import { z } from 'zod';
import { uuidSchema } from '../fields.ts';
import { defineRoute, fileAnswerSchema } from '../route.ts';
import { jobSchema } from './jobs.ts';

const TAG = 'Data';
const ofJob = z.object({ id: uuidSchema });
const transferSchema = jobSchema.omit({ kind: true, startedAt: true, retryAt: true });
/** How many rows of each table. */
const rowsSchema = z.record(z.string(), z.int());

/** How many finished exports an account keeps, and for how long. */
export const EXPORTS_KEPT = 3;
export const EXPORTS_KEPT_DAYS = 7;

/** `done` and `total` count vehicles. */
export const dataExportSchema = transferSchema
  .extend({
    /** Whether it contains positions. */
    positions: z.boolean(),
    /** What can be downloaded; null until it is complete. */
    file: z.object({ name: z.string(), bytes: z.int(), rows: rowsSchema, expiresAt: z.iso.datetime() }).nullable(),
  })
  .meta({ id: 'DataExport' });
export type DataExport = z.infer<typeof dataExportSchema>;

export const IMPORT_PHASES = ['check', 'import'] as const;

/** `done` and `total` count bytes while the file is checked, then rows. */
export const dataImportSchema = transferSchema
  .extend({
    /** Nothing is imported before the whole file has been checked. */
    phase: z.enum(IMPORT_PHASES),
    /** What was imported; null until all of it is. */
    rows: rowsSchema.nullable(),
  })
  .meta({ id: 'DataImport' });
export type DataImport = z.infer<typeof dataImportSchema>;

export const listExports = defineRoute({
  method: 'GET',
  path: '/api/v1/data/export',
  access: 'data.read',
  summary: "List the account's exports of the last seven days, newest first",
  tag: TAG,
  response: z.array(dataExportSchema),
});

/**
 * All of an account's data as lines of JSON: a header, then one line for each row, every table after those that it
 * refers to, and files as base64. Does not contain secrets (passwords, keys, sessions).
 */
export const startExport = defineRoute({
  method: 'POST',
  path: '/api/v1/data/export',
  access: 'data.read',
  summary: 'Start an export of all account data as JSON lines; download the file when it is done',
  tag: TAG,
  body: z.object({ positions: z.boolean().default(true) }),
  status: 201,
  response: dataExportSchema,
  problems: ['export-open', 'disk-full'],
});

export const cancelExport = defineRoute({
  method: 'POST',
  path: '/api/v1/data/export/{id}/cancel',
  access: 'data.read',
  summary: 'Cancel an export; one that has ended stays as it is',
  tag: TAG,
  params: ofJob,
  response: dataExportSchema,
  problems: ['not-found'],
});

export const deleteExport = defineRoute({
  method: 'DELETE',
  path: '/api/v1/data/export/{id}',
  access: 'data.read',
  summary: 'Delete an export and its file; one in progress is canceled',
  tag: TAG,
  params: ofJob,
  response: z.object({ ok: z.literal(true) }),
  problems: ['not-found'],
});

export const readExportFile = defineRoute({
  method: 'GET',
  path: '/api/v1/data/export/{id}/file',
  access: 'data.read',
  summary: 'Download a finished export',
  tag: TAG,
  params: ofJob,
  response: fileAnswerSchema,
  responseType: 'application/x-ndjson',
  problems: ['not-found'],
});

export const listImports = defineRoute({
  method: 'GET',
  path: '/api/v1/data/import',
  access: 'data.read',
  summary: "List the account's imports of the last seven days, newest first",
  tag: TAG,
  response: z.array(dataImportSchema),
});

/** Lines of JSON: a Blob for the client, a stream for the server, which reads them one by one. */
const linesSchema = z.custom<Blob>();

/**
 * Answers once the file is stored. What the check finds is the `problem` of the import: `import-broken`,
 * `account-not-empty`, `more-than-you-hold`, `imei-taken` or `tracker-id-taken`.
 */
export const startImport = defineRoute({
  method: 'POST',
  path: '/api/v1/data/import',
  access: 'data.write',
  summary: 'Upload an export, to be checked and then imported into this account, which must be empty: all or nothing',
  tag: TAG,
  body: linesSchema,
  bodyType: 'application/x-ndjson',
  status: 201,
  response: dataImportSchema,
  problems: ['import-open', 'account-not-empty', 'no-room', 'payload-too-large', 'unsupported-media-type'],
});

export const cancelImport = defineRoute({
  method: 'POST',
  path: '/api/v1/data/import/{id}/cancel',
  access: 'data.write',
  summary: 'Cancel an import: nothing of it is kept; one that has ended stays as it is',
  tag: TAG,
  params: ofJob,
  response: dataImportSchema,
  problems: ['not-found'],
});
