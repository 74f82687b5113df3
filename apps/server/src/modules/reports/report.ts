import type {
  Detention,
  Language,
  Permission,
  ReportCell,
  ReportColumnType,
  ReportGrouping,
  ReportOptionKey,
  ReportSection,
} from '@milepost/contract';
import type { Leg, LegPart } from '@milepost/geo';
import type { Context } from '../../context.ts';
import type { DirectoryEntry } from '../../fleet/directory.ts';
import type { Organisation } from '../../fleet/organisation.ts';
import type { ReportContext } from '../../ingest/report.ts';
import type { Workers } from '../../workers/workers.ts';
import type { Calendar } from '../history/days/calendar.ts';
import type { DailyFigures } from '../history/days/daily-figures.ts';
import type { DayTotals } from '../history/days/totals.ts';
import type { Places } from '../places/places.ts';
import type { FileStyle, ReportViewer } from './reader.ts';
import type { Words } from './words.ts';

export interface ReportParts extends Organisation {
  readonly figures: DailyFigures;
  readonly reportContext: ReportContext;
  readonly places: Pick<Places, 'known'>;
  readonly workers: Workers;
}

export interface VehicleLegs {
  readonly vehicle: DirectoryEntry;
  /** Within the period, and within a group where days, weeks or months are grouped: what crosses midnight there is cut. */
  readonly legs: readonly Leg[];
}

export interface VehicleDayTotals {
  readonly vehicle: DirectoryEntry;
  readonly day: number;
  readonly totals: DayTotals;
}

/** A visit, or its part within the period, and within a group where days, weeks or months are grouped. */
export interface VisitPart {
  readonly vehicle: DirectoryEntry;
  readonly geofence: { readonly id: number; readonly name: string };
  readonly detention: Detention | null;
  /** Of the whole visit, in ms; `outMs` is null while it is inside. */
  readonly inMs: number;
  readonly outMs: number | null;
  readonly fromMs: number;
  readonly toMs: number;
}

export type PartKind = LegPart['kind'];

/** Where reports read from: what is kept of days and trips, and places and names in memory. */
export interface ReportSources {
  legs(asked: Asked, kinds?: readonly PartKind[]): AsyncIterable<readonly VehicleLegs[]>;
  /** Every day of each vehicle of which something is known. */
  days(asked: Asked): AsyncIterable<readonly VehicleDayTotals[]>;
  /** What of visits to geofences is within the period; none of vehicles that are seen only with a driver. */
  visits(asked: Asked): AsyncIterable<readonly VisitPart[]>;
  /** The vehicles that sent a usable position in the period. */
  withData(asked: Asked): Promise<ReadonlySet<number>>;
  placeOf(place: { readonly lat: number; readonly lon: number } | null): PlaceCell | null;
  /** All who drove in a time, in epoch milliseconds, by `DrivingNow.during`. */
  driversOf(vehicle: DirectoryEntry, when: Stretch, cards: readonly string[]): readonly ReportDriver[];
  readonly db: Context['db'];
  readonly parts: ReportParts;
}

export interface Stretch {
  readonly from: number;
  readonly to: number;
}

export const momentOf = ({ timeMs }: { readonly timeMs: number }): Stretch => ({ from: timeMs, to: timeMs });

type PlaceCell = { address: string | null; near?: { town: string; distanceM: number; bearing: number } };

export interface ReportDriver {
  readonly id: number;
  readonly name: string;
  /** Nothing says that they drove, but they usually drive the vehicle. */
  readonly isUsual?: boolean;
}

/** What a row is about. Each report adds what its columns read. */
export interface ReportItem {
  /** The same whenever the report is run. */
  readonly id: string;
  readonly vehicle: DirectoryEntry | null;
  /** Those who drove. */
  readonly drivers?: readonly ReportDriver[];
  /** Where it was. */
  readonly geofence?: { readonly id: number; readonly name: string };
  /** Its day in the account's calendar. */
  readonly day: number | null;
  /** The vehicle's track in this period shows it. */
  readonly evidence?: { readonly fromMs: number; readonly toMs: number };
  readonly isUnderWay?: boolean;
}

