import { z } from 'zod';
import { BACKWARD, dateSchema, idSchema, instantSchema, isForward, numeric, uuidSchema } from '../fields.ts';
import { LANGUAGES } from '../language.ts';
import { nearTownSchema } from '../messaging.ts';
import {
  EVIDENCE_VEHICLES_MAX,
  REPORT_COLUMN_TYPES,
  REPORT_FORMATS,
  REPORT_GROUPINGS,
  REPORT_OPTIONS,
  REPORT_SECTIONS,
} from '../reports.ts';
import { defineRoute, fileAnswerSchema } from '../route.ts';
import { accountZoneSchema, behindSchema, periodSchema } from './figures.ts';
import { jobSchema } from './jobs.ts';

const TAG = 'Reports';

/** The most rows in one page of a report. */
export const REPORT_PAGE_MAX = 500;

const languageSchema = z
  .enum(LANGUAGES)
  .default('en-US')
  .describe('The language of titles, columns and other words in the answer');

const columnSchema = z.object({
  key: z.string(),
  title: z.string(),
  /** Distances are in meters, durations in seconds, speeds in m/s, shares from 0 to 1; days are dates. */
  type: z.enum(REPORT_COLUMN_TYPES),
  /** It has a figure in the totals. */
  hasTotal: z.boolean(),
});
export type ReportColumn = z.infer<typeof columnSchema>;

const optionSchema = z.object({
  key: z.enum(REPORT_OPTIONS),
  title: z.string(),
  /** What applies if the query doesn't say. Meters, seconds, minutes after midnight, or °C. */
  value: z.int(),
});
export type ReportOption = z.infer<typeof optionSchema>;

export const reportSchema = z
  .object({
    key: z.string(),
    section: z.enum(REPORT_SECTIONS),
    title: z.string(),
    text: z.string(),
    columns: z.array(columnSchema),
    groupings: z.array(z.enum(REPORT_GROUPINGS)),
    /** The column that its chart shows first; null: the first one that has a total. */
    chart: z.string().nullable(),
    /** How it is best read; null: not grouped. */
    opensBy: z.enum(REPORT_GROUPINGS).nullable(),
    /** About days to come, so it opens with the next 30 days. */
    looksAhead: z.boolean(),
    options: z.array(optionSchema),
  })
  .meta({ id: 'Report' });
export type Report = z.infer<typeof reportSchema>;

export const listReports = defineRoute({
  method: 'GET',
  path: '/api/v1/report',
  access: 'vehicles.read',
  summary: 'List the reports that you can run',
  tag: TAG,
  query: z.object({ language: languageSchema }),
  response: z.array(reportSchema),
});

/** The most vehicles and folders named in one query. */
const IDS_MAX = 500;
const idsSchema = z
  .string()
  .max(11 * IDS_MAX)
  .transform(text => text.split(',').filter(Boolean))
  .pipe(z.array(idSchema).max(IDS_MAX))
  .describe('IDs, separated by commas');
const optionValue = (max: number) => numeric(z.int().min(0).max(max)).optional();
/** °C. */
const temperatureValue = numeric(z.int().min(-60).max(60)).optional();
const MINUTES_OF_DAY = 1440;

/** What a report is about. The same query gives the same report, as long as no more data arrives. */
export const reportQuerySchema = z.object({
  /** Days of the account, first and last included. */
  from: dateSchema,
  to: dateSchema,
  /** Vehicles, and all those in folders; without either, every vehicle that you can see. */
  vehicles: idsSchema.optional(),
  folders: idsSchema.optional(),
  groupBy: z.enum(REPORT_GROUPINGS).optional(),
  /** Also add up the period of the same length right before. */
  compare: z.enum(['true', 'false']).optional(),
  minimumM: optionValue(1_000_000),
  minimumS: optionValue(31 * 86_400),
  workFrom: optionValue(MINUTES_OF_DAY),
  workTo: optionValue(MINUTES_OF_DAY),
  coldFrom: temperatureValue,
  coldTo: temperatureValue,
  fuelPrice: optionValue(999_999_999),
  idleHeavyMl: optionValue(100_000),
  idleLightMl: optionValue(100_000),
  language: languageSchema,
});
export type ReportQuery = z.output<typeof reportQuerySchema>;
export type ReportQueryInput = z.input<typeof reportQuerySchema>;

