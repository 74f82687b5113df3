import type { TrackPosition } from '@milepost/track';
import { sql } from 'kysely';
import type { AccountTransaction } from '../db/database.ts';
import { columnsOfRows, type ColumnName as Name, type RowsTogether, rowsTogether } from './row-columns.ts';
import { columnsOfDay } from './sealed-day.ts';
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
export function columnsIn<N extends Name>(
  { rows, tracks }: PackedColumns,
  span: Span,
  names: readonly N[],
): SpanColumns<N> {
  const pieces = [
    ...(rows === null ? [] : byDay(columnsOfRows(rows, names))),
    ...tracks.map(track => within(span, columnsOfDay(track, names))),
  ];
  // A day is either sealed or not, so the pieces never overlap.
  const inOrder = pieces
    .filter(({ fixAt }) => fixAt.length > 0)
    .sort((a, b) => Number(a.fixAt[0]) - Number(b.fixAt[0]));
  const [only] = inOrder;
  if (only && inOrder.length === 1) return only;
  return mapColumns(empty(names), (_, name) => inOrder.flatMap<unknown>(piece => piece[name]));
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

function within<N extends Name>(span: Span, columns: SpanColumns<N>): SpanColumns<N> {
  const { fixAt } = columns;
  let [from, to] = [0, fixAt.length];
  while (from < to && !isWithin(new Date(fixAt[from] as number), span)) from++;
  while (from < to && !isWithin(new Date(fixAt[to - 1] as number), span)) to--;
  return to - from === fixAt.length ? columns : mapColumns(columns, column => column.slice(from, to));
}

const mapColumns = <Columns extends object>(
  columns: Columns,
  change: (column: readonly unknown[], name: keyof Columns) => readonly unknown[],
): Columns =>
  Object.fromEntries(
    Object.entries(columns).map(([name, column]) => [name, change(column, name as keyof Columns)]),
  ) as Columns;
