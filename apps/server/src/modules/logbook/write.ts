import { randomUUID } from 'node:crypto';
import {
  canonicalJson,
  contentOf,
  type DailyRoot,
  dayOf,
  isDutyEvent,
  type LogEntry,
  nextLink,
  type RecordLog,
  type Refusal,
  readEntry,
  replay,
  rootDay,
  rootOf,
  START,
  sequenceAt,
  startOfDate,
  takeable,
  withCheck,
} from '@milepost/eld';
import type { HomeTerminal } from '@milepost/hos';
import { epochMs } from '@milepost/units';
import type { AccountTransaction, Databases } from '../../db/database.ts';
import { BrokenLog } from './broken-log.ts';
import { type EntryDraft, otherRecordsOf } from './draft.ts';
import {
  type ChainEnd,
  endOfDevice,
  endOfLog,
  entriesSince,
  homeOf,
  insertEntry,
  insertRoot,
  lockChains,
  type StoredEntry,
  startOfRootDay,
  touchedBy,
} from './store.ts';

/** What a log needs from its owner: the home terminal, and the name used in the events’ check values. */
export interface LogOwner {
  readonly home: HomeTerminal;
  readonly userName: string;
}

export type Written =
  | { readonly ok: true; readonly entries: readonly LogEntry[] }
  | { readonly ok: false; readonly refusal: Refusal | 'not-an-entry'; readonly index: number };

const DAY_MS = 24 * 3_600_000;
/**
 * As far before the earliest moment that an entry affects as its log is read to judge it, until that includes the status
 * that its day begins with: mostly a status of the day before; after a vacation, or driving whose end is not known yet,
 * an older one.
 */
const READ_BEFORE_MS = [2 * DAY_MS, 16 * DAY_MS];

class Refused extends Error {
  readonly refusal: Refusal | 'not-an-entry';
  readonly index: number;

  constructor(refusal: Refusal | 'not-an-entry', index: number) {
    super(refusal);
    this.refusal = refusal;
    this.index = index;
  }
}

/**
 * Writes entries to their logs in the order given: all of them or none. Each chain has one writer at a time across
 * all servers and connections. Refused entries (`REFUSALS`) are returned, not thrown (invariant I5).
 *
 * @param also is written in the same transaction
 */
export async function writeEntries(
  db: Databases,
  accountId: number,
  drafts: readonly EntryDraft[],
  ownerOf: (log: string) => LogOwner,
  now: number,
  also?: (trx: AccountTransaction) => Promise<void>,
): Promise<Written> {
  const chains = drafts.flatMap(chainsOf);
  try {
    const entries = await db.asAccount(accountId, async trx => {
      await lockChains(trx, accountId, chains);
      const written: LogEntry[] = [];
      for (const [index, draft] of drafts.entries()) {
        await keepHome(trx, accountId, draft.log, ownerOf(draft.log), now, index);
        written.push(await writeOne(trx, accountId, draft, ownerOf(draft.log), now, index));
      }
      await also?.(trx);
      return written;
    });
    return { ok: true, entries };
  } catch (error) {
    if (error instanceof Refused) return { ok: false, refusal: error.refusal, index: error.index };
    throw error;
  }
}

/** Locks the chains that these drafts are added to, for the rest of the transaction. */
export const lockFor = (trx: AccountTransaction, accountId: number, drafts: readonly EntryDraft[]): Promise<void> =>
  lockChains(trx, accountId, drafts.flatMap(chainsOf));

/** Writes one entry in a transaction that has locked its chains; a refused one changes nothing. */
export async function writeEntry(
  trx: AccountTransaction,
  accountId: number,
  draft: EntryDraft,
  owner: LogOwner,
  now: number,
): Promise<{ readonly entry: LogEntry; readonly refusal: null } | { readonly refusal: Refusal | 'not-an-entry' }> {
  try {
    await keepHome(trx, accountId, draft.log, owner, now, 0);
    return { entry: await writeOne(trx, accountId, draft, owner, now, 0), refusal: null };
  } catch (error) {
    if (error instanceof Refused) return { refusal: error.refusal };
    throw error;
  }
}

/** A log records its own home terminal: in its first entry, and whenever it changes. */
async function keepHome(
  trx: AccountTransaction,
  accountId: number,
  log: string,
  owner: LogOwner,
  now: number,
  index: number,
): Promise<void> {
  const home = await homeOf(trx, log);
  const { timeZone, startOfDay } = owner.home;
  if (home?.timeZone === timeZone && home.startOfDay === startOfDay) return;
  await writeOne(trx, accountId, { action: 'home', log, by: 'eld', timeZone, startOfDay }, owner, now, index);
}

/** The chains that an entry is added to, and the log it takes from, which must not change meanwhile. */
const chainsOf = (draft: EntryDraft): readonly string[] => [
  draft.log,
  ...('device' in draft ? [draft.device] : []),
  ...('from' in draft ? [draft.from.log] : []),
];