const isPeriod = ({ from, to }: { readonly from: string; readonly to: string }): boolean => !(from > to);

const placeCellSchema = z.object({ address: z.string().nullable(), near: nearTownSchema.optional() });
export const reportCellSchema = z.union([z.string(), z.number(), z.null(), placeCellSchema]);
export type ReportCell = z.infer<typeof reportCellSchema>;
/** In the order of the columns. */
const cellsSchema = z.array(reportCellSchema);

const reportVehicleSchema = z.object({
  deviceId: z.string(),
  imei: z.string(),
  name: z.string(),
  /** When it last reported; null if it never has. */
  lastAt: z.iso.datetime().nullable(),
});
/** The first few of them, and how many there are. */
const someVehiclesSchema = z.object({ count: z.int(), vehicles: z.array(reportVehicleSchema) });
export type SomeVehicles = z.infer<typeof someVehiclesSchema>;

export const reportPageSchema = z
  .object({
    key: z.string(),
    title: z.string(),
    columns: z.array(columnSchema),
    zone: accountZoneSchema,
    /** The account's, of the columns of money. */
    currency: z.string(),
    period: periodSchema,
    previousPeriod: periodSchema.nullable(),
    /** The report is as of this moment. */
    until: z.iso.datetime(),
    /** Whether it is made from what vehicles sent, so that it can lack something. */
    isOfPositions: z.boolean(),
    vehicles: z.int(),
    behind: behindSchema,
    /** Vehicles left out because you see them only while one of your drivers has them. */
    passing: z.int(),
    /** Vehicles that have stopped reporting before the end of the period: more may still arrive. */
    late: someVehiclesSchema,
    /** Vehicles without any data in the period. */
    silent: someVehiclesSchema,
    /** Rows of the whole report. */
    total: z.int(),
    totals: cellsSchema,
    /** The totals of the period before; null unless asked for. */
    previous: z.object({ total: z.int(), totals: cellsSchema }).nullable(),
    groups: z.array(
      z.object({
        key: z.string(),
        /** A name, or a date: of the day, or the first of the week or month. Empty: rows without one. */
        label: z.string(),
        total: z.int(),
        totals: cellsSchema,
        /**
         * The mean of the vehicles in the vehicle's folder, of those in the report; null unless it is grouped by vehicle
         * and compared.
         */
        folderMean: cellsSchema.nullable(),
      }),
    ),
    rows: z.array(
      z.object({
        id: z.string(),
        /** The key of its group; null if the report is not grouped. */
        group: z.string().nullable(),
        deviceId: z.string().nullable(),
        imei: z.string().nullable(),
        /** What the row is made from: the vehicle's track in this period. */
        evidence: z.object({ from: z.iso.datetime(), to: z.iso.datetime() }).nullable(),
        isUnderWay: z.boolean(),
        cells: cellsSchema,
      }),
    ),
  })
  .meta({ id: 'ReportPage' });
export type ReportPage = z.infer<typeof reportPageSchema>;
export type ReportRow = ReportPage['rows'][number];

export const runReport = defineRoute({
  method: 'GET',
  path: '/api/v1/report/{key}',
  access: 'vehicles.read',
  summary: 'Run a report and read a page of it, with the totals of the whole',
  tag: TAG,
  params: z.object({ key: z.string().max(64) }),
  query: reportQuerySchema
    .extend({
      offset: numeric(z.int().min(0).max(10_000_000)).default(0),
      limit: numeric(z.int().min(1).max(REPORT_PAGE_MAX)).default(100),
    })
    .refine(isPeriod, BACKWARD),
  response: reportPageSchema,
  problems: ['not-found', 'not-allowed', 'range-too-long'],
});

