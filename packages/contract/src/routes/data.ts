import { z } from 'zod';
import { defineRoute, fileAnswerSchema } from '../route.ts';

const TAG = 'Data';

/**
 * All of an account's data as lines of JSON: a header, then one line for each row, every table after those that it
 * refers to, and files as base64. Does not contain secrets (passwords, keys, sessions).
 */
export const exportData = defineRoute({
  method: 'GET',
  path: '/api/v1/data/export',
  access: 'data.read',
  summary: 'Export all account data as JSON lines',
  tag: TAG,
  query: z.object({ positions: z.enum(['true', 'false']).default('true') }),
  response: fileAnswerSchema,
  responseType: 'application/x-ndjson',
});

/** Lines of JSON: a Blob for the client, a stream for the server, which reads them one by one. */
const linesSchema = z.custom<Blob>();

export const importData = defineRoute({
  method: 'POST',
  path: '/api/v1/data/import',
  access: 'data.write',
  summary: 'Import an export into this account, which must be empty: all or nothing',
  tag: TAG,
  body: linesSchema,
  bodyType: 'application/x-ndjson',
  response: z.object({ rows: z.record(z.string(), z.int()) }),
  problems: [
    'account-not-empty',
    'import-broken',
    'imei-taken',
    'tracker-id-taken',
    'payload-too-large',
    'unsupported-media-type',
  ],
});
