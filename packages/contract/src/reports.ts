/** The choices of reports that a page needs without the schemas. */

export const REPORT_SECTIONS = ['movement', 'driving', 'hours', 'alerts', 'fleet', 'work', 'admin'] as const;
export type ReportSection = (typeof REPORT_SECTIONS)[number];

export const REPORT_GROUPINGS = ['vehicle', 'driver', 'folder', 'geofence', 'day', 'week', 'month'] as const;
export type ReportGrouping = (typeof REPORT_GROUPINGS)[number];

/** What is in the cells of a column, and how it is shown. */
export const REPORT_COLUMN_TYPES = [
  'vehicle',
  'text',
  'place',
  'moment',
  'day',
  'distance',
  'duration',
  'speed',
  'share',
  'count',
  'number',
  /** Degrees of latitude or longitude. */
  'coordinate',
  /** An amount in the account's currency. */
  'money',
] as const;
export type ReportColumnType = (typeof REPORT_COLUMN_TYPES)[number];

/**
 * The shortest distance (meters) or time (seconds) to list; when work begins and ends (minutes after midnight); the
 * range of a temperature (°C); the price of a liter of fuel (thousandths of the account's currency), and what heavy and
 * light vehicles burn while idling (ml an hour).
 */
export const REPORT_OPTIONS = [
  'minimumM',
  'minimumS',
  'workFrom',
  'workTo',
  'coldFrom',
  'coldTo',
  'fuelPrice',
  'idleHeavyMl',
  'idleLightMl',
] as const;
export type ReportOptionKey = (typeof REPORT_OPTIONS)[number];

/** The files that a report can be written to. */
export const REPORT_FORMATS = ['csv', 'xlsx', 'pdf', 'json'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

/** How long a written report is kept, how many each user has of them, and how many may be in progress. */
export const REPORT_RUNS_KEPT_DAYS = 30;
export const REPORT_RUNS_KEPT = 20;
export const REPORT_RUNS_OPEN = 5;

/** The longest period of an evidence pack, the most vehicles in it, and the most positions. */
export const EVIDENCE_MAX_DAYS = 7;
export const EVIDENCE_VEHICLES_MAX = 20;
export const EVIDENCE_POSITIONS_MAX = 200_000;

/** The days of a scheduled report, as seen from the day on which it is due. */
export const REPORT_PERIODS = ['yesterday', 'seven', 'thirty', 'lastWeek', 'lastMonth', 'nextThirty'] as const;
export type ReportPeriod = (typeof REPORT_PERIODS)[number];

export const REPORT_RULES = ['day', 'week', 'month'] as const;
/** The most schedules of one user, and the most recipients of one. */
export const REPORT_SCHEDULES_MAX = 20;
export const REPORT_RECIPIENTS_MAX = 20;

/** The longest period of one report. */
export const REPORT_MAX_DAYS = 92;
