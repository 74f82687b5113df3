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
import type { AccountTransaction } from '../../db/database.ts';
import { HOME_UNTIL_NAMED } from '../../logs/stretch.ts';
import { BrokenLog } from './broken-log.ts';
import { type EntryDraft, otherRecordsOf } from './draft.ts';
import {
  type ChainEnd,
  endOfDevice,
  endOfLog,
  entriesSince,
  insertEntries,
  insertRoot,
  type StoredEntry,
  startOfRootDay,
  touchedBy,
} from './store.ts';

/** What a log needs from its owner: the home terminal, and the name used in the events’ check values. */
export interface LogOwner {
  readonly home: HomeTerminal;
  readonly userName: string;
}

/** A part of a log, with what was added to it since. */
export interface Page {
  /** It has all entries that affect the time since; null: all of them. */
  readonly since: number | null;
  readonly entries: StoredEntry[];
  readonly log: RecordLog;
}

type Refused = Refusal | 'not-an-entry';
type Written =
  | { readonly entry: LogEntry; readonly refusal: null }
  | { readonly entry?: never; readonly refusal: Refused };

const DAY_MS = 24 * 3_600_000;
/**
 * As far before the earliest moment that an entry affects as its log is read to judge it, until that includes the status
 * that its day begins with: mostly a status of the day before; after a vacation, or driving whose end is not known yet,
 * an older one.
 */
const READ_BEFORE_MS = [2 * DAY_MS, 16 * DAY_MS];

/**
 * Adds entries to logs, for a transaction that has locked their chains and in which nobody else writes meanwhile: what
 * it has read and added it knows, so that many entries cost little more than one. They are in the database after `done`.
 */
export class Pen {
  readonly #trx: AccountTransaction;
  readonly #accountId: number;
  readonly #now: number;
  readonly #pages = new Map<string, Page>();
  readonly #ends = new Map<string, ChainEnd | null>();
  readonly #deviceEnds = new Map<string, ChainEnd | null>();
  #unsaved: { readonly stored: StoredEntry; readonly text: string }[] = [];

  constructor(trx: AccountTransaction, accountId: number, now: number) {
    this.#trx = trx;
    this.#accountId = accountId;
    this.#now = now;
  }

