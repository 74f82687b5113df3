import { randomUUID } from 'node:crypto';
import type { CHANGE_REFUSALS, Proposal, proposeEdit, RouteAnswer, RouteParsed } from '@milepost/contract';
import {
  DUTY_CODES,
  type DutyEvent,
  dayOf,
  INDICATION_CODES,
  isDutyEvent,
  type LogEntry,
  type LogRecord,
  type RecordLog,
  secondOf,
} from '@milepost/eld';
import { epochMs } from '@milepost/units';
import { AppError } from '../../../app-error.ts';
import type { Context } from '../../../context.ts';
import type { AccountTransaction } from '../../../db/database.ts';
import type { Viewer } from '../../../fleet/visibility.ts';
import { audit } from '../../audit/audit.ts';
import type { By } from '../../audit/by.ts';
import { logDayOf } from '../days/log-day.ts';
import { readLogFrom } from '../days/read-log.ts';
import { iso, type NameOf, statusOf } from '../days/shown.ts';
import type { EntryDraft } from '../draft.ts';
import { type DriverTerms, homeOfTerminal, logOfDriver } from '../settings/driver-terms.ts';
import type { LogRoster } from '../settings/roster.ts';
import { writeEntries } from '../write.ts';
import { queuePush } from './asked-for.ts';
import { viewOf, withoutRecords } from './days-of-logs.ts';
import { readNames } from './log-access.ts';
import { logRefused } from './refused.ts';

const DAY_MS = 24 * 3_600_000;
const KEPT_MS = 184 * DAY_MS;

type ProposedEdit = RouteParsed<typeof proposeEdit>['body'];
type Effect = RouteAnswer<typeof proposeEdit>;

/** Proposes a change of a driver’s log (49 CFR 395.30(d)); in a preview, only answers what it would do. */
export async function propose(
  { db, feed, signals }: Pick<Context, 'db' | 'feed' | 'signals'>,
  roster: LogRoster,
  { session, author }: By,
  asked: ProposedEdit,
  now: number,
): Promise<Effect> {
  const { accountId, userId } = session;
  const planned = await db.asAccount(accountId, async trx => {
    const terms = await roster.seen(trx, session, Number(asked.driverId));
    const refused = driverRefused(roster, session, terms);
    if (refused) throw new AppError(refused);
    return { terms, ...(await plan(trx, terms, asked, userId, now)) };
  });
  const { terms, draft, effect } = planned;
  if (asked.preview) return { proposal: null, effect };
  const owner = { home: homeOfTerminal(terms.terminal), userName: terms.userName };
  const written = await writeEntries(
    db,
    accountId,
    [draft],
    () => owner,
    now,
    async trx => {
      await queuePush(trx, accountId, terms, 'proposals', userId);
      await audit(trx, author, {
        action: 'log.change-proposed',
        target: { id: terms.driverId, name: terms.name },
        changes: [
          { field: 'status', from: null, to: asked.status },
          { field: 'at', from: null, to: asked.at },
          { field: 'reason', from: null, to: asked.reason },
        ],
      });
    },
  );
  if (!written.ok) throw logRefused(written.refusal);
  signals.emit('driver-asked', { driverId: terms.driverId });
  await feed.settled();
  return { proposal: written.entries.at(-1)?.id ?? null, effect };
}

/** Why this user can't propose a change of a day of this log, or null; `propose` refuses it for the same. */
export const changeRefused = (
  roster: LogRoster,
  viewer: Viewer,
  terms: DriverTerms,
  log: RecordLog,
  date: string,
): (typeof CHANGE_REFUSALS)[number] | null => driverRefused(roster, viewer, terms) ?? log.refusedDay(date);

function driverRefused(roster: LogRoster, viewer: Viewer, terms: DriverTerms): 'out-of-scope' | 'no-log' | null {
  if (!roster.holds(viewer, terms)) return 'out-of-scope';
  // Nobody could answer: the phone shows no log.
  return terms.settings.keepsLog ? null : 'no-log';
}

