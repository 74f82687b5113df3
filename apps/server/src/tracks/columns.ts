import type { TrackPosition } from '@milepost/track';
import type { AccountTransaction } from '../db/database.ts';
import { columnsOfDay, dayOf } from './sealed-day.ts';
import { isWithin, readBoth, type Span } from './span.ts';

/** The columns that have the same name in the database and in a packed day. */
type Name = Exclude<keyof TrackPosition, 'fixAt' | 'receivedAt'>;

/** Of each property the values of all positions, in the order of their fix times (milliseconds since 1970). */
export type SpanColumns<N extends Name> = { [K in N | 'fixAt']: TrackPosition[K][] };

/** The columns of a period, from sealed and unsealed days. */
export async function readColumns<N extends Name>(
  trx: AccountTransaction,
  span: Span,
  names: readonly N[],
): Promise<SpanColumns<N>> {
  const { rows, tracks } = await readBoth(trx, span, { columns: names });
  const pieces = tracks.map(track => within(span, columnsOfDay(track, names)));
  // A day is either sealed or not, so the pieces never overlap.
  let day = '';
  for (const row of rows) {
    const fixAt = row.fix_at.getTime();
    const ofRow = dayOf(fixAt);
    if (ofRow !== day) pieces.push(empty(names));
    day = ofRow;
    const piece = pieces.at(-1) as Record<string, unknown[]>;
    piece.fixAt?.push(fixAt);
    for (const name of names) piece[name]?.push(row[name]);
  }
  const inOrder = pieces
    .filter(({ fixAt }) => fixAt.length > 0)
    .sort((a, b) => Number(a.fixAt[0]) - Number(b.fixAt[0]));
  return mapColumns(empty(names), (_, name) => inOrder.flatMap<unknown>(piece => piece[name]));
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
