import { CHANGE_KINDS, type ChangeRule, type StreamType, type Change as ToldChange } from '@milepost/contract';
import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import { arrivalsFromNow } from '../../db/arrivals.ts';
import type { AccountTransaction } from '../../db/database.ts';
import type { Change } from '../../feed/change-feed.ts';
import type { DirectoryEntry } from '../../fleet/directory.ts';
import type { Organisation } from '../../fleet/organisation.ts';
import type { Session } from '../../http/session.ts';
import { type ReportContext, toPositionReport } from '../../ingest/report.ts';
import type { Audience } from '../../realtime/sockets/change-audience.ts';
import { arrivedPositions } from '../../tracks/arrived-positions.ts';
import { toStoredPosition } from '../../tracks/stored-position.ts';
import { mapInTurns } from '../../workers/turns.ts';
import { seesAlert } from '../alerts/audience.ts';
import { aboutOf, seesOther, selectAlerts, toAlert, toldTo, vehicleOf } from '../alerts/store.ts';
import type { StreamCursor } from './cursor.ts';

export interface StreamEvent {
  readonly name: StreamType | 'reset';
  readonly data: unknown;
}

/** What came in next, and where the stream stands after it. */
export interface NextEvents {
  readonly events: readonly { readonly event: StreamEvent; readonly at: StreamCursor }[];
  readonly next: StreamCursor;
  readonly hasMore: boolean;
}

export interface NextEventParts extends Organisation {
  readonly reportContext: ReportContext;
  readonly audience: Audience;
}

/** Positions, or changes, of one event: as much as a stream has in memory at a time. */
const AT_ONCE = 500;

/**
 * Reads what a stream has not sent yet from the database, whether it happened now or while nobody listened: so a stream
 * that goes on is a stream that never ended, and a slow one has no queue.
 */
export async function nextEvents(
  { db, feed }: Pick<Context, 'db' | 'feed'>,
  session: Session,
  from: StreamCursor,
  types: ReadonlySet<StreamType>,
  isResumed: boolean,
  parts: NextEventParts,
): Promise<NextEvents> {
  const events: { event: StreamEvent; at: StreamCursor }[] = [];
  let at = from;
  let hasMore = false;
  const until = feed.number;
  if (from.number !== until) {
    const changes = await feed.page(session.accountId, from.number, until, AT_ONCE);
    hasMore = changes?.length === AT_ONCE;
    at = { ...at, number: hasMore ? (changes?.at(-1)?.number ?? until) : until };
    for (const event of await told(changes, isResumed)) events.push({ event, at });
  }
  if (types.has('positions')) {
    await db.asAccount(session.accountId, async trx => {
      const nowMs = Date.now();
      const arrived = await arrivedPositions(trx, at.arrivals, AT_ONCE, nowMs);
      if (!arrived) {
        at = { ...at, arrivals: await arrivalsFromNow(trx, nowMs) };
        events.push({ event: { name: 'reset', data: { types: ['positions'] } }, at });
        return;
      }
      at = { ...at, arrivals: arrived.next };
      hasMore ||= arrived.hasMore;
      const reports = await mapInTurns(arrived.rows, row => {
        if (row.doubts !== 0) return null;
        const vehicle = parts.directory.findById(row.vehicle_id);
        if (!isSeen(vehicle, row.rfid, row.fix_at.getTime())) return null;
        return toPositionReport(vehicle, toStoredPosition(row), parts.reportContext);
      });
      const seen = reports.filter(report => report !== null);
      if (seen.length > 0) events.push({ event: { name: 'positions', data: seen }, at });
    });
  }
  return { events, next: at, hasMore };

  function isSeen(vehicle: DirectoryEntry | null, rfid: string | null, atMs: number): vehicle is DirectoryEntry {
    const { visibility } = parts;
    return visibility.sees(session, vehicle) && visibility.seesPosition(session, vehicle, rfid, atMs);
  }

  /** Changes and alerts; null stands for changes that are no longer known. */
  async function told(changes: readonly Change[] | null, isLater: boolean): Promise<StreamEvent[]> {
    const wanted = (['alerts', 'changes'] as const).filter(type => types.has(type));
    if (changes === null) return wanted.length > 0 ? [{ name: 'reset', data: { types: wanted } }] : [];
    const found: StreamEvent[] = [];
    if (types.has('alerts')) {
      const ids = [...new Set(changes.flatMap(({ how, id, kind }) => (kind === 'alert' && how !== 'gone' ? id : [])))];
      const alerts = ids.length > 0 ? await db.asAccount(session.accountId, trx => alertsOf(trx, ids)) : [];
      if (alerts.length > 0) found.push({ name: 'alerts', data: alerts });
    }
    if (types.has('changes')) {
      const shown = changes.filter(({ kind }) => (CHANGE_KINDS[kind] as ChangeRule).told === undefined);
      // What a limited one saw meanwhile, and sees no longer, is known to nobody.
      if (isLater && shown.length > 0 && !parts.visibility.seesAll(session)) {
        return [...found, { name: 'reset', data: { types: ['changes'] } }];
      }
      const data = new Map<string, ToldChange>();
      for (const change of shown) {
        const one = parts.audience.told(session, change);
        if (one) data.set(`${one.kind} ${one.id}`, one);
      }
      if (data.size > 0) found.push({ name: 'changes', data: [...data.values()] });
    }
    return found;
  }

  async function alertsOf(trx: AccountTransaction, ids: readonly string[]) {
    const rows = await selectAlerts(trx)
      .where('alert.id', '=', sql<string>`any(${ids}::uuid[])`)
      .orderBy('alert.opened_at')
      .execute();
    return rows.flatMap(row => {
      const vehicle = vehicleOf(row, parts.directory);
      if (vehicle === undefined || !seesAlert(session, aboutOf(row), parts)) return [];
      return toldTo(
        toAlert(row, vehicle, parts.reportContext, () => true),
        seesOther(session, parts),
      );
    });
  }
}