/** Takes a proposal back before its driver has answered; throws `log-refused` if they have. */
export async function withdraw(
  { db, feed }: Pick<Context, 'db' | 'feed'>,
  roster: LogRoster,
  { session, author }: By,
  proposal: string,
  now: number,
): Promise<void> {
  const { accountId, userId } = session;
  const { log, terms } = await db.asAccount(accountId, async trx => {
    const row = await trx
      .selectFrom('duty_entry')
      .select('log')
      .where('id', '=', proposal)
      .where('action', '=', 'propose')
      .executeTakeFirst();
    if (!row) throw new AppError('not-found');
    return { log: row.log, terms: await roster.held(trx, session, Number(row.log.replace('driver:', ''))) };
  });
  const owner = { home: homeOfTerminal(terms.terminal), userName: terms.userName };
  const drafts: EntryDraft[] = [{ action: 'withdraw', log, by: userId, proposal }];
  const written = await writeEntries(
    db,
    accountId,
    drafts,
    () => owner,
    now,
    trx => audit(trx, author, { action: 'log.change-withdrawn', target: { id: terms.driverId, name: terms.name } }),
  );
  if (!written.ok) throw logRefused(written.refusal);
  await feed.settled();
}

/** The entry to write, and what the driver’s acceptance of it would change; throws `log-refused`. */
async function plan(
  trx: AccountTransaction,
  terms: DriverTerms,
  asked: ProposedEdit,
  userId: string,
  now: number,
): Promise<{ readonly draft: EntryDraft; readonly effect: Effect['effect'] }> {
  const at = secondOf(Date.parse(asked.at));
  const home = homeOfTerminal(terms.terminal);
  // A change moves a record by at most a day.
  const read = () => readLogFrom(trx, logOfDriver(terms.driverId), at - 2 * DAY_MS, home);
  const [before, after] = [await read(), await read()];
  const pattern = asked.replaces === null ? patternAt(before, at) : before.record(asked.replaces);
  if (!pattern) throw logRefused(asked.replaces === null ? 'not-certified' : 'unknown-record');
  if (!isDutyEvent(pattern.event)) throw logRefused('not-editable');
  const event = proposedEvent(pattern.event, asked, at);
  const draft: EntryDraft = {
    action: 'propose',
    log: logOfDriver(terms.driverId),
    device: pattern.device as `vehicle:${string}`,
    by: userId,
    replaces: asked.replaces,
    event,
  };
  const head = { log: draft.log, recordedAt: Math.max(now, lastWritten(before)), by: userId };
  const proposal = randomUUID();
  const entries: LogEntry[] = [
    { ...draft, ...head, id: proposal, event: { ...event, sequence: 0, check: '00' } },
    { ...head, id: randomUUID(), action: 'accept', proposal },
  ];
  for (const entry of entries) {
    const refusal = after.append(entry);
    if (refusal) throw logRefused(refusal);
  }
  const nameOf = await readNames(trx);
  const date = dayOf(epochMs(at), before.home());
  const day = async (log: RecordLog) =>
    withoutRecords(logDayOf(await viewOf(trx, terms, log, now), terms.driverId, date, nameOf));
  return { draft, effect: { before: await day(before), after: await day(after) } };
}

/** The duty record in force at a moment, or the first one after it: what an additional record has in common with it. */
function patternAt(log: RecordLog, at: number): LogRecord | null {
  const records = log
    .records()
    .filter(({ event, status }) => status === 'active' && isDutyEvent(event))
    .sort((a, b) => a.event.at - b.event.at);
  return records.findLast(({ event }) => event.at <= at) ?? records[0] ?? null;
}

const lastWritten = (log: RecordLog): number =>
  log.records().reduce((latest, { recordedAt }) => Math.max(latest, recordedAt), 0);

