import { type RawBuilder, sql } from 'kysely';
import type { AccountTransaction } from '../db/database.ts';
import { dayOf, unpackDay } from './sealed-day.ts';
import type { PositionRow } from './stored-position.ts';

/** A period of a vehicle's past; either end may be open. */
export interface Span {
  readonly vehicleId: number;
  /** Included. */
  readonly from?: Date | undefined;
  /** Not included. */
  readonly after?: Date | undefined;
  /** Included. */
  readonly to?: Date | undefined;
  /** Not included. */
  readonly before?: Date | undefined;
}

export interface Reading<Column extends keyof PositionRow> {
  readonly columns: readonly Column[];
  readonly limit?: number;
  /** The newest first. */
  readonly isReversed?: boolean;
  /** Only valid fixes without doubts. */
  readonly isBelieved?: boolean;
}

type Read<Column extends keyof PositionRow> = Pick<PositionRow, Column | 'fix_at'>;

/**
 * The positions of a period in order, from sealed and unsealed days. One statement, so that a day that is
 * being sealed or opened is read on one side of it, never on both or on none.
 */
export async function readSpan<Column extends keyof PositionRow>(
  trx: AccountTransaction,
  span: Span,
  reading: Reading<Column>,
): Promise<Read<Column>[]> {
  const { isBelieved, isReversed, limit } = reading;
  const { rows: found, tracks } = await readBoth(trx, span, reading);
  if (tracks.length === 0) return found;
  const filtered = [...columnsOf(reading.columns), ...(isBelieved ? (['valid', 'doubts'] as const) : [])];
  for (const track of tracks) {
    for (const row of unpackDay<keyof PositionRow>(track, filtered)) {
      if (isWithin(row.fix_at, span) && (!isBelieved || (row.valid && row.doubts === 0))) found.push(row);
    }
  }
  return merged(found, isReversed).slice(0, limit);
}

const columnsOf = <Column extends keyof PositionRow>(columns: readonly Column[]) => [
  ...new Set<Column | 'fix_at'>(['fix_at', ...columns]),
];

/** The rows of a period, and the sealed days that may overlap it. */
async function readBoth<Column extends keyof PositionRow>(
  trx: AccountTransaction,
  span: Span,
  { columns, limit, isReversed = false, isBelieved = false }: Reading<Column>,
): Promise<{ readonly rows: Read<Column>[]; readonly tracks: readonly Buffer[] }> {
  const all = columnsOf(columns);
  const order = sql.raw(isReversed ? 'desc' : 'asc');
  const ends = boundsOf(span);
  const { rows } = await sql<Read<Column> & { readonly track: Buffer | null }>`
    (
      select ${sql.join(all.map(name => sql.ref(name)))}, null::bytea as track from position
      where vehicle_id = ${span.vehicleId} ${withinRows(ends)}
        ${sql.raw(isBelieved ? 'and valid and doubts = 0' : '')}
      order by fix_at ${order} ${limit === undefined ? sql`` : sql`limit ${limit}`}
    ) union all (
      select ${sql.join(all.map(() => sql`null`))}, track from (
        select track, sum(${wholeDays(span, isReversed, isBelieved)})
          over (order by day ${order} rows between unbounded preceding and 1 preceding) as earlier
        from sealed_day where vehicle_id = ${span.vehicleId}
          ${withinDays(ends)}
      ) days where ${limit === undefined ? sql`true` : sql`coalesce(earlier, 0) < ${limit}`}
    )`.execute(trx);
  return {
    rows: rows.flatMap(({ track, ...row }) => (track ? [] : (row as unknown as Read<Column>))),
    tracks: rows.flatMap(({ track }) => track ?? []),
  };
}

/** In the order of time. */
export function merged<Row extends { readonly fix_at: Date }>(rows: Row[], isReversed = false): Row[] {
  const sign = isReversed ? -1 : 1;
  return rows.sort((one, other) => sign * (one.fix_at.getTime() - other.fix_at.getTime()));
}

/** An end of a period. */
export interface Bound {
  readonly sign: RawBuilder<unknown>;
  readonly at: Date;
  /** Which end of a sealed day it is compared with. */
  readonly edge: 'from_at' | 'to_at';
}

export function boundsOf({ from, after, to, before }: Span): Bound[] {
  const bound = (at: Date | undefined, sign: string, edge: Bound['edge']): Bound[] =>
    at ? [{ sign: sql.raw(sign), at, edge }] : [];
  return [
    ...bound(from, '>=', 'to_at'),
    ...bound(after, '>', 'to_at'),
    ...bound(to, '<=', 'from_at'),
    ...bound(before, '<', 'from_at'),
  ];
}

/** Rows of a period: conditions that follow another. */
export const withinRows = (ends: readonly Bound[]): RawBuilder<unknown> =>
  and(ends.map(({ sign, at }) => sql`fix_at ${sign} ${at}`));

/** Sealed days that may overlap a period; by their day, too, which finds them in the index. */
export const withinDays = (ends: readonly Bound[]): RawBuilder<unknown> =>
  and(
    ends.flatMap(({ sign, at, edge }) => [
      sql`${sql.ref(edge)} ${sign} ${at}`,
      sql`day ${sql.raw(edge === 'to_at' ? '>=' : '<=')} ${dayOf(at.getTime())}::date`,
    ]),
  );

const and = (conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> =>
  sql.join(
    conditions.map(condition => sql`and ${condition}`),
    sql` `,
  );

/** How many positions a day is sure to contribute: only part of the first day may be in the period. */
function wholeDays(span: Span, isReversed: boolean, isBelieved: boolean): RawBuilder<unknown> {
  const count = sql.ref(isBelieved ? 'believed' : 'positions');
  const [start, cut] = isReversed
    ? [span.to ?? span.before, sql`to_at >=`]
    : [span.from ?? span.after, sql`from_at <=`];
  return start ? sql`case when ${cut} ${start} then 0 else ${count} end` : count;
}

export function isWithin(at: Date, { from, after, to, before }: Span): boolean {
  return !((from && at < from) || (after && at <= after) || (to && at > to) || (before && at >= before));
}
