import { FIX_DOUBTS } from '@milepost/contract';
import type { DirectoryEntry } from '../../../fleet/directory.ts';
import { COMPASS_POINTS, LENGTH, TOWN } from '../../../points/place-texts.ts';
import {
  POINT_COLUMNS,
  type PointWords,
  type WantedPoints,
  type WrittenPoints,
  writePoints,
} from '../../../points/write-points.ts';
import { readPackedColumns } from '../../../tracks/columns.ts';
import type { Span } from '../../../tracks/span.ts';
import { TEXTS } from '../../notifications/texts/texts.ts';
import { driverColumn } from '../columns.ts';
import type { FileStyle } from '../reader.ts';
import { type Asked, momentOf } from '../report.ts';

const DAY_MS = 24 * 3_600_000;
/** While lines of one day are written, the next ones are read, and wait for a worker. */
const AHEAD = 3;
/** Room for the lines of a day with a report every 10 s. */
const ROOM_BYTES = 1_500_000;
/** Memory of a report that is being written, used again and again: what each day leaves behind would pile up. */
const ROOMS = new WeakMap<Asked, Uint8Array[]>();

/** The texts that are the report's own. */
export interface PointTexts {
  readonly ignition: (on: boolean) => string;
  /** A point that is nowhere has no place. */
  readonly isSomewhere: (point: { readonly doubts: number }) => boolean;
  readonly marks: (point: { late: boolean; valid: boolean; doubts: number }) => string;
}

/**
 * A vehicle's points in a period as lines of CSV: the same as from the cells of its rows, but many times faster. Workers
 * write them, a day (UTC) at a time. The lines of one day are overwritten once the next ones are asked for.
 */
export async function* pointLines(
  asked: Asked,
  vehicle: DirectoryEntry,
  { from, to }: { readonly from: Date; readonly to: Date },
  { texts, style }: { readonly texts: PointTexts; readonly style: FileStyle },
): AsyncGenerator<Uint8Array> {
  const words = wordsOf(texts, style);
  const spans = daysOf(vehicle, from, to);
  const rooms = ROOMS.get(asked) ?? [];
  ROOMS.set(asked, rooms);
  const begun: { readonly room: Uint8Array; readonly lines: Promise<Uint8Array | null> }[] = [];
  const begin = (): void => {
    const { done, value } = spans.next();
    if (done) return;
    const room = rooms.pop() ?? new Uint8Array(new SharedArrayBuffer(ROOM_BYTES));
    const lines = linesOf(asked, vehicle, { span: value, words, room });
    // It is awaited in its turn.
    lines.catch(() => {});
    begun.push({ room, lines });
  };
  for (let nth = 0; nth < AHEAD; nth++) begin();
  for (let first = begun.shift(); first; first = begun.shift()) {
    const lines = await first.lines;
    begin();
    if (lines !== null) yield lines;
    // If nobody asks for more, rooms that are still written to are not used again.
    rooms.push(first.room);
  }
}

function* daysOf({ id: vehicleId }: DirectoryEntry, from: Date, to: Date): Generator<Span, undefined> {
  for (let start = from; start <= to; ) {
    const next = new Date((Math.floor(start.getTime() / DAY_MS) + 1) * DAY_MS);
    yield { vehicleId, from: start, ...(next <= to ? { before: next } : { to }) };
    start = next;
  }
}

async function linesOf(
  asked: Asked,
  vehicle: DirectoryEntry,
  { room, span, words }: Pick<WantedPoints, 'room' | 'span' | 'words'>,
): Promise<Uint8Array | null> {
  const { calendar, sources } = asked;
  const { db, parts } = sources;
  const columns = await db.asAccount(vehicle.accountId, trx => readPackedColumns(trx, span, POINT_COLUMNS));
  if (columns.rows === null && columns.tracks.length === 0) return null;
  const [fromMs, toMs] = [Number(span.from), Number(span.before ?? span.to)];
  const changes = parts.driving.changes(vehicle.id, fromMs, toMs);
  const driversBy = (card: string | null): string[] =>
    [fromMs, ...changes].map(timeMs => {
      const drivers = sources.driversOf(vehicle, momentOf({ timeMs }), card === null ? [] : [card]);
      return (driverColumn.of({ id: '', vehicle: null, day: null, drivers }, asked) as string | null) ?? '';
    });
  const wanted: WantedPoints = {
    ...{ columns, room, span, words, changes, zone: calendar.zone, places: parts.places.known },
    ...{ name: vehicle.name, odometerOffset: vehicle.odometerOffset },
    drivers: new Map([[null, driversBy(null)]]),
  };
  let written = await write(asked, wanted);
  if (written.unknown.length > 0) {
    // It has seen cards whose holders it has to be told.
    const cards = written.unknown.map(card => [card, driversBy(card)] as const);
    written = await write(asked, { ...wanted, drivers: new Map([...wanted.drivers, ...cards]) });
  }
  return written.lines ?? room.subarray(0, written.length);
}

/** In a worker; here if there is none in time, or if other work of the account waits for all of them. */
const write = (asked: Asked, wanted: WantedPoints): Promise<WrittenPoints> =>
  asked.sources.parts.workers.run(asked.session.accountId, 'writePoints', wanted).catch(() => writePoints(wanted));

function wordsOf(texts: PointTexts, { distanceUnit, language }: FileStyle): PointWords {
  const doubts = Array.from({ length: 2 ** FIX_DOUBTS.length }, (_, bits) => bits);
  return {
    isMiles: distanceUnit === 'mi',
    on: texts.ignition(true),
    off: texts.ignition(false),
    marks: doubts.flatMap(bits =>
      [0, 1, 2, 3].map(flags => texts.marks({ doubts: bits, late: flags > 1, valid: flags % 2 === 0 })),
    ),
    isNowhere: doubts.map(bits => !texts.isSomewhere({ doubts: bits })),
    near: COMPASS_POINTS.map(point => TEXTS[language].near(`${LENGTH} ${distanceUnit}`, point, TOWN)),
  };
}
