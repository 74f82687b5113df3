import { DUTY_CODES, secondOf } from '@milepost/eld';
import { sql } from 'kysely';
import type { AccountTransaction } from '../../../db/database.ts';
import type { EntryDraft } from '../draft.ts';
import { type LogOwner, Pen } from '../pen.ts';
import { readCarrierOf } from '../settings/carrier.ts';
import { homeOfTerminal, readDriverTerms } from '../settings/driver-terms.ts';
import { lockChains } from '../store.ts';
import { lockFor } from '../write.ts';
import { inTheirOrder, keyOf, missingFrom, type Outside, recordedBy, retractions } from './compare.ts';
import { enteredKey, enteredKeys, enteredStatus } from './entered-codes.ts';
import { readInputs, readStatusesOutside } from './inputs.ts';
import type { ToRecord } from './vehicle-state.ts';

const DAY_MS = 24 * 3_600_000;
/** As much of a log as is read to see what is in it already. */
const BEFORE_MS = 2 * DAY_MS;
const RECEIVED_LATE = 'Entered then, received later';

/** Writes events to the logs of drivers and of unidentified driving. */
export async function createWriter(trx: AccountTransaction, accountId: number, nowMs: number) {
  const owners = new Map<string, LogOwner & { readonly userId: string | null }>();
  const ownerOf = async (log: string) => {
    const known = owners.get(log) ?? (await readOwner(trx, log));
    owners.set(log, known);
    return known;
  };
  const pen = new Pen(trx, accountId, nowMs);
  const unwritten: { key: string; refusal: string }[] = [];
  /** Logs to which something was added. */
  const grown = new Set<string>();

  const put = async (draft: EntryDraft): Promise<string | null> => {
    const written = await pen.write(draft, await ownerOf(draft.log));
    if (written.refusal === null) grown.add(draft.log);
    return written.refusal;
  };
  const putEvents = async (events: readonly ToRecord[], vehicleId: number): Promise<void> => {
    const drafts: (EntryDraft & { readonly action: 'record' })[] = [];
    for (const one of events) drafts.push(draftOf(one, vehicleId, (await ownerOf(one.log)).userId));
    await lockFor(trx, accountId, drafts);
    for (const [nth, draft] of drafts.entries()) {
      const refusal = (await put(draft)) && (await putLate(draft, put));
      const event = events[nth];
      if (refusal && event) unwritten.push({ key: keyOf(event), refusal });
    }
  };

  return {
    unwritten,
    grown,
    write: async (events: readonly ToRecord[], vehicleId: number): Promise<void> => {
      await putEvents(events, vehicleId);
      await pen.done();
    },
    /** What is in the logs at `beforeMs` or later is left as it is. */
    compareAndWrite: async (
      wanted: readonly ToRecord[],
      { beforeMs, fromMs }: { readonly fromMs: number; readonly beforeMs: number | null },
      vehicleId: number,
    ): Promise<void> => {
      const device = `vehicle:${vehicleId}` as const;
      const isCompared = ({ event }: ToRecord): boolean => beforeMs === null || event.at < beforeMs;
      const truth = inTime(wanted);
      const logs = new Set([...truth.map(({ log }) => log), ...(await logsOfDevice(trx, device, fromMs))]);
      const entered = enteredKeys(await readInputs(trx, vehicleId, { from: fromMs }));
      await lockChains(trx, accountId, [...logs, device]);
      const outsideOf = new Map<string, Outside>();
      for (const log of logs) outsideOf.set(log, await readOutside(trx, log, fromMs));
      const read = async (log: string) => {
        const { entries, log: records } = await pen.page(log, fromMs - BEFORE_MS);
        const own = entries.map(({ entry }) => entry);
        const logged = recordedBy(own, device, fromMs, { entered, outside: outsideOf.get(log) ?? NOTHING_OUTSIDE });
        return { records, logged };
      };
      const putAll = async (drafts: readonly EntryDraft[]): Promise<void> => {
        for (const draft of drafts) {
          const refusal = await put(draft);
          if (refusal) unwritten.push({ key: draft.log, refusal });
        }
      };
      const known: ToRecord[] = [];
      for (const log of logs) {
        const { logged, records } = await read(log);
        await putAll(retractions(records, truth, logged.filter(isCompared), fromMs));
        known.push(...logged);
      }
      // The keys of both sides begin with the log.
      await putEvents(missingFrom(truth, known.map(keyOf)), vehicleId);
      for (const log of logs) {
        const { logged, records } = await read(log);
        await putAll(inTheirOrder(records, truth, logged.filter(isCompared)));
      }
      await pen.done();
    },
  };
}

