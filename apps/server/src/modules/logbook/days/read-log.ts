import { type LogEntry, openLog, type RecordLog, replay } from '@milepost/eld';
import type { HomeTerminal } from '@milepost/hos';
import { sql } from 'kysely';
import type { AccountTransaction } from '../../../db/database.ts';
import { HOME_UNTIL_NAMED, logOfStretch, MARGIN_MS, READ_BEFORE_MS, type Stretch } from '../../../logs/stretch.ts';
import { turn } from '../../../workers/turns.ts';
import { BrokenLog } from '../broken-log.ts';

/** Logs by name, each with the position of its last entry. */
export type Heads = ReadonlyMap<string, number>;

/** The position of each log’s last entry; logs without entries are missing. */
export async function headsOf(trx: AccountTransaction, logs: readonly string[]): Promise<Heads> {
  if (logs.length === 0) return new Map();
  const { rows } = await sql<{ log: string; position: number }>`
    select asked.log, newest.position from unnest(${logs}::text[]) as asked (log)
    cross join lateral (
      select position from duty_entry where duty_entry.log = asked.log order by position desc limit 1
    ) newest`.execute(trx);
  return new Map(rows.map(({ log, position }) => [log, position]));
}

/**
 * Reads logs so that all that the rules look at before `from` is there, and the status with which that time begins.
 * Logs without entries are missing. Throws `BrokenLog`; pages read what is sound of such a log instead, so that it
 * hides no other, and the board says what is wrong.
 *
 * @param from epoch milliseconds; null for the whole logs
 */
export async function readLogs(
  trx: AccountTransaction,
  logs: readonly string[],
  from: number | null,
  ifBroken: 'throw' | 'read-sound' = 'throw',
): Promise<Map<string, RecordLog>> {
  const read = new Map<string, RecordLog>();
  for (const [name, { fault, log }] of await readSound(trx, logs, from)) {
    if (fault && ifBroken === 'throw') throw new BrokenLog(name, fault);
    read.set(name, log);
  }
  return read;
}

/** Logs read likewise; of one that contradicts itself in that time what comes before. */
export async function readSound(
  trx: AccountTransaction,
  logs: readonly string[],
  from: number | null,
): Promise<Map<string, SoundLog>> {
  const { stretches, knownFrom } = await readStretches(trx, logs, from);
  const read = new Map<string, SoundLog>();
  const again: string[] = [];
  for (const stretch of stretches) {
    const log = logOfStretch(stretch, knownFrom);
    if (log) read.set(stretch.log, { log, fault: null });
    else again.push(stretch.log);
    // A log takes milliseconds; reports of positions must not wait for many.
    if (logs.length > 1) await turn();
  }
  // Long without a record, or a part that can’t be read alone: read whole.
  for (const [name, whole] of await readWhole(trx, again)) read.set(name, whole);
  return read;
}

export interface SoundLog {
  readonly log: RecordLog;
  readonly fault: LogFault | null;
}

/** Where a log begins to contradict itself. */
export interface LogFault extends Pick<BrokenLog, 'position' | 'refusal'> {
  /** When the entry was written, epoch milliseconds. */
  readonly recordedAt: number;
}

/** All of these logs; of one that contradicts itself what comes before the fault. */
export async function readWhole(trx: AccountTransaction, names: readonly string[]): Promise<Map<string, SoundLog>> {
  const { stretches } = await readStretches(trx, names, null);
  return new Map(
    stretches.map(({ entries: texts, log: name }): [string, SoundLog] => {
      const terms = { log: name, home: HOME_UNTIL_NAMED };
      const entries = texts.map(text => JSON.parse(text) as LogEntry);
      const whole = replay(terms, entries);
      if (whole.ok) return [name, { log: whole.value, fault: null }];
      const { entry, index, refusal } = whole.fault;
      const sound = openLog(terms);
      for (const one of entries.slice(0, index)) sound.append(one);
      return [name, { log: sound, fault: { position: index, refusal, recordedAt: entry.recordedAt } }];
    }),
  );
}

/** One log, read likewise; an empty one if there is none. */
export async function readLogFrom(
  trx: AccountTransaction,
  log: string,
  from: number | null,
  home: HomeTerminal,
  ifBroken: 'throw' | 'read-sound' = 'throw',
): Promise<RecordLog> {
  return (await readLogs(trx, [log], from, ifBroken)).get(log) ?? openLog({ log, home });
}

/** They apply until another entry changes them. */
const STANDING = ['home', 'team'] as const;

/**
 * What `readLogs` reads, as it is stored; the moment from which a part must know the status. Logs without entries are
 * missing.
 */
export async function readStretches(
  trx: AccountTransaction,
  logs: readonly string[],
  from: number | null,
): Promise<{ readonly stretches: readonly Stretch[]; readonly knownFrom: number | null }> {
  const since = from === null ? null : from - READ_BEFORE_MS;
  const knownFrom = since === null ? null : since + MARGIN_MS;
  if (logs.length === 0) return { stretches: [], knownFrom };
  const rows = await trx
    .selectFrom('duty_entry')
    .select(['log', 'position', 'entry'])
    .where('log', 'in', logs)
    .$if(since !== null, query =>
      query.where(eb => eb.or([eb('touches_at', '>=', new Date(since ?? 0)), eb('action', 'in', STANDING)])),
    )
    .orderBy('log')
    .orderBy('position')
    .execute();
  const found = new Map<string, { log: string; entries: string[]; isWhole: boolean }>();
  for (const { log, position, entry } of rows) {
    const stretch = found.get(log) ?? { log, entries: [], isWhole: true };
    if (position !== stretch.entries.length) stretch.isWhole = false;
    stretch.entries.push(entry);
    found.set(log, stretch);
  }
  return { stretches: [...found.values()], knownFrom };
}

/**
 * Of these logs, those with entries after a position that change what is shown. That the vehicle was seen in motion
 * does not.
 */
export async function changedSince(
  trx: AccountTransaction,
  positions: readonly { readonly log: string; readonly position: number }[],
): Promise<ReadonlySet<string>> {
  if (positions.length === 0) return new Set();
  const { rows } = await sql<{ log: string }>`
    select asked.log
    from unnest(${positions.map(({ log }) => log)}::text[], ${positions.map(({ position }) => position)}::int4[])
      as asked (log, position)
    where exists (
      select from duty_entry
      where duty_entry.log = asked.log and duty_entry.position > asked.position and action <> 'motion'
    )`.execute(trx);
  return new Set(rows.map(({ log }) => log));
}
