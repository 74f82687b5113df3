import type { DailyRoot, EntryAction, LogEntry } from '@milepost/eld';
import type { HomeTerminal } from '@milepost/hos';
import { sql } from 'kysely';
import type { AccountTransaction } from '../../db/database.ts';

/** The tables of the logbook: entries are read and appended, never changed. */

export interface StoredEntry {
  readonly log: string;
  readonly position: number;
  readonly entry: LogEntry;
  readonly recordedAt: number;
  readonly touchesAt: number;
  readonly content: string;
  readonly hash: string;
  readonly device: { readonly chain: string; readonly position: number; readonly hash: string } | null;
}

/** The last link of a chain, and the time its entry was recorded. */
export interface ChainEnd {
  readonly position: number;
  readonly hash: string;
  readonly recordedAt: number;
}

/** Home terminal and co-driver apply until another entry changes them. */
const STANDING = ['home', 'team'] as const satisfies readonly EntryAction[];

const hex = (bytes: Buffer): string => bytes.toString('hex');
const bytes = (text: string): Buffer => Buffer.from(text, 'hex');

/** Locks these chains for writing. All writers lock in the same order, which prevents deadlocks. */
export async function lockChains(trx: AccountTransaction, accountId: number, names: readonly string[]): Promise<void> {
  for (const name of [...new Set(names)].sort()) {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`milepost-chain ${accountId} ${name}`}, 0))`.execute(trx);
  }
}

export async function endOfLog(trx: AccountTransaction, log: string): Promise<ChainEnd | null> {
  const row = await trx
    .selectFrom('duty_entry')
    .select(['position', 'hash', 'recorded_at'])
    .where('log', '=', log)
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ? { position: row.position, hash: hex(row.hash), recordedAt: row.recorded_at.getTime() } : null;
}

export async function endOfDevice(trx: AccountTransaction, device: string): Promise<ChainEnd | null> {
  const row = await trx
    .selectFrom('duty_entry')
    .select(['device_position', 'device_hash', 'recorded_at'])
    .where('device', '=', device)
    .orderBy('device_position', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!row || row.device_position === null || row.device_hash === null) return null;
  return { position: row.device_position, hash: hex(row.device_hash), recordedAt: row.recorded_at.getTime() };
}

/**
 * A log's entries that affect no time before `since`, and its standing entries of any age, in order; all entries if
 * `since` is null.
 */
export async function entriesSince(
  trx: AccountTransaction,
  log: string,
  since: number | null,
): Promise<readonly StoredEntry[]> {
  const rows = await trx
    .selectFrom('duty_entry')
    .selectAll()
    .where('log', '=', log)
    .$if(since !== null, query =>
      query.where(eb => eb.or([eb('touches_at', '>=', new Date(since ?? 0)), eb('action', 'in', STANDING)])),
    )
    .orderBy('position')
    .execute();
  return rows.map(row => ({
    log: row.log,
    position: row.position,
    entry: JSON.parse(row.entry) as LogEntry,
    recordedAt: row.recorded_at.getTime(),
    touchesAt: row.touches_at.getTime(),
    content: hex(row.content),
    hash: hex(row.hash),
    device:
      row.device === null || row.device_position === null || row.device_hash === null
        ? null
        : { chain: row.device, position: row.device_position, hash: hex(row.device_hash) },
  }));
}

/** The earliest moment that an entry affects; null if the log has no such entry. */
export async function touchedBy(trx: AccountTransaction, log: string, id: string): Promise<number | null> {
  const row = await trx
    .selectFrom('duty_entry')
    .select('touches_at')
    .where('log', '=', log)
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.touches_at.getTime() ?? null;
}

export interface DeviceLink {
  readonly position: number;
  readonly log: string;
  readonly content: string;
  readonly hash: string;
  readonly recordedAt: number;
}

export async function deviceLinks(trx: AccountTransaction, device: string, from: number): Promise<DeviceLink[]> {
  const rows = await trx
    .selectFrom('duty_entry')
    .select(['device_position', 'log', 'content', 'device_hash', 'recorded_at'])
    .where('device', '=', device)
    .where('device_position', '>=', from)
    .orderBy('device_position')
    .execute();
  return rows.map(row => ({
    position: row.device_position ?? 0,
    log: row.log,
    content: hex(row.content),
    hash: hex(row.device_hash ?? Buffer.alloc(0)),
    recordedAt: row.recorded_at.getTime(),
  }));
}

/** PostgreSQL takes 65,535 parameters. */
const ROWS_AT_ONCE = 1000;

/** Each with its canonical text. */
export async function insertEntries(
  trx: AccountTransaction,
  accountId: number,
  entries: readonly { readonly stored: StoredEntry; readonly text: string }[],
): Promise<void> {
  for (let from = 0; from < entries.length; from += ROWS_AT_ONCE) {
    const rows = entries.slice(from, from + ROWS_AT_ONCE).map(({ stored, text }) => rowOf(accountId, stored, text));
    await trx.insertInto('duty_entry').values(rows).execute();
  }
}

const rowOf = (accountId: number, { device, entry, ...stored }: StoredEntry, text: string) => ({
  account_id: accountId,
  log: stored.log,
  position: stored.position,
  id: entry.id,
  action: entry.action,
  recorded_at: new Date(stored.recordedAt),
  touches_at: new Date(stored.touchesAt),
  device: device?.chain ?? null,
  device_position: device?.position ?? null,
  entry: text,
  content: bytes(stored.content),
  hash: bytes(stored.hash),
  device_hash: device ? bytes(device.hash) : null,
});

export async function insertRoot(trx: AccountTransaction, accountId: number, root: DailyRoot): Promise<void> {
  await trx
    .insertInto('duty_root')
    .values({
      account_id: accountId,
      chain: root.chain,
      day: root.day,
      first: root.first,
      count: root.count,
      previous: bytes(root.previous),
      head: bytes(root.head),
      root: bytes(root.root),
    })
    .execute();
}

export async function rootsOf(trx: AccountTransaction, chain: string, from: number): Promise<DailyRoot[]> {
  const rows = await trx
    .selectFrom('duty_root')
    .select(['chain', 'first', 'count', 'previous', 'head', 'root'])
    .select(sql<string>`day::text`.as('day'))
    .where('chain', '=', chain)
    .where('first', '>=', from)
    .orderBy('first')
    .execute();
  return rows.map(row => ({ ...row, previous: hex(row.previous), head: hex(row.head), root: hex(row.root) }));
}

/** The first link of a day in a chain, and the hash before it. */
export async function startOfRootDay(
  trx: AccountTransaction,
  kind: 'log' | 'device',
  chain: string,
  day: string,
): Promise<{ readonly first: number; readonly previous: string | null } | null> {
  const column =
    kind === 'log' ? { position: 'position', hash: 'hash' } : { position: 'device_position', hash: 'device_hash' };
  const position = sql.ref(column.position);
  const ofChain = sql`from duty_entry where ${sql.ref(kind)} = ${chain}`;
  const { rows } = await sql<{ first: number | null; previous: Buffer | null }>`
    select first, (select ${sql.ref(column.hash)} ${ofChain} and ${position} = first - 1) as previous
    from (select min(${position}) as first ${ofChain} and recorded_at >= ${`${day}T00:00:00Z`}) as day`.execute(trx);
  const { first = null, previous = null } = rows[0] ?? {};
  return first === null ? null : { first, previous: previous && hex(previous) };
}

/** The home terminal in whose time zone a log is kept, from its last entry about it. */
export async function homeOf(trx: AccountTransaction, log: string): Promise<HomeTerminal | null> {
  const row = await trx
    .selectFrom('duty_entry')
    .select('entry')
    .where('log', '=', log)
    .where('action', '=', 'home')
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!row) return null;
  const { timeZone, startOfDay } = JSON.parse(row.entry) as HomeTerminal;
  return { timeZone, startOfDay };
}
