import type { OpenTrack, TrackPosition } from '@milepost/track';
import { sql } from 'kysely';
import type { AccountTransaction } from '../db/database.ts';
import { columnsOfRows, type ColumnName as Name, type RowsTogether, rowsTogether } from './row-columns.ts';
import { openDay } from './sealed-day.ts';
import { boundsOf, isWithin, type Span, withinDays, withinRows } from './span.ts';

const DAY_MS = 24 * 3_600_000;

/** Of each property the values of all positions, in the order of their fix times (milliseconds since 1970). */
export type SpanColumns<N extends Name> = { [K in N | 'fixAt']: TrackPosition[K][] };

/** The columns of a period as the database has them: plain values, so that a worker can read them. */
export interface PackedColumns {
  /** Together, which is read many times as fast as one row after the other. */
  readonly rows: RowsTogether | null;
  readonly tracks: readonly Uint8Array[];
}

/** The columns of a period, from sealed and unsealed days. */
export const readColumns = async <N extends Name>(
  trx: AccountTransaction,
  span: Span,
  names: readonly N[],
): Promise<SpanColumns<N>> => columnsIn(await readPackedColumns(trx, span, names), span, names);

/** One statement, so that a day that is being sealed is read on one side of it. */
export async function readPackedColumns<N extends Name>(
  trx: AccountTransaction,
  span: Span,
  names: readonly N[],
): Promise<PackedColumns> {
  const ends = boundsOf(span);
  const { rows } = await sql<RowsTogether & { readonly track: Buffer | null }>`
    (
      select ${rowsTogether(names)}, null::bytea as track
      from (
        select fix_at, ${sql.join(names.map(name => sql.ref(name)))} from position
        where vehicle_id = ${span.vehicleId} ${withinRows(ends)} order by fix_at
      ) fix having count(*) > 0
    ) union all (
      select null, null, null, track from sealed_day where vehicle_id = ${span.vehicleId} ${withinDays(ends)}
    )`.execute(trx);
  const found = rows.find(({ track }) => track === null);
  return {
    rows: found ? { numbers: found.numbers, unusual: found.unusual, others: found.others } : null,
    tracks: rows.flatMap(({ track }) => track ?? []),
  };
}

/** The columns that were read, in the order of time. */
export function columnsIn<N extends Name>(packed: PackedColumns, span: Span, names: readonly N[]): SpanColumns<N> {
  const days = daysIn(packed, span, names).map(day => day.columns());
  const [only] = days;
  if (only && days.length === 1) return only;
  return mapColumns(empty(names), (_, name) => days.flatMap<unknown>(day => day[name]));
}

/** A day (UTC) of a period, as far as it lies within it; at least one position. */
export interface DayOfSpan<N extends Name> {
  readonly firstAt: number;
  readonly columns: () => SpanColumns<N>;
  /** If it is sealed and lies wholly within the period. */
  readonly track: OpenTrack | null;
}

/** The days that were read, in the order of time. Sealed ones are unpacked when their columns are asked for. */
export function daysIn<N extends Name>(
  { rows, tracks }: PackedColumns,
  span: Span,
  names: readonly N[],
): DayOfSpan<N>[] {
  const unsealed = rows === null ? [] : byDay(columnsOfRows(rows, names));
  const days = [
    ...unsealed.map(day => ({ firstAt: Number(day.fixAt[0]), columns: () => day, track: null })),
    ...tracks.flatMap(bytes => sealedDay(openDay(bytes), span, names)),
  ];
  // A day is either sealed or not, so they never overlap.
  return days.sort((a, b) => a.firstAt - b.firstAt);
}

function sealedDay<N extends Name>(track: OpenTrack, span: Span, names: readonly N[]): DayOfSpan<N>[] {
  const { count, firstAt, lastAt } = track.header;
  if (isWithin(new Date(firstAt), span) && isWithin(new Date(lastAt), span)) {
    return [{ firstAt, columns: () => track.columns(['fixAt', ...names]) as SpanColumns<N>, track }];
  }
  const { fixAt } = track.columns(['fixAt']);
  let [from, to] = [0, count];
  while (from < to && !isWithin(new Date(fixAt[from] as number), span)) from++;
  while (from < to && !isWithin(new Date(fixAt[to - 1] as number), span)) to--;
  if (from === to) return [];
  const columns = () => track.columns(['fixAt', ...names], [from, to]) as SpanColumns<N>;
  return [{ firstAt: fixAt[from] as number, columns, track: null }];
}

/** Those of each day (UTC): sealed ones may be between them. */
function byDay<N extends Name>(columns: SpanColumns<N>): SpanColumns<N>[] {
  const { fixAt } = columns;
  const days: SpanColumns<N>[] = [];
  for (let from = 0; from < fixAt.length; ) {
    const endMs = (Math.floor(Number(fixAt[from]) / DAY_MS) + 1) * DAY_MS;
    let to = from + 1;
    while (to < fixAt.length && Number(fixAt[to]) < endMs) to++;
    days.push(to - from === fixAt.length ? columns : mapColumns(columns, column => column.slice(from, to)));
    from = to;
  }
  return days;
}

/** The columns of the positions at these places, in their order. */
export const pick = <Columns extends object>(columns: Columns, places: readonly number[]): Columns =>
  mapColumns(columns, column => places.map(place => column[place]));

const empty = <N extends Name>(names: readonly N[]): SpanColumns<N> =>
  Object.fromEntries(['fixAt', ...names].map(name => [name, []])) as unknown as SpanColumns<N>;

const mapColumns = <Columns extends object>(
  columns: Columns,
  change: (column: readonly unknown[], name: keyof Columns) => readonly unknown[],
): Columns =>
  Object.fromEntries(
    Object.entries(columns).map(([name, column]) => [name, change(column, name as keyof Columns)]),
  ) as Columns;
