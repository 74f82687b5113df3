import { z } from 'zod';
import { emailSchema, idSchema, lineSchema, uuidSchema } from '../fields.ts';
import { defineRoute, fileAnswerSchema } from '../route.ts';
import { MAIL_FAILURES } from './notifications.ts';

const TAG = 'Logbook';

/** Every output file that was made, by whom, and what for. */
export const logExportSchema = z
  .object({
    id: z.string(),
    driverId: z.string(),
    driverName: z.string(),
    kind: z.enum(['output-file', 'verifiable-log']),
    fileName: z.string(),
    from: z.iso.date().nullable(),
    to: z.iso.date().nullable(),
    comment: z.string(),
    at: z.iso.datetime(),
    by: z.string(),
    /** At the roadside, from the driver's phone. */
    atRoadside: z.boolean(),
    /** The address to which the driver had it sent; null if nowhere. */
    mailedTo: z.string().nullable(),
    /** When it was first taken with the code; null if never. */
    takenAt: z.iso.datetime().nullable(),
    sha256: z.string(),
    /** When it was imported from another server; left out if it happened here. */
    importedAt: z.iso.datetime().optional(),
  })
  .meta({ id: 'LogExport' });
export type LogExport = z.infer<typeof logExportSchema>;

export const listLogExports = defineRoute({
  method: 'GET',
  path: '/api/v1/eld/export',
  access: 'logbook.read',
  summary: 'List the files made of logs in the last six months, newest first',
  tag: TAG,
  response: z.array(logExportSchema),
});

export const readLogExport = defineRoute({
  method: 'GET',
  path: '/api/v1/eld/export/{id}',
  access: 'logbook.read',
  summary: 'Read an output file that was made before, exactly as it was given',
  tag: TAG,
  params: z.object({ id: uuidSchema }),
  response: fileAnswerSchema,
  responseType: 'text/csv',
  problems: ['not-found'],
});

export const readOutputFile = defineRoute({
  method: 'GET',
  path: '/api/v1/eld/output-file',
  access: 'signed-in',
  summary: 'Make an ELD output file of today and the days before (Appendix A, 4.8.2.1); a preview, not a transfer',
  tag: TAG,
  query: z.object({
    /** Left out: the signed-in driver’s own. */
    driverId: idSchema.optional(),
    /** Left out: today and the seven days before, 14 in Canada. */
    from: z.iso.date().optional(),
    to: z.iso.date().optional(),
    comment: lineSchema(60).default(''),
  }),
  response: fileAnswerSchema,
  responseType: 'text/csv',
  problems: ['not-found', 'no-log', 'output-file-impossible'],
});

export const handOverFile = defineRoute({
  method: 'POST',
  path: '/api/v1/eld/handed_file',
  access: 'logbook.own',
  summary: 'Make an output file of your own log for an officer, with a link to it that lasts an hour; a preview',
  tag: TAG,
  body: z.object({ comment: lineSchema(60).default('') }),
  response: z.object({
    id: z.string(),
    fileName: z.string(),
    text: z.string(),
    /** For `readHandedFile`; it is shown only here. */
    token: z.string(),
    expiresAt: z.iso.datetime(),
  }),
  problems: ['no-log', 'output-file-impossible'],
});

export const readHandedFile = defineRoute({
  method: 'GET',
  path: '/api/v1/handed_file/{token}',
  access: 'public',
  summary: 'Read an output file that a driver handed over, with the token of its QR code',
  tag: TAG,
  params: z.object({ token: z.string().max(64) }),
  response: fileAnswerSchema,
  responseType: 'text/csv',
  problems: ['not-found'],
});

export const mailHandedFile = defineRoute({
  method: 'POST',
  path: '/api/v1/eld/handed_file/{id}/mail',
  access: 'logbook.own',
  summary: 'Send an output file of your own log by email, and read the result',
  tag: TAG,
  params: z.object({ id: uuidSchema }),
  body: z.object({ to: emailSchema }),
  response: z.object({ outcome: z.enum(['sent', ...MAIL_FAILURES]) }),
  problems: ['not-found', 'too-many-requests'],
});

export const readVerifiableLog = defineRoute({
  method: 'GET',
  path: '/api/v1/eld/verifiable-log',
  access: 'signed-in',
  summary: 'Export a whole log so that anyone can verify it without this server',
  tag: TAG,
  query: z.object({
    driverId: idSchema.optional(),
    /** `check`: a page verifies the log and keeps no file, so none is noted among the exports. */
    purpose: z.enum(['file', 'check']).default('file'),
  }),
  response: fileAnswerSchema,
  responseType: 'application/x-ndjson',
  problems: ['not-found', 'no-log'],
});