/** The figure of a column over rows, by the key of each column that is added up. */
export type TotalOf = (of: (key: string) => number | null) => number | null;

export interface Column<Item extends ReportItem> {
  readonly key: string;
  readonly title: Words;
  readonly type: ReportColumnType;
  readonly of: (item: Item, asked: Asked) => ReportCell;
  /** Sums are exact to a thousandth: a millimeter, a millisecond. A share or mean is computed from other totals. */
  readonly total?: 'sum' | 'max' | TotalOf;
}

export interface Option {
  readonly key: ReportOptionKey;
  readonly title: Words;
  readonly value: number;
}

/** What a report is asked for. */
export interface Asked {
  readonly session: ReportViewer;
  readonly language: Language;
  readonly calendar: Calendar;
  /** Days of the account, both included. */
  readonly from: number;
  readonly to: number;
  readonly nowMs: number;
  /** By name. Their whole past may be seen, unless `seesPosition` is there: then only the positions it lets through. */
  readonly vehicles: readonly DirectoryEntry[];
  readonly seesPosition: ((vehicle: DirectoryEntry, rfid: string | null, atMs: number) => boolean) | null;
  /** Vehicles or folders were asked for: what is about none of their vehicles is left out. */
  readonly namesVehicles: boolean;
  readonly groupBy: ReportGrouping | null;
  readonly bucketOf: (day: number) => number;
  readonly option: (key: ReportOptionKey) => number;
  readonly sources: ReportSources;
}

/**
 * One report: its words, its columns, and how its rows are read. `docs/reports.md` and CONTRIBUTING.md say how one is
 * added.
 */
export interface Report<Item extends ReportItem = ReportItem> {
  readonly key: string;
  readonly section: ReportSection;
  readonly title: Words;
  readonly text: Words;
  /** Needed besides the permission to see vehicles. */
  readonly needs?: Permission;
  /** Made of what vehicles sent, so that it says who is late. */
  readonly isOfPositions: boolean;
  readonly groupings: readonly ReportGrouping[];
  /** How it opens, if not by the first of its groupings; null where a row is a vehicle or rows are read in their order. */
  readonly opensBy?: ReportGrouping | null;
  /** About days to come: it opens with the next 30 days instead of the last seven. */
  readonly looksAhead?: true;
  /** The column with a total that its chart shows first, if not the first of them. */
  readonly chart?: string;
  readonly options?: readonly Option[];
  readonly columns: readonly Column<Item>[];
  /**
   * How many rows each vehicle has, for a report with more of them than memory holds: they are read again whenever they
   * are needed, so they are grouped by vehicle at most, and no column has a total.
   */
  readonly counts?: (asked: Asked) => Promise<ReadonlyMap<number, number>>;
  /**
   * The rows of a vehicle as lines of CSV, for a report with so many that a cell at a time takes too long; the same lines
   * as those of the cells, which a test compares. Lines are overwritten once the next ones are asked for.
   */
  readonly lines?: (asked: Asked, vehicle: DirectoryEntry, style: FileStyle) => AsyncIterable<Uint8Array>;
  /** Rows of a few vehicles at a time, in the vehicles' order, oldest first. */
  readonly read: (asked: Asked) => AsyncIterable<readonly Item[]>;
}

/** Keeps the columns' items and the reader's the same, whatever they are. */
export const defineReport = <Item extends ReportItem>(report: Report<Item>): Report => report as unknown as Report;

export const VISIT_GROUPINGS = [
  'geofence',
  'vehicle',
  'folder',
  'day',
  'week',
  'month',
] as const satisfies ReportGrouping[];
export const VEHICLE_GROUPINGS = ['vehicle', 'folder', 'day', 'week', 'month'] as const satisfies ReportGrouping[];
export const TRIP_GROUPINGS = [
  'vehicle',
  'driver',
  'folder',
  'day',
  'week',
  'month',
] as const satisfies ReportGrouping[];