function proposedEvent(pattern: DutyEvent, asked: ProposedEdit, at: number) {
  const { sequence: _sequence, check: _check, ...event } = pattern;
  const isElsewhere = asked.replaces === null && at !== pattern.at;
  const place = asked.place?.trim() || null;
  return {
    ...event,
    ...eventOf(asked.status),
    at,
    origin: 'other-user' as const,
    annotation: asked.reason,
    // Miles and hours of another moment are unknown, and the place is the one that was entered.
    ...(isElsewhere && { miles: null, hours: null, malfunction: false, diagnostic: false, place: null }),
    ...(isElsewhere && { lat: 'X', lon: 'X', placeByDriver: null }),
    ...(place !== null && { lat: 'M', lon: 'M', place: null, placeByDriver: place }),
  };
}

/** The type and code of the record that begins a status. */
export function eventOf(status: ProposedEdit['status']): { readonly type: 1 | 3; readonly code: number } {
  if (status === 'PC') return { type: 3, code: INDICATION_CODES['personal-use'] };
  if (status === 'YM') return { type: 3, code: INDICATION_CODES['yard-move'] };
  return { type: 1, code: DUTY_CODES[status] };
}

type Answer = Extract<LogEntry, { readonly action: 'accept' | 'reject' | 'withdraw' }>;
const STATES = { accept: 'accepted', reject: 'rejected', withdraw: 'withdrawn' } as const;
type Propose = Extract<LogEntry, { readonly action: 'propose' }>;

/** The proposed changes of six months in these drivers’ logs, newest first. */
export async function listProposalsOf(
  trx: AccountTransaction,
  drivers: readonly DriverTerms[],
  now: number,
  nameOf: NameOf,
): Promise<Proposal[]> {
  const rows = await trx
    .selectFrom('duty_entry')
    .select('entry')
    .where('action', 'in', ['propose', 'accept', 'reject', 'withdraw'])
    .where('recorded_at', '>=', new Date(now - KEPT_MS))
    .orderBy('recorded_at', 'desc')
    .orderBy('position', 'desc')
    .execute();
  const entries = rows.map(({ entry }) => JSON.parse(entry) as Propose | Answer);
  const answers = new Map<string, Answer>();
  for (const entry of entries) if (entry.action !== 'propose') answers.set(entry.proposal, entry);
  const byLog = new Map(drivers.map(terms => [logOfDriver(terms.driverId), terms]));
  const proposals = entries.filter(entry => entry.action === 'propose').filter(({ log }) => byLog.has(log));
  const replaced = await eventsOf(
    trx,
    proposals.flatMap(({ replaces }) => replaces ?? []),
  );
  return proposals.flatMap((entry): Proposal[] => {
    const terms = byLog.get(entry.log);
    const status = statusOf(entry);
    if (!terms || !status) return [];
    const answer = answers.get(entry.id);
    const old = entry.replaces === null ? undefined : replaced.get(entry.replaces);
    return [
      {
        id: entry.id,
        driverId: String(terms.driverId),
        driverName: terms.name,
        date: dayOf(epochMs(entry.event.at), homeOfTerminal(terms.terminal)),
        by: nameOf(entry.by) ?? '',
        proposedAt: iso(entry.recordedAt),
        status,
        at: iso(entry.event.at),
        replaces: old ? { status: statusOf({ event: old }), at: iso(old.at) } : null,
        reason: entry.event.annotation,
        state: answer ? STATES[answer.action] : 'waiting',
        answeredAt: answer ? iso(answer.recordedAt) : null,
      },
    ];
  });
}

async function eventsOf(trx: AccountTransaction, ids: readonly string[]): Promise<Map<string, DutyEvent>> {
  if (ids.length === 0) return new Map();
  const rows = await trx.selectFrom('duty_entry').select('entry').where('id', 'in', ids).execute();
  return new Map(
    rows.flatMap(({ entry }) => {
      const read = JSON.parse(entry) as LogEntry;
      return 'event' in read && isDutyEvent(read.event) ? [[read.id, read.event] as const] : [];
    }),
  );
}
