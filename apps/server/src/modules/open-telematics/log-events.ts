import type { OtapiLogEvent } from '@milepost/contract';
import type { LogEntry, LogRecord, RecordLog } from '@milepost/eld';
import { ruleSets } from '@milepost/hos';
import { type ArrivalKey, readArrivals, writeCursor } from '../../db/arrivals.ts';
import type { AccountTransaction } from '../../db/database.ts';
import type { Organisation } from '../../fleet/organisation.ts';
import type { Session } from '../../http/session.ts';
import { readLogs } from '../logbook/days/read-log.ts';
import { otherRecordsOf } from '../logbook/draft.ts';
import { type DriverTerms, logOfDriver, readDriverTerms } from '../logbook/settings/driver-terms.ts';
import { cursorOf, unknownToken } from './locations.ts';
import { type LogOwner, toLogEvent } from './log-event.ts';

/** Entries a time: each may concern two records. */
const ENTRIES = 1000;

interface ArrivedEntry {
  readonly log: string;
  readonly position: number;
  readonly recorded_at: Date;
  readonly touches_at: Date;
  readonly entry: string;
}

const TABLE = {
  table: 'duty_entry',
  received: 'recorded_at',
  columns: ['log', 'position', 'recorded_at', 'touches_at', 'entry'],
  key: ['log', 'position'],
  keyOf: (row: ArrivedEntry): ArrivalKey => [row.recorded_at.getTime(), row.log, row.position],
  lastOf: (value: number) => value,
} as const;

/** The owner of a log, if the caller may see it; null if not. */
async function ownersOf(
  trx: AccountTransaction,
  session: Session,
  logs: Iterable<string>,
  { directory, visibility }: Organisation,
  providerId: string,
): Promise<Map<string, LogOwner>> {
  const owners = new Map<string, LogOwner>();
  const drivers: number[] = [];
  for (const log of logs) {
    const [kind, id] = log.split(':');
    if (kind === 'driver') drivers.push(Number(id));
    else if (kind === 'unidentified' && visibility.sees(session, directory.findById(Number(id)))) {
      owners.set(log, { providerId, driverId: null, userId: null, cycleDays: null });
    }
  }
  if (drivers.length === 0) return owners;
  for (const terms of await readDriverTerms(trx, drivers)) {
    if (isSeen(session, terms, visibility)) owners.set(logOfDriver(terms.driverId), ownerOf(terms, providerId));
  }
  return owners;
}

export const isSeen = (session: Session, terms: DriverTerms, visibility: Organisation['visibility']): boolean =>
  visibility.seesDriver(session, { id: terms.driverId, departmentId: terms.departmentId, userId: terms.userId });

export function ownerOf(terms: DriverTerms, providerId: string): LogOwner {
  const { days } = ruleSets[terms.ruleSet].cycle;
  return {
    providerId,
    driverId: terms.driverId,
    userId: terms.userId,
    cycleDays: days === 7 || days === 8 ? days : null,
  };
}

/** Actions whose entry is itself a record. */
const OWN: ReadonlySet<LogEntry['action']> = new Set(['record', 'certify', 'assume', 'take-over', 'edit', 'propose']);

/** The records that an entry is about: its own, and those whose status or remark it decides. */
const recordsOf = (entry: LogEntry): string[] => [
  ...(OWN.has(entry.action) ? [entry.id] : []),
  ...otherRecordsOf(entry),
];

/** New and changed records since the token was given, each once, with the status it has now. */
export async function arrivedLogEvents(
  trx: AccountTransaction,
  session: Session,
  token: string | undefined,
  organisation: Organisation,
  providerId: string,
): Promise<{ token: string; feed: OtapiLogEvent[] }> {
  const nowMs = Date.now();
  const cursor = await cursorOf(trx, token, nowMs);
  const arrived = await readArrivals<ArrivedEntry>(trx, cursor, TABLE, ENTRIES, nowMs);
  if (!arrived) throw unknownToken();
  const byLog = Map.groupBy(arrived.rows, ({ log }) => log);
  const owners = await ownersOf(trx, session, byLog.keys(), organisation, providerId);
  const feed: OtapiLogEvent[] = [];
  for (const [name, owner] of owners) {
    const rows = byLog.get(name) ?? [];
    const since = Math.min(...rows.map(({ touches_at }) => touches_at.getTime()));
    const log = (await readLogs(trx, [name], since)).get(name);
    if (!log) continue;
    const named = rows.flatMap(({ entry }) => recordsOf(JSON.parse(entry) as LogEntry));
    feed.push(...withReplaced(log, named).map(record => toLogEvent(record, owner)));
  }
  return { token: writeCursor(arrived.next), feed };
}

/** An accepted proposal ends what it replaces. */
function withReplaced(log: RecordLog, ids: readonly string[]): LogRecord[] {
  const all = new Set(ids.flatMap(id => [id, log.record(id)?.replaces ?? id]));
  return [...all].flatMap(id => log.record(id) ?? []);
}

/** A record by its ID; null if there is none that the caller may see. */
export async function findLogEvent(
  trx: AccountTransaction,
  session: Session,
  id: string,
  organisation: Organisation,
  providerId: string,
): Promise<OtapiLogEvent | null> {
  const row = await trx.selectFrom('duty_entry').select(['log', 'touches_at']).where('id', '=', id).executeTakeFirst();
  if (!row) return null;
  const owner = (await ownersOf(trx, session, [row.log], organisation, providerId)).get(row.log);
  const log = owner && (await readLogs(trx, [row.log], row.touches_at.getTime())).get(row.log);
  const record = log?.record(id);
  return owner && record ? toLogEvent(record, owner) : null;
}