  /** Adds one entry; a refused one changes nothing. */
  async write(draft: EntryDraft, owner: LogOwner): Promise<Written> {
    const { home } = owner;
    const aboutMs = 'event' in draft ? Math.min(this.#now, draft.event.at) : this.#now;
    // As much as the entry will be judged by: its day, and the two before.
    const page = await this.page(draft.log, aboutMs - 4 * DAY_MS);
    // A log records its own home terminal: in its first entry, and whenever it changes.
    const known = homeIn(page);
    if (known?.timeZone !== home.timeZone || known.startOfDay !== home.startOfDay) {
      const { startOfDay, timeZone } = home;
      const named = await this.#add({ action: 'home', log: draft.log, by: 'eld', timeZone, startOfDay }, owner);
      if (typeof named === 'string') return { refusal: named };
    }
    const added = await this.#add(draft, owner);
    return typeof added === 'string' ? { refusal: added } : { entry: added, refusal: null };
  }

  /** All that was added is in the database. */
  async done(): Promise<void> {
    const rows = this.#unsaved;
    this.#unsaved = [];
    await insertEntries(this.#trx, this.#accountId, rows);
  }

  /**
   * A log as it is now, with all that bears on the time since a moment; all of it if that part can't be read alone.
   * Throws `BrokenLog`.
   */
  async page(log: string, since: number | null): Promise<Page> {
    const known = this.#pages.get(log);
    if (known && (known.since === null || (since !== null && known.since <= since))) return known;
    await this.done();
    const read = (await this.#read(log, since)) ?? (await this.#read(log, null));
    if (!read) throw new Error('A whole log is read, or broken.');
    this.#pages.set(log, read);
    return read;
  }

  async #read(log: string, since: number | null): Promise<Page | null> {
    const entries = [...(await entriesSince(this.#trx, log, since))];
    const part = replay(
      { log, home: HOME_UNTIL_NAMED },
      entries.map(({ entry }) => entry),
    );
    const isWhole = entries.length === ((await this.#endOf(log))?.position ?? -1) + 1;
    if (part.ok) return { since: isWhole ? null : since, entries, log: part.value };
    if (since === null) throw new BrokenLog(log, { position: part.fault.index, refusal: part.fault.refusal });
    return null;
  }

  async #add(draft: EntryDraft, owner: LogOwner): Promise<LogEntry | Refused> {
    const end = await this.#endOf(draft.log);
    const deviceEnd = 'device' in draft ? await this.#endOfDevice(draft.device) : null;
    // If the server's clock was set back, the entry still gets no earlier time than those before it.
    const recordedAt = Math.max(this.#now, end?.recordedAt ?? 0, deviceEnd?.recordedAt ?? 0);
    const read = readEntry(entryOf(draft, owner, recordedAt, (deviceEnd?.position ?? -1) + 1));
    if (!read.ok) return 'not-an-entry';
    const entry = read.value;
    const text = canonicalJson(entry);
    const content = contentOf(entry);
    if (text === null || content === null) return 'not-an-entry';
    const touchesAt = await this.#touchedAt(draft, owner.home, recordedAt);
    const elsewhere = await this.#refusedElsewhere(entry);
    if (elsewhere) return elsewhere;
    const page = await this.#pageFor(entry, touchesAt);
    const refusal = page.log.append(entry);
    if (refusal) return refusal;

    const link = nextLink({ chain: entry.log, log: entry.log, content }, end);
    const device = 'device' in entry ? nextLink({ chain: entry.device, log: entry.log, content }, deviceEnd) : null;
    await this.#closeDay('log', entry.log, end, recordedAt);
    if (device) await this.#closeDay('device', device.chain, deviceEnd, recordedAt);
    const { position, hash } = link;
    const stored: StoredEntry = { log: entry.log, position, entry, recordedAt, touchesAt, content, hash, device };
    this.#unsaved.push({ stored, text });
    page.entries.push(stored);
    this.#ends.set(entry.log, { position, hash, recordedAt });
    if (device) this.#deviceEnds.set(device.chain, { position: device.position, hash: device.hash, recordedAt });
    return entry;
  }

  async #endOf(log: string): Promise<ChainEnd | null> {
    const known = this.#ends.get(log);
    if (known !== undefined) return known;
    const end = await endOfLog(this.#trx, log);
    this.#ends.set(log, end);
    return end;
  }

  async #endOfDevice(device: string): Promise<ChainEnd | null> {
    const known = this.#deviceEnds.get(device);
    if (known !== undefined) return known;
    const end = await endOfDevice(this.#trx, device);
    this.#deviceEnds.set(device, end);
    return end;
  }

  /** The start of the earliest day affected by the entry or the entry it refers to. */
  async #touchedAt(draft: EntryDraft, home: HomeTerminal, recordedAt: number): Promise<number> {
    const own = 'event' in draft ? draft.event.at : recordedAt;
    const date = draft.action === 'certify' ? draft.event.date : dayOf(epochMs(own), home);
    const pointedAt: number[] = [];
    for (const id of otherRecordsOf(draft)) {
      const at = await this.#touchedBy(draft.log, id);
      if (at !== null) pointedAt.push(at);
    }
    return Math.min(startOfDate(date, home), ...pointedAt);
  }

  async #touchedBy(log: string, id: string): Promise<number | null> {
    const known = this.#pages.get(log)?.entries.find(({ entry }) => entry.id === id);
    return known ? known.touchesAt : touchedBy(this.#trx, log, id);
  }

  /** A claimed period must match the other log: the same status, start and end. */
  async #refusedElsewhere(entry: LogEntry): Promise<Refusal | null> {
    if (entry.action !== 'assume' && entry.action !== 'take-over') return null;
    const { from, event, until } = entry;
    const touched = await this.#touchedBy(from.log, from.record);
    if (touched === null) return 'other-driving';
    const { log } = await this.page(from.log, touched);
    const there = takeable(log.records(), from.record);
    const isSame = there?.event.at === event.at && there.event.code === event.code && there.until === until;
    return isSame ? null : 'other-driving';
  }

  /**
   * What an entry is judged by: its log only as far back as the entry reaches, or all of it if that part doesn't tell
   * what the log says of the entry's time.
   */
  async #pageFor(entry: LogEntry, touchesAt: number): Promise<Page> {
    for (const before of READ_BEFORE_MS) {
      const page = await this.page(entry.log, touchesAt - before);
      if (page.since === null || isForNow(page.log, entry) || knowsStatusAt(page.log, touchesAt)) return page;
    }
    return this.page(entry.log, null);
  }

  /** The first entry of a later day stores the root of the day before. */
  async #closeDay(kind: 'log' | 'device', chain: string, end: ChainEnd | null, recordedAt: number): Promise<void> {
    if (!end || rootDay(end.recordedAt) === rootDay(recordedAt)) return;
    await this.done();
    const root = await rootUntil(this.#trx, kind, chain, end);
    if (root) await insertRoot(this.#trx, this.#accountId, root);
  }
}

/** The home terminal that a log has named last: every page has it. */
function homeIn({ entries, log }: Page): HomeTerminal | null {
  return entries.some(({ entry }) => entry.action === 'home') ? log.home() : null;
}

function entryOf(draft: EntryDraft, owner: LogOwner, recordedAt: number, devicePosition: number): unknown {
  const head = { ...draft, id: randomUUID(), recordedAt };
  if (!('event' in draft)) return head;
  const event = { ...draft.event, sequence: sequenceAt(devicePosition) };
  const isDuty = 'origin' in event;
  return { ...head, event: isDuty ? withCheck(event, owner.userName, owner.home.timeZone) : event };
}

/** Nothing that came before decides about it: it comes from the device, or nothing in the log is later. */
const isForNow = (log: RecordLog, entry: LogEntry): boolean =>
  entry.action === 'record' &&
  ((isDutyEvent(entry.event) && entry.event.origin === 'automatic') ||
    log.records().every(({ event }) => event.at <= entry.event.at));

const knowsStatusAt = (log: RecordLog, atMs: number): boolean =>
  log.records().some(({ event, status }) => event.type === 1 && status === 'active' && event.at < atMs);

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
