import { sql } from 'kysely';
import type { AccountTransaction } from '../db/database.ts';
import { plainCard } from './driver-card.ts';
import { decimalOfFour } from './four-bytes.ts';
import { dayOf } from './sealed-day.ts';

/** From the first millisecond on, and before the last one. */
export interface PastSpan {
  readonly fromMs: number;
  readonly beforeMs: number;
}

/** A vehicle's past as the database has it, in the order of time; plain bytes, so that a worker can read them. */
export interface PastBytes {
  /** Packed days. */
  readonly tracks: readonly Uint8Array[];
  /** Reliable fixes of the other days: of each column all values, as PostgreSQL sends them in binary. */
  readonly rows: Readonly<Record<Column, Uint8Array>> | null;
  /** The drivers' cards in these; null if nobody asked. */
  readonly cards: readonly (string | null)[] | null;
}

const COLUMNS = [
  'fix_at',
  'lat',
  'lon',
  'speed',
  'ignition',
  'hdop',
  'temperature',
  'fuel',
  'supply',
  'battery',
] as const;
type Column = (typeof COLUMNS)[number];

/** Numbers among the attributes; another value is none. */
const number = (name: string) =>
  sql`case when jsonb_typeof(attributes->${sql.lit(name)}) = 'number' then (attributes->>${sql.lit(name)})::float8 end`;

/**
 * The past of a vehicle, with little work per position: packed days as they are, and the rows of the others put together
 * by the database, column by column. One statement, so that a day that is being sealed is read on one side of it.
 */
export async function readPastBytes(
  trx: AccountTransaction,
  vehicleId: number,
  { beforeMs, fromMs }: PastSpan,
  /** These take the database some time. */
  { hasAttributes, hasCards }: { readonly hasAttributes: boolean; readonly hasCards: boolean },
): Promise<PastBytes> {
  const [from, before] = [new Date(fromMs), new Date(beforeMs)];
  const four = (name: string) => sql`string_agg(float4send(coalesce(${sql.ref(name)}, 'NaN')), ''::bytea)`;
  const eight = (value: ReturnType<typeof number>) =>
    hasAttributes ? sql`string_agg(float8send(coalesce(${value}, 'NaN')), ''::bytea)` : sql`null::bytea`;
  const nothing = sql.join(COLUMNS.map(() => sql`null::bytea`));
  const cards = hasCards ? sql`array_agg(case when protocol <> 'osmand' then rfid end)` : sql`null::text[]`;
  const { rows } = await sql<Record<Column | 'track', Buffer | null> & { cards: (string | null)[] | null }>`
    (
      select string_agg(timestamptz_send(fix_at), ''::bytea) as fix_at, string_agg(float8send(lat), ''::bytea) as lat,
        string_agg(float8send(lon), ''::bytea) as lon, ${four('speed')} as speed,
        string_agg(case when ignition then '\\x01'::bytea when not ignition then '\\x00' else '\\x02' end, ''::bytea) as ignition,
        ${four('hdop')} as hdop, ${four('temperature')} as temperature, ${four('fuel')} as fuel,
        ${eight(number('externalVoltage'))} as supply, ${eight(number('batteryLevel'))} as battery, ${cards} as cards, null::bytea as track
      from (
        select * from position where vehicle_id = ${vehicleId} and fix_at >= ${from} and fix_at < ${before}
          and valid and doubts = 0 order by fix_at
      ) fix
    ) union all (
      select ${nothing}, null, track from sealed_day
      where vehicle_id = ${vehicleId} and to_at >= ${from} and from_at < ${before}
        and day >= ${dayOf(fromMs)}::date and day <= ${dayOf(beforeMs)}::date
      order by day
    )`.execute(trx);
  const together = rows.find(({ fix_at }) => fix_at !== null);
  return {
    tracks: rows.flatMap(({ track }) => track ?? []),
    cards: together?.cards ?? null,
    rows:
      together === undefined
        ? null
        : (Object.fromEntries(COLUMNS.map(name => [name, together[name] ?? new Uint8Array()])) as PastBytes['rows']),
  };
}

/** Values as rows have them. */
export interface RowColumns {
  readonly fixAt: ArrayLike<number>;
  readonly lat: ArrayLike<number>;
  readonly lon: ArrayLike<number>;
  readonly speed: ArrayLike<number | null>;
  readonly hdop: ArrayLike<number | null>;
  readonly temperature: ArrayLike<number | null>;
  readonly fuel: ArrayLike<number | null>;
  readonly ignition: ArrayLike<boolean | null>;
  readonly supply: ArrayLike<number | null>;
  readonly battery: ArrayLike<number | null>;
  readonly card: ArrayLike<string | null>;
}

/** PostgreSQL counts microseconds from 2000 on. */
const EPOCH_MS = Date.UTC(2000, 0, 1);
const IGNITION = [false, true, null] as const;

/** Those of each day (UTC). */
export function daysOfRows(rows: NonNullable<PastBytes['rows']>, cards: PastBytes['cards']): RowColumns[] {
  const fixAt = eights(rows.fix_at, (view, at) => Number(view.getBigInt64(at)) / 1000 + EPOCH_MS);
  const [lat, lon] = [eights(rows.lat), eights(rows.lon)];
  const all = {
    ...{ speed: foursOf(rows.speed), hdop: foursOf(rows.hdop) },
    ...{ temperature: foursOf(rows.temperature), fuel: foursOf(rows.fuel) },
    ...{ supply: known(eights(rows.supply)), battery: known(eights(rows.battery)) },
    ignition: Array.from(rows.ignition, value => IGNITION[value] ?? null),
    card: cards?.map(card => (card === null ? null : plainCard(card))) ?? [],
  };
  const days: RowColumns[] = [];
  for (let from = 0; from < fixAt.length; ) {
    const ends = (Math.floor((fixAt[from] as number) / DAY_MS) + 1) * DAY_MS;
    let to = from + 1;
    while (to < fixAt.length && (fixAt[to] as number) < ends) to++;
    const rest = Object.entries(all).map(([name, column]) => [name, column.slice(from, to)]);
    days.push({
      ...(Object.fromEntries(rest) as Omit<RowColumns, 'fixAt' | 'lat' | 'lon'>),
      ...{ fixAt: fixAt.subarray(from, to), lat: lat.subarray(from, to), lon: lon.subarray(from, to) },
    });
    from = to;
  }
  return days;
}

const DAY_MS = 24 * 3_600_000;

function eights(bytes: Uint8Array, read = (view: DataView, at: number): number => view.getFloat64(at)): Float64Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const values = new Float64Array(bytes.length / 8);
  for (let i = 0; i < values.length; i++) values[i] = read(view, i * 8);
  return values;
}

const known = (values: Float64Array): (number | null)[] =>
  Array.from(values, value => (Number.isNaN(value) ? null : value));

function foursOf(bytes: Uint8Array): (number | null)[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: bytes.length / 4 }, (_, i) => {
    const value = view.getFloat32(i * 4);
    return Number.isNaN(value) ? null : decimalOfFour(value);
  });
}
