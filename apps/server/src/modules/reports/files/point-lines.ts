import { metres, metresPerSecond, toKilometres, toKilometresPerHour, toMiles, toMilesPerHour } from '@milepost/units';
import type { DirectoryEntry } from '../../../fleet/directory.ts';
import type { SpanColumns } from '../../../tracks/columns.ts';
import { turn } from '../../../workers/turns.ts';
import { daysOf } from '../../history/track-files/points.ts';
import { driverColumn } from '../columns.ts';
import type { FileStyle } from '../reader.ts';
import { type Asked, momentOf } from '../report.ts';
import { placeIn, wallTime } from './cells.ts';
import { LineWriter, TextCells } from './line-writer.ts';

const DAY_MS = 86_400_000;
/** From the year 0 to 9999, a date has ten characters; outside of it, dates are written the slow way. */
const [YEAR_10000, YEAR_0] = [Date.UTC(10_000, 0, 1), -62_167_219_200_000];
const COLON = 0x3a;
/** Clocks change on the quarter of an hour. */
const QUARTER_MS = 900_000;

/** What a line is made of. */
const COLUMNS = ['lat', 'lon', 'speed', 'course', 'odometer', 'ignition', 'rfid', 'valid', 'doubts', 'late'] as const;
type PointColumns = SpanColumns<(typeof COLUMNS)[number]>;

/** The texts of a line. */
export interface PointTexts {
  readonly ignition: (on: boolean) => string;
  /** Null for a point that is nowhere. */
  readonly placeOf: (point: { lat: number; lon: number; doubts: number }) => Parameters<typeof placeIn>[0] | null;
  readonly marks: (point: { late: boolean; valid: boolean; doubts: number }) => string;
}

/** A vehicle's points in a period as lines of CSV: the same as from the cells of its rows, but many times faster. */
export async function* pointLines(
  asked: Asked,
  vehicle: DirectoryEntry,
  period: { readonly from: Date; readonly to: Date },
  { texts, style, zone }: { readonly texts: PointTexts; readonly style: FileStyle; readonly zone: string },
): AsyncGenerator<Uint8Array> {
  const cells = new TextCells();
  const line = new LineWriter();
  const name = cells.of(vehicle.name);
  const clock = new Clock(zone);
  const drivers = new DriverCells(asked, vehicle, cells);
  const [on, off] = [cells.of(texts.ignition(true)), cells.of(texts.ignition(false))];
  const isMiles = style.distanceUnit === 'mi';
  const speedIn = isMiles ? toMilesPerHour : toKilometresPerHour;
  const distanceIn = isMiles ? toMiles : toKilometres;
  const { odometerOffset } = vehicle;
  /** The last place: a parked vehicle reports it again and again. */
  let last = { lat: Number.NaN, lon: Number.NaN, doubts: 0, cell: cells.of('') };
  const placeCell = (lat: number, lon: number, doubts: number): Uint8Array => {
    if (lat === last.lat && lon === last.lon && doubts === last.doubts) return last.cell;
    const place = texts.placeOf({ lat, lon, doubts });
    last = { lat, lon, doubts, cell: cells.of(place === null ? '' : placeIn(place, style)) };
    return last.cell;
  };

  const write = (points: PointColumns, i: number): void => {
    const [timeMs, lat, lon] = [points.fixAt[i] as number, points.lat[i] as number, points.lon[i] as number];
    const [speed, course, odometer] = [points.speed[i] ?? null, points.course[i] ?? null, points.odometer[i] ?? null];
    const [doubts, ignition] = [points.doubts[i] as number, points.ignition[i] ?? null];
    const [late, valid] = [points.late[i] === true, points.valid[i] === true];
    line.cell(name);
    line.comma();
    clock.write(line, timeMs);
    line.comma();
    line.figure(lat, 6);
    line.comma();
    line.figure(lon, 6);
    line.comma();
    line.cell(placeCell(lat, lon, doubts));
    line.comma();
    if (speed !== null) line.figure(speedIn(metresPerSecond(speed)), 1);
    line.comma();
    if (course !== null) line.figure(course, 3);
    line.comma();
    if (ignition !== null) line.cell(ignition ? on : off);
    line.comma();
    // Zero is what trackers without one report.
    if (odometer !== null) line.figure(distanceIn(metres(odometer && odometer + odometerOffset)), 3);
    line.comma();
    line.cell(drivers.at(timeMs, points.rfid[i] ?? null));
    line.comma();
    if (late || !valid || doubts !== 0) line.cell(cells.of(texts.marks({ late, valid, doubts })));
    line.endLine();
  };

  for await (const points of daysOf(asked.sources.db, vehicle, period, COLUMNS)) {
    drivers.begin(points);
    for (let i = 0; i < points.fixAt.length; i++) {
      write(points, i);
      if (!line.isFull) continue;
      yield line.take();
      await turn();
    }
  }
  yield line.take();
}