const inTime = (events: readonly ToRecord[]): ToRecord[] => events.toSorted((a, b) => a.event.at - b.event.at);

function draftOf(
  { event, log }: ToRecord,
  vehicleId: number,
  userId: string | null,
): EntryDraft & { readonly action: 'record' } {
  const isDrivers = 'origin' in event && event.origin === 'driver' && userId !== null;
  return { action: 'record', log, device: `vehicle:${vehicleId}`, by: isDrivers ? userId : 'eld', event };
}

/**
 * What a driver entered on time and the server received late: it says so. Where driving was recorded meanwhile because
 * the entry was not known, the device corrects that first.
 */
async function putLate(
  draft: EntryDraft & { readonly action: 'record' },
  put: (draft: EntryDraft) => Promise<string | null>,
): Promise<string | null> {
  const { event } = draft;
  if (!('annotation' in event)) return 'not-an-entry';
  const late = { ...draft, event: { ...event, annotation: RECEIVED_LATE } } as EntryDraft;
  const refusal = await put(late);
  if (refusal !== 'driving-shortened' || event.type !== 1) return refusal;
  await put({ ...draft, by: 'eld', event: { ...event, origin: 'automatic' } } as EntryDraft);
  return put(late);
}

const NOTHING_OUTSIDE: Outside = { records: new Set(), keys: [] };

async function readOutside(trx: AccountTransaction, log: string, fromMs: number): Promise<Outside> {
  const driverId = driverOf(log);
  if (driverId === null) return NOTHING_OUTSIDE;
  const statuses = await readStatusesOutside(trx, driverId, fromMs);
  return {
    records: new Set(statuses.flatMap(({ record }) => record ?? [])),
    keys: statuses.flatMap(({ action, at, record }) => {
      const status = enteredStatus(action);
      return status === null || record !== null ? [] : [enteredKey(secondOf(at), 1, DUTY_CODES[status])];
    }),
  };
}

const driverOf = (log: string): number | null => {
  const id = /^driver:(\d+)$/.exec(log)?.[1];
  return id === undefined ? null : Number(id);
};

/** The logs with records of a vehicle's device that touch the time since a moment. */
async function logsOfDevice(trx: AccountTransaction, device: string, fromMs: number): Promise<string[]> {
  const { rows } = await sql<{ log: string }>`
    select distinct log from duty_entry
    where device = ${device} and touches_at >= ${new Date(fromMs - BEFORE_MS)}`.execute(trx);
  return rows.map(({ log }) => log);
}

/** Whose log it is: the driver's terminal and user, or for unidentified driving the carrier's first terminal. */
export async function readOwner(
  trx: AccountTransaction,
  log: string,
): Promise<LogOwner & { readonly userId: string | null }> {
  const driverId = driverOf(log);
  const [terms] = driverId === null ? [] : await readDriverTerms(trx, [driverId]);
  if (terms) return { home: homeOfTerminal(terms.terminal), userName: terms.userName, userId: terms.userId };
  const { terminals } = await readCarrierOf(trx);
  const [terminal] = terminals;
  if (!terminal) throw new Error('A carrier has a terminal.');
  return { home: homeOfTerminal(terminal), userName: 'unidentified', userId: null };
}
