import { sql } from 'kysely';
import type { AccountTransaction } from '../db/database.ts';
import { jsonbText, jsonbTime } from './jsonb-text.ts';
import { columnsOfDay, nameOf } from './sealed-day.ts';
import { POSITION_COLUMNS } from './stored-position.ts';

export interface ExportedPosition {
  readonly row: string;
  readonly at: string;
}

type Timed = ExportedPosition & { readonly timeMs: number };

/**
 * Positions as lines of an export, oldest first, a page at a time: `after` is the last page's `at`, or null. A page that is
 * not the last one has at least `limit` positions, and more where a packed day has: to open it again takes longer than to
 * write it.
 */
export async function exportedPositions(
  trx: AccountTransaction,
  vehicleId: number,
  after: string | null,
  limit: number,
): Promise<ExportedPosition[]> {
  const from = after ?? '-infinity';
  const { rows } = await sql<
    ExportedPosition & { readonly until: Date; readonly track: Buffer | null; readonly is_last: boolean | null }
  >`
    (
      select (to_jsonb(p) - 'account_id')::text as row, to_jsonb(p.fix_at) #>> '{}' as at, p.fix_at as until,
        null::bytea as track, null::bool as is_last
      from position p where vehicle_id = ${vehicleId} and fix_at > ${from}::timestamptz order by p.fix_at limit ${limit}
    ) union all (
      select null, null, to_at, track, is_last from (
        select track, to_at, lead(day) over (order by day) is null as is_last,
          sum(case when from_at <= ${from}::timestamptz then 0 else positions end)
            over (order by day rows between unbounded preceding and 1 preceding) as earlier
        from sealed_day where vehicle_id = ${vehicleId} and to_at > ${from}::timestamptz
      ) days where coalesce(earlier, 0) < ${limit}
    )`.execute(trx);
  const days = rows.filter(({ track }) => track);
  const found: Timed[] = [];
  let untilMs = Number.POSITIVE_INFINITY;
  for (const { at, row, track, until } of rows) {
    if (!track) found.push({ at, row, timeMs: until.getTime() });
    else found.push(...linesOf(track, vehicleId, after));
  }
  // What is missing is later than the last of either.
  const ofRows = rows.filter(({ track }) => !track);
  if (ofRows.length === limit) untilMs = Number(ofRows.at(-1)?.until);
  const lastDay = days.toSorted((a, b) => a.until.getTime() - b.until.getTime()).at(-1);
  if (lastDay && !lastDay.is_last) untilMs = Math.min(untilMs, lastDay.until.getTime());
  return found.filter(({ timeMs }) => timeMs <= untilMs).sort((a, b) => a.timeMs - b.timeMs);
}

const NAMES = POSITION_COLUMNS.map(nameOf).filter(name => name !== 'fixAt');

/** Of each property what stands before its value, in the order in which the database writes them. */
const PARTS = [...POSITION_COLUMNS, 'vehicle_id' as const]
  .sort((a, b) => a.length - b.length || (a < b ? -1 : 1))
  .map((key, nth) => ({
    name: key === 'vehicle_id' ? ('vehicleId' as const) : nameOf(key),
    before: `${nth === 0 ? '{' : ', '}"${key}": `,
  }));

/** The positions of a packed day, as the database would write them, which takes several times as long. */
function* linesOf(track: Uint8Array, vehicleId: number, after: string | null): Generator<Timed> {
  const columns = columnsOfDay(track, NAMES);
  const afterMs = after === null ? Number.NEGATIVE_INFINITY : Date.parse(after);
  for (const [i, timeMs] of columns.fixAt.entries()) {
    if (timeMs <= afterMs) continue;
    const at = jsonbTime(timeMs);
    let row = '';
    for (const { name, before } of PARTS) {
      row += before;
      if (name === 'vehicleId') row += vehicleId;
      else if (name === 'fixAt') row += `"${at}"`;
      else if (name === 'receivedAt') row += `"${jsonbTime(columns.receivedAt[i] as number)}"`;
      else row += jsonbText(columns[name][i] ?? null);
    }
    yield { at, row: `${row}}`, timeMs };
  }
}