/** How far a zone's clocks are ahead of UTC, by quarter hour: all vehicles of a report need the same ones. */
const AHEAD = new Map<string, Map<number, number>>();
/** About a year of them. */
const QUARTERS_REMEMBERED = 36_000;

function aheadIn(zone: string, quarter: number): number {
  let known = AHEAD.get(zone);
  if (!known || known.size >= QUARTERS_REMEMBERED) {
    known = new Map();
    AHEAD.set(zone, known);
  }
  const startMs = quarter * QUARTER_MS;
  const ahead =
    known.get(quarter) ?? Date.parse(`${wallTime(new Date(startMs).toISOString(), zone).replace(' ', 'T')}Z`) - startMs;
  known.set(quarter, ahead);
  return ahead;
}

/** `2026-11-24 03:17:00` on the clocks of a zone; points are mostly in the order of time. */
class Clock {
  readonly #zone: string;
  #quarter = Number.NaN;
  #aheadMs = 0;
  #day = Number.NaN;
  #date: Uint8Array = Buffer.alloc(0);

  constructor(zone: string) {
    this.#zone = zone;
  }

  write(line: LineWriter, timeMs: number): void {
    if (!(timeMs >= YEAR_0 + DAY_MS && timeMs < YEAR_10000 - DAY_MS)) {
      line.cell(Buffer.from(wallTime(new Date(timeMs).toISOString(), this.#zone)));
      return;
    }
    const quarter = Math.floor(timeMs / QUARTER_MS);
    if (quarter !== this.#quarter) {
      this.#quarter = quarter;
      this.#aheadMs = aheadIn(this.#zone, quarter);
    }
    const wallMs = timeMs + this.#aheadMs;
    const day = Math.floor(wallMs / DAY_MS);
    if (day !== this.#day) {
      this.#day = day;
      this.#date = Buffer.from(`${new Date(day * DAY_MS).toISOString().slice(0, 10)} `);
    }
    line.cell(this.#date);
    const seconds = Math.floor((wallMs - day * DAY_MS) / 1000);
    line.two(Math.floor(seconds / 3600), COLON);
    line.two(Math.floor(seconds / 60) % 60, COLON);
    line.two(seconds % 60, 0);
  }
}

/** Who drove, as a cell; looked up again only where the signed-in or the usual driver changes. */
class DriverCells {
  readonly #asked: Asked;
  readonly #vehicle: DirectoryEntry;
  readonly #cells: TextCells;
  readonly #byCard = new Map<string | null, Uint8Array>();
  #changes: readonly number[] = [];
  #next = 0;

  constructor(asked: Asked, vehicle: DirectoryEntry, cells: TextCells) {
    this.#asked = asked;
    this.#vehicle = vehicle;
    this.#cells = cells;
  }

  /** Points that follow the last ones, in the order of time. */
  begin({ fixAt }: PointColumns): void {
    const [from, to] = [fixAt[0] as number, fixAt.at(-1) as number];
    this.#changes = this.#asked.sources.parts.driving.changes(this.#vehicle.id, from, to);
    this.#next = 0;
    this.#byCard.clear();
  }

  at(timeMs: number, rfid: string | null): Uint8Array {
    if (timeMs >= (this.#changes[this.#next] ?? Number.POSITIVE_INFINITY)) {
      while (timeMs >= (this.#changes[this.#next] ?? Number.POSITIVE_INFINITY)) this.#next++;
      this.#byCard.clear();
    }
    let cell = this.#byCard.get(rfid);
    if (cell === undefined) {
      const { sources } = this.#asked;
      const drivers = sources.driversOf(this.#vehicle, momentOf({ timeMs }), rfid === null ? [] : [rfid]);
      const text = driverColumn.of({ id: '', vehicle: this.#vehicle, day: null, drivers }, this.#asked);
      cell = this.#cells.of((text as string | null) ?? '');
      this.#byCard.set(rfid, cell);
    }
    return cell;
  }
}
