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
 * The same of several vehicles; of some kinds only if they are named. A report reads a hundred thousand, so they come as
 * columns in JSON, which is read in less time than rows are.
 */
export async function readPartsOf(
  trx: AccountTransaction,
  vehicleIds: readonly number[],
  days: { readonly from: string; readonly to: string },
  kinds?: readonly LegPart['kind'][],
): Promise<Map<number, LegPart[]>> {
  const { rows } = await sql<{ readonly vehicle_id: number; readonly columns: PartColumns }>`
    select vehicle_id, json_build_array(json_agg(kind), ${sql.join(TIMES.map(name => sql`json_agg(date_part('epoch', ${sql.ref(name)}) * 1000)`))},
      ${sql.join(FIGURES.map(name => sql`json_agg(${sql.ref(name)})`))}) as columns
    from (
      select * from trip_part
      where vehicle_id = any (${vehicleIds}) and day >= ${days.from} and day <= ${days.to}
        ${kinds === undefined ? sql`` : sql`and kind = any (${kinds})`}
      order by vehicle_id, from_at
    ) part group by vehicle_id`.execute(trx);
  return new Map(rows.map(({ vehicle_id, columns }) => [vehicle_id, partsIn(columns)]));
}

const TIMES = ['from_at', 'to_at', 'start_at', 'end_at'] as const;
const FIGURES = [
  'millimetres',
  'moving_ms',
  'idling_ms',
  'stopped_ms',
  'max_speed',
  'fixes',
  'start_lat',
  'start_lon',
  'end_lat',
  'end_lon',
  'odometer',
  'fuel',
  'cards',
] as const;

type Of<Name extends keyof PartRow> = readonly PartRow[Name][];
type PartColumns = readonly [
  kind: Of<'kind'>,
  ...times: [from: number[], to: number[], start: (number | null)[], end: (number | null)[]],
  ...counts: [millimetres: number[], movingMs: number[], idlingMs: number[], stoppedMs: number[]],
  maxSpeed: Of<'max_speed'>,
  fixes: number[],
  ...places: [(number | null)[], (number | null)[], (number | null)[], (number | null)[]],
  odometer: Of<'odometer'>,
  fuel: Of<'fuel'>,
  cards: Of<'cards'>,
];

const NO_CARDS: readonly string[] = [];

function partsIn(columns: PartColumns): LegPart[] {
  const [kind, from, to, startAt, endAt, millimetres, movingMs, idlingMs, stoppedMs, maxSpeed, fixes, ...rest] =
    columns;
  const [startLat, startLon, endLat, endLon, odometer, fuel, cards] = rest;
  return kind.map((each, i): LegPart => {
    const [speed = null, ownCards = NO_CARDS] = [maxSpeed[i], cards[i]];
    return {
      kind: each as LegPart['kind'],
      from: epochMs(from[i] as number),
      to: epochMs(to[i] as number),
      millimetres: millimetres[i] as number,
      movingMs: movingMs[i] as number,
      idlingMs: idlingMs[i] as number,
      stoppedMs: stoppedMs[i] as number,
      maxSpeed: speed === null ? null : metresPerSecond(speed),
      fixes: fixes[i] as number,
      start: placeAt(startAt[i] ?? null, startLat[i] ?? null, startLon[i] ?? null),
      end: placeAt(endAt[i] ?? null, endLat[i] ?? null, endLon[i] ?? null),
      odometer: pairOf(odometer[i] ?? null, metres),
      fuel: pairOf(fuel[i] ?? null, percent),
      cards: ownCards.length === 0 ? NO_CARDS : ownCards,
    };
  });
}

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