/** `done` and `total` count vehicles. */
export const reportRunSchema = jobSchema
  .omit({ kind: true, startedAt: true, retryAt: true, startedBy: true })
  .extend({
    key: z.string(),
    title: z.string(),
    format: z.enum(REPORT_FORMATS),
    period: periodSchema,
    /** What can be downloaded; null until it is complete. */
    file: z
      .object({
        name: z.string(),
        bytes: z.int(),
        rows: z.int(),
        /** Of the whole file, in 64 hexadecimal digits; null if it was written before these were kept. */
        sha256: z.string().nullable(),
        /** Vehicles from which more may still have arrived after it was written. */
        late: z.int(),
        expiresAt: z.iso.datetime(),
      })
      .nullable(),
  })
  .meta({ id: 'ReportRun' });
export type ReportRun = z.infer<typeof reportRunSchema>;

const ofRun = z.object({ id: uuidSchema });

export const listReportRuns = defineRoute({
  method: 'GET',
  path: '/api/v1/report_run',
  access: 'vehicles.read',
  summary: 'List the reports that you had written to files in the last 30 days, newest first',
  tag: TAG,
  response: z.array(reportRunSchema),
});

export const startReportRun = defineRoute({
  method: 'POST',
  path: '/api/v1/report_run',
  access: 'profile.write',
  summary: 'Have a whole report written to a file; download it when it is done',
  tag: TAG,
  body: reportQuerySchema
    .extend({ key: z.string().max(64), format: z.enum(REPORT_FORMATS) })
    .refine(isPeriod, BACKWARD),
  status: 201,
  response: reportRunSchema,
  problems: ['not-found', 'range-too-long', 'report-runs-open', 'disk-full'],
});

export const startEvidencePack = defineRoute({
  method: 'POST',
  path: '/api/v1/evidence',
  access: 'profile.write',
  summary:
    'Have an evidence pack written: a PDF with map, events and attached data of vehicles between two times, both included',
  tag: TAG,
  body: z
    .object({
      vehicles: z.array(idSchema).min(1).max(EVIDENCE_VEHICLES_MAX),
      from: instantSchema,
      to: instantSchema,
      language: languageSchema,
    })
    .refine(isForward, BACKWARD),
  status: 201,
  /** Listed, canceled, deleted and downloaded as a report. */
  response: reportRunSchema,
  problems: ['not-found', 'range-too-long', 'report-runs-open', 'disk-full'],
});

export const repeatReportRun = defineRoute({
  method: 'POST',
  path: '/api/v1/report_run/{id}/repeat',
  access: 'profile.write',
  summary: 'Have a report or evidence pack that failed or was canceled written once more, as a new one',
  tag: TAG,
  params: ofRun,
  status: 201,
  response: reportRunSchema,
  problems: ['not-found', 'range-too-long', 'report-runs-open', 'disk-full'],
});

export const cancelReportRun = defineRoute({
  method: 'POST',
  path: '/api/v1/report_run/{id}/cancel',
  access: 'profile.write',
  summary: 'Cancel a report that is being written; one that has ended stays as it is',
  tag: TAG,
  params: ofRun,
  response: reportRunSchema,
  problems: ['not-found'],
});

export const deleteReportRun = defineRoute({
  method: 'DELETE',
  path: '/api/v1/report_run/{id}',
  access: 'profile.write',
  summary: 'Delete a written report and its file; one in progress is canceled',
  tag: TAG,
  params: ofRun,
  response: z.object({ ok: z.literal(true) }),
  problems: ['not-found'],
});

export const readReportFile = defineRoute({
  method: 'GET',
  path: '/api/v1/report_run/{id}/file',
  access: 'vehicles.read',
  summary: 'Download a written report',
  tag: TAG,
  params: ofRun,
  response: fileAnswerSchema,
  responseType: 'application/octet-stream',
  problems: ['not-found'],
});
