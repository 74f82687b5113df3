import type { KnownPlaces } from '@milepost/geo';
import { metres, metresPerSecond, toKilometres, toKilometresPerHour, toMiles, toMilesPerHour } from '@milepost/units';
import { columnsIn, type PackedColumns, type SpanColumns } from '../tracks/columns.ts';
import type { Span } from '../tracks/span.ts';
import { LineWriter, TextCells } from './line-writer.ts';
import { Minutes } from './minutes.ts';
import { PlaceTexts, type PlaceWords } from './place-texts.ts';

/** What a line is made of. */
export const POINT_COLUMNS = [
  'lat',
  'lon',
  'speed',
  'course',
  'odometer',
  'ignition',
  'rfid',
  'valid',
  'doubts',
  'late',
] as const;
type PointColumns = SpanColumns<(typeof POINT_COLUMNS)[number]>;

/** The texts of a line. */
export interface PointWords extends PlaceWords {
  readonly on: string;
  readonly off: string;
  /** By doubts, then whether it is late, then whether it has no fix, a bit each. */
  readonly marks: readonly string[];
  /** By doubts: the point is nowhere. As many as a power of two. */
  readonly isNowhere: readonly boolean[];
}

/** Points of a vehicle to write as lines of CSV; plain values, so that a worker can do it. */
export interface WantedPoints {
  readonly columns: PackedColumns;
  readonly span: Span;
  readonly name: string;
  readonly odometerOffset: number;
  readonly zone: string;
  readonly words: PointWords;
  readonly places: KnownPlaces;
  /** When who drove may change, and by card the texts of the times before, between and after these. */
  readonly changes: readonly number[];
  readonly drivers: ReadonlyMap<string | null, readonly string[]>;
  /** Memory of both threads, into which the lines are written. */
  readonly room: Uint8Array;
}

export interface WrittenPoints {
  /** How many bytes of the room the lines take. */
  readonly length: number;
  /** The lines, if the room was too small for them. */
  readonly lines: Uint8Array | null;
  /** Cards of whose holders nothing is known yet; then nothing is written. */
  readonly unknown: readonly string[];
}

/** Lines of CSV. */
export function writePoints(wanted: WantedPoints): WrittenPoints {
  const points = columnsIn(wanted.columns, wanted.span, POINT_COLUMNS);
  const unknown = unknownCards(points, wanted.drivers);
  if (unknown.length > 0) return { length: 0, lines: null, unknown };
  const line = new LineWriter(wanted.room);
  writeLines(line, points, wanted);
  return { length: line.length, lines: line.isInRoom ? null : line.finish(), unknown };
}

function unknownCards({ rfid }: PointColumns, drivers: WantedPoints['drivers']): string[] {
  const unknown = new Set<string>();
  let last: string | null = null;
  for (const card of rfid) {
    if (card !== null && card !== last && !drivers.has(card)) unknown.add(card);
    last = card;
  }
  return [...unknown];
}

function writeLines(line: LineWriter, points: PointColumns, { places, words, zone, ...wanted }: WantedPoints): void {
  const { fixAt, lat, lon, speed, course, odometer, ignition, rfid, valid, doubts, late } = points;
  const cells = new TextCells();
  const minutes = new Minutes(zone, Buffer.concat([cells.of(wanted.name), Buffer.from(',')]));
  const placeTexts = textsFor(places, words);
  const drivers = new DriverCells(wanted, cells);
  const [on, off] = [cells.of(words.on), cells.of(words.off)];
  const speedIn = words.isMiles ? toMilesPerHour : toKilometresPerHour;
  const distanceIn = words.isMiles ? toMiles : toKilometres;
  for (let i = 0; i < fixAt.length; i++) {
    const [timeMs, doubt] = [fixAt[i] as number, (doubts[i] as number) & (words.isNowhere.length - 1)];
    minutes.write(line, timeMs);
    line.comma();
    line.figure(lat[i] as number, 6);
    line.comma();
    line.figure(lon[i] as number, 6);
    line.comma();
    if (!words.isNowhere[doubt]) line.cell(placeTexts.at(lat[i] as number, lon[i] as number));
    line.comma();
    const moved = speed[i] ?? null;
    if (moved !== null) line.figure(speedIn(metresPerSecond(moved)), 1);
    line.comma();
    const headed = course[i] ?? null;
    if (headed !== null) line.figure(headed, 3);
    line.comma();
    const isOn = ignition[i] ?? null;
    if (isOn !== null) line.cell(isOn ? on : off);
    line.comma();
    const driven = odometer[i] ?? null;
    // Zero is what trackers without one report.
    if (driven !== null) line.figure(distanceIn(metres(driven && driven + wanted.odometerOffset)), 3);
    line.comma();
    line.cell(drivers.at(timeMs, rfid[i] ?? null));
    line.comma();
    const mark = doubt * 4 + (late[i] ? 2 : 0) + (valid[i] ? 0 : 1);
    if (mark !== 0) line.cell(cells.of(words.marks[mark] ?? ''));
    line.endLine();
  }
}

/** Of the reports that are being written: one for each language and unit. */
const PLACE_TEXTS = new Map<string, PlaceTexts>();
const STYLES_REMEMBERED = 3;

function textsFor(places: KnownPlaces, words: PlaceWords): PlaceTexts {
  const key = `${words.isMiles} ${words.near[0]}`;
  let texts = PLACE_TEXTS.get(key);
  if (!texts) {
    if (PLACE_TEXTS.size >= STYLES_REMEMBERED) PLACE_TEXTS.clear();
    texts = new PlaceTexts(places, words);
    PLACE_TEXTS.set(key, texts);
  }
  return texts;
}

/** Who drove, as a cell; another one only where the signed-in or the usual driver, or the card, changes. */
class DriverCells {
  readonly #wanted: Pick<WantedPoints, 'changes' | 'drivers'>;
  readonly #cells: TextCells;
  #next = 0;
  #card: string | null | undefined;
  #cell: Uint8Array = Buffer.alloc(0);

  constructor(wanted: Pick<WantedPoints, 'changes' | 'drivers'>, cells: TextCells) {
    this.#wanted = wanted;
    this.#cells = cells;
  }

  /** Times come in their order. */
  at(timeMs: number, card: string | null): Uint8Array {
    const { changes, drivers } = this.#wanted;
    if (card === this.#card && !(timeMs >= (changes[this.#next] as number))) return this.#cell;
    while (timeMs >= (changes[this.#next] as number)) this.#next++;
    this.#card = card;
    this.#cell = this.#cells.of(drivers.get(card)?.[this.#next] ?? '');
    return this.#cell;
  }
}
