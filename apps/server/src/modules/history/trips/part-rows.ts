import type { LegPart } from '@milepost/geo';
import { degrees, epochMs, metres, metresPerSecond, percent } from '@milepost/units';
import { type Selectable, sql } from 'kysely';
import type { AccountTransaction } from '../../../db/database.ts';
import type { Database } from '../../../db/schema.ts';
import type { Followed } from '../../../projections/projection.ts';

type PartRow = Selectable<Database['trip_part']>;

export interface PartsOfDay {
  readonly accountId: number;
  readonly vehicleId: number;
  readonly date: string;
  readonly parts: readonly LegPart[];
}

/** Writes the parts of these days; unchanged rows are left untouched. */
export async function writeParts(trx: AccountTransaction, days: readonly PartsOfDay[]): Promise<void> {
  if (days.length === 0) return;
  const rows = days.flatMap(({ accountId, vehicleId, date, parts }) =>
    parts.map(part => ({ account_id: accountId, vehicle_id: vehicleId, day: date, ...toRow(part) })),
  );
  const given = sql`json_populate_recordset(null::trip_part, ${JSON.stringify(rows)}::json)`;
  await sql`
    delete from trip_part known using unnest(
      ${days.map(({ accountId }) => accountId)}::int4[], ${days.map(({ vehicleId }) => vehicleId)}::int4[],
      ${days.map(({ date }) => date)}::date[]
    ) as written (account_id, vehicle_id, day)
    where known.account_id = written.account_id and known.vehicle_id = written.vehicle_id and known.day = written.day and not exists (
      select from ${given} given where given.vehicle_id = known.vehicle_id and given.from_at = known.from_at
    )`.execute(trx);
  const values = VALUES.map(column => sql.ref(column));
  await sql`
    insert into trip_part as known select * from ${given}
    on conflict (vehicle_id, from_at) do update
    set (${sql.join(values)}) = row(${sql.join(VALUES.map(column => sql.ref(`excluded.${column}`)))})
    where (${sql.join(VALUES.map(column => sql.ref(`known.${column}`)))})
      is distinct from (${sql.join(VALUES.map(column => sql.ref(`excluded.${column}`)))})`.execute(trx);
}

/** The parts of the days from first to last, oldest first. */
export async function readParts(
  trx: AccountTransaction,
  { id, accountId }: Followed,
  fromDate: string,
  toDate: string,
): Promise<LegPart[]> {
  const rows = await trx
    .selectFrom('trip_part')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('vehicle_id', '=', id)
    .where('day', '>=', fromDate)
    .where('day', '<=', toDate)
    .orderBy('from_at')
    .execute();
  return rows.map(fromRow);
}

/**
 * The same of several vehicles; of some kinds only if they are named. A report reads a hundred thousand, so times and
 * pairs come as numbers: reading them out of texts takes longer than the query.
 */
export async function readPartsOf(
  trx: AccountTransaction,
  vehicleIds: readonly number[],
  days: { readonly from: string; readonly to: string },
  kinds?: readonly LegPart['kind'][],
): Promise<Map<number, LegPart[]>> {
  const { rows } = await sql<NumberRow>`
    select vehicle_id, kind, ${ms('from_at')}, ${ms('to_at')}, ${ms('start_at')}, ${ms('end_at')}, millimetres, moving_ms,
      idling_ms, stopped_ms, max_speed, fixes, start_lat, start_lon, end_lat, end_lon, odometer[1] as odometer_first,
      odometer[2] as odometer_last, fuel[1] as fuel_first, fuel[2] as fuel_last, nullif(cards, '{}') as cards
    from trip_part
    where vehicle_id = any (${vehicleIds}) and day >= ${days.from} and day <= ${days.to}
      ${kinds === undefined ? sql`` : sql`and kind = any (${kinds})`}
    order by vehicle_id, trip_part.from_at`.execute(trx);
  const parts = new Map<number, LegPart[]>();
  for (const row of rows) {
    const of = parts.get(row.vehicle_id);
    if (of) of.push(fromNumbers(row));
    else parts.set(row.vehicle_id, [fromNumbers(row)]);
  }
  return parts;
}

const ms = (column: string) => sql`(extract(epoch from ${sql.ref(column)}) * 1000)::float8 as ${sql.ref(column)}`;