async function writeOne(
  trx: AccountTransaction,
  accountId: number,
  draft: EntryDraft,
  owner: LogOwner,
  now: number,
  index: number,
): Promise<LogEntry> {
  const end = await endOfLog(trx, draft.log);
  const deviceEnd = 'device' in draft ? await endOfDevice(trx, draft.device) : null;
  // If the server's clock was set back, the entry still gets no earlier time than those before it.
  const recordedAt = Math.max(now, end?.recordedAt ?? 0, deviceEnd?.recordedAt ?? 0);
  const read = readEntry(entryOf(draft, owner, recordedAt, (deviceEnd?.position ?? -1) + 1));
  if (!read.ok) throw new Refused('not-an-entry', index);
  const entry = read.value;
  const touchesAt = await touchedAt(trx, draft, owner.home, recordedAt);
  const refusal =
    (await refusedElsewhere(trx, entry, owner.home)) ?? (await refusalOf(trx, entry, owner.home, touchesAt));
  if (refusal) throw new Refused(refusal, index);

  const text = canonicalJson(entry);
  const content = contentOf(entry);
  if (text === null || content === null) throw new Refused('not-an-entry', index);
  const link = nextLink({ chain: entry.log, log: entry.log, content }, end);
  const device = 'device' in entry ? nextLink({ chain: entry.device, log: entry.log, content }, deviceEnd) : null;
  await closeDay(trx, accountId, 'log', entry.log, end, recordedAt);
  if (device) await closeDay(trx, accountId, 'device', device.chain, deviceEnd, recordedAt);
  const { position, hash } = link;
  const stored: StoredEntry = { log: entry.log, position, entry, recordedAt, touchesAt, content, hash, device };
  await insertEntry(trx, accountId, stored, text);
  return entry;
}

function entryOf(draft: EntryDraft, owner: LogOwner, recordedAt: number, devicePosition: number): unknown {
  const head = { ...draft, id: randomUUID(), recordedAt };
  if (!('event' in draft)) return head;
  const event = { ...draft.event, sequence: sequenceAt(devicePosition) };
  const isDuty = 'origin' in event;
  return { ...head, event: isDuty ? withCheck(event, owner.userName, owner.home.timeZone) : event };
}

/** The start of the earliest day affected by the entry or the entry it refers to. */
async function touchedAt(
  trx: AccountTransaction,
  draft: EntryDraft,
  home: HomeTerminal,
  recordedAt: number,
): Promise<number> {
  const own = 'event' in draft ? draft.event.at : recordedAt;
  const date = draft.action === 'certify' ? draft.event.date : dayOf(epochMs(own), home);
  const pointedAt = await Promise.all(otherRecordsOf(draft).map(id => touchedBy(trx, draft.log, id)));
  return Math.min(startOfDate(date, home), ...pointedAt.filter(at => at !== null));
}

/** A claimed period must match the other log: the same status, start and end. */
async function refusedElsewhere(trx: AccountTransaction, entry: LogEntry, home: HomeTerminal): Promise<Refusal | null> {
  if (entry.action !== 'assume' && entry.action !== 'take-over') return null;
  const { from, event, until } = entry;
  const touched = await touchedBy(trx, from.log, from.record);
  if (touched === null) return 'other-driving';
  const stored = await entriesSince(trx, from.log, touched);
  const log = replay(
    { log: from.log, home },
    stored.map(one => one.entry),
  );
  const there = log.ok ? takeable(log.value.records(), from.record) : null;
  const isSame = there?.event.at === event.at && there.event.code === event.code && there.until === until;
  return isSame ? null : 'other-driving';
}

/**
 * Validates the entry against its log: only as far back as the entry reaches, or all of the log if that part can't be
 * read alone, or doesn't tell what it says of the entry's time.
 */
async function refusalOf(
  trx: AccountTransaction,
  entry: LogEntry,
  home: HomeTerminal,
  touchesAt: number,
): Promise<Refusal | null> {
  for (const since of [...READ_BEFORE_MS.map(before => touchesAt - before), null]) {
    const stored = await entriesSince(trx, entry.log, since);
    const log = replay(
      { log: entry.log, home },
      stored.map(one => one.entry),
    );
    if (log.ok && (since === null || isForNow(log.value, entry) || knowsStatusAt(log.value, touchesAt))) {
      return log.value.append(entry);
    }
    if (since === null && !log.ok) {
      throw new BrokenLog(entry.log, { position: log.fault.index, refusal: log.fault.refusal });
    }
  }
  return null;
}

/** Nothing that came before decides about it: it comes from the device, or nothing in the log is later. */
const isForNow = (log: RecordLog, entry: LogEntry): boolean =>
  entry.action === 'record' &&
  ((isDutyEvent(entry.event) && entry.event.origin === 'automatic') ||
    log.records().every(({ event }) => event.at <= entry.event.at));

const knowsStatusAt = (log: RecordLog, atMs: number): boolean =>
  log.records().some(({ event, status }) => event.type === 1 && status === 'active' && event.at < atMs);

/** The first entry of a later day stores the root of the day before. */
async function closeDay(
  trx: AccountTransaction,
  accountId: number,
  kind: 'log' | 'device',
  chain: string,
  end: ChainEnd | null,
  recordedAt: number,
): Promise<void> {
  if (!end || rootDay(end.recordedAt) === rootDay(recordedAt)) return;
  const root = await rootUntil(trx, kind, chain, end);
  if (root) await insertRoot(trx, accountId, root);
}

/** The root of the chain's last day. */
export async function rootUntil(
  trx: AccountTransaction,
  kind: 'log' | 'device',
  chain: string,
  end: ChainEnd,
): Promise<DailyRoot | null> {
  const day = rootDay(end.recordedAt);
  const start = await startOfRootDay(trx, kind, chain, day);
  if (!start) return null;
  const { first, previous } = start;
  return rootOf({ chain, day, first, count: end.position - first + 1, previous: previous ?? START, head: end.hash });
}