type Times = 'from_at' | 'to_at' | 'start_at' | 'end_at';

interface NumberRow extends Omit<PartRow, Times | 'account_id' | 'day' | 'odometer' | 'fuel' | 'cards'> {
  readonly from_at: number;
  readonly to_at: number;
  readonly start_at: number | null;
  readonly end_at: number | null;
  readonly odometer_first: number | null;
  readonly odometer_last: number | null;
  readonly fuel_first: number | null;
  readonly fuel_last: number | null;
  readonly cards: string[] | null;
}

const NO_CARDS: readonly string[] = [];

const fromNumbers = (row: NumberRow): LegPart => ({
  kind: row.kind as LegPart['kind'],
  from: epochMs(row.from_at),
  to: epochMs(row.to_at),
  millimetres: row.millimetres,
  movingMs: row.moving_ms,
  idlingMs: row.idling_ms,
  stoppedMs: row.stopped_ms,
  maxSpeed: row.max_speed === null ? null : metresPerSecond(row.max_speed),
  fixes: row.fixes,
  start: placeAt(row.start_at, row.start_lat, row.start_lon),
  end: placeAt(row.end_at, row.end_lat, row.end_lon),
  odometer:
    row.odometer_first === null || row.odometer_last === null
      ? null
      : { first: metres(row.odometer_first), last: metres(row.odometer_last) },
  fuel:
    row.fuel_first === null || row.fuel_last === null
      ? null
      : { first: percent(row.fuel_first), last: percent(row.fuel_last) },
  cards: row.cards ?? NO_CARDS,
});

const placeAt = (at: number | null, lat: number | null, lon: number | null): LegPart['start'] =>
  at === null || lat === null || lon === null ? null : { time: epochMs(at), lat: degrees(lat), lon: degrees(lon) };

const toRow = ({ start, end, odometer, fuel, ...part }: LegPart) => ({
  from_at: iso(part.from),
  to_at: iso(part.to),
  kind: part.kind,
  millimetres: part.millimetres,
  moving_ms: part.movingMs,
  idling_ms: part.idlingMs,
  stopped_ms: part.stoppedMs,
  max_speed: part.maxSpeed,
  fixes: part.fixes,
  start_at: start && iso(start.time),
  start_lat: start?.lat ?? null,
  start_lon: start?.lon ?? null,
  end_at: end && iso(end.time),
  end_lat: end?.lat ?? null,
  end_lon: end?.lon ?? null,
  odometer: odometer && [odometer.first, odometer.last],
  fuel: fuel && [fuel.first, fuel.last],
  cards: part.cards,
});

const VALUES = [
  'to_at',
  'day',
  'kind',
  'millimetres',
  'moving_ms',
  'idling_ms',
  'stopped_ms',
  'max_speed',
  'fixes',
  'start_at',
  'start_lat',
  'start_lon',
  'end_at',
  'end_lat',
  'end_lon',
  'odometer',
  'fuel',
  'cards',
] as const satisfies readonly (keyof PartRow)[];

const fromRow = (row: PartRow): LegPart => ({
  kind: row.kind as LegPart['kind'],
  from: epochMs(row.from_at.getTime()),
  to: epochMs(row.to_at.getTime()),
  millimetres: row.millimetres,
  movingMs: row.moving_ms,
  idlingMs: row.idling_ms,
  stoppedMs: row.stopped_ms,
  maxSpeed: row.max_speed === null ? null : metresPerSecond(row.max_speed),
  fixes: row.fixes,
  start: placeOf(row.start_at, row.start_lat, row.start_lon),
  end: placeOf(row.end_at, row.end_lat, row.end_lon),
  odometer: pairOf(row.odometer, metres),
  fuel: pairOf(row.fuel, percent),
  cards: row.cards,
});

const placeOf = (at: Date | null, lat: number | null, lon: number | null): LegPart['start'] =>
  placeAt(at === null ? null : at.getTime(), lat, lon);

function pairOf<Value>(pair: readonly number[] | null, unit: (value: number) => Value) {
  const [first, last] = pair ?? [];
  return first === undefined || last === undefined ? null : { first: unit(first), last: unit(last) };
}

const iso = (ms: number): string => new Date(ms).toISOString();
