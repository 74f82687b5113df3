import type { DutyAction } from '@milepost/contract';
import { type EldEvent, type LogEntry, nextMoment, replay, type TownFinder } from '@milepost/eld';
import { sql } from 'kysely';
import type { AccountTransaction } from '../../../db/database.ts';
import { type RecordedFix, readRecordedFixes } from '../../../tracks/private.ts';
import type { EntryDraft } from '../draft.ts';
import { readCarrierOf } from '../settings/carrier.ts';
import { homeOfTerminal, readDriverTerms } from '../settings/driver-terms.ts';
import { entriesSince } from '../store.ts';
import { type LogOwner, lockFor, writeEntry } from '../write.ts';
import { corrections, keyOf, missingFrom, recordedBy } from './compare.ts';
import {
  newVehicleState,
  passTime,
  type Recorded,
  type RecordedVehicle,
  type SignInTerms,
  type ToRecord,
  takeFix,
  takeInput,
  timeOf,
  type VehicleState,
} from './vehicle-state.ts';

const DAY_MS = 24 * 3_600_000;
const SECOND_MS = 1000;
/** As much of a log as is read to see what is in it already. */
const BEFORE_MS = 2 * DAY_MS;
const RECEIVED_LATE = 'Entered then, received later';

export interface RecordParts {
  readonly accountId: number;
  readonly vehicleId: number;
  readonly towns: TownFinder;
  readonly nowMs: number;
}

export interface RecordingOutcome {
  /** Why new inputs change nothing, by their ids. */
  readonly refusals: ReadonlyMap<string, string>;
  /** When something will be due without a position or an input. */
  readonly nextMs: number | null;
  readonly fixThroughMs: number;
  /** The driver who uses the vehicle personally now. */
  readonly personalUse: number | null;
  /** What the log of a person's entries did not take, with the reason. */
  readonly unwritten: readonly { readonly key: string; readonly refusal: string }[];
}

/** Only this transaction records the vehicle, and takes inputs for it, until it ends. */
export const lockRecorder = (trx: AccountTransaction, vehicleId: number) =>
  trx.selectFrom('recorder_fold').selectAll().where('vehicle_id', '=', vehicleId).forUpdate().executeTakeFirst();

/** Begins to record a vehicle, or to record it from an earlier moment. */
export async function beginRecording(
  trx: AccountTransaction,
  { accountId, vehicleId }: Pick<RecordParts, 'accountId' | 'vehicleId'>,
  atMs: number,
): Promise<void> {
  const first = await trx
    .selectFrom('recorder_day')
    .select('day')
    .where('vehicle_id', '=', vehicleId)
    .orderBy('day')
    .limit(1)
    .executeTakeFirst();
  const known = first && (await stateOfDay(trx, vehicleId, first.day));
  if (known && timeOf(known) <= atMs) return;
  const state = JSON.stringify(newVehicleState(atMs));
  await trx
    .insertInto('recorder_day')
    .values({ account_id: accountId, vehicle_id: vehicleId, day: dayOf(atMs), state })
    .onConflict(conflict => conflict.columns(['vehicle_id', 'day']).doUpdateSet({ state }))
    .execute();
  await trx
    .insertInto('recorder_fold')
    .values({
      ...{ account_id: accountId, vehicle_id: vehicleId, fix_through: new Date(atMs - 1), state },
      ...{ next_at: null, driver_id: null, co_driver_id: null },
    })
    .onConflict(conflict => conflict.column('vehicle_id').doNothing())
    .execute();
  await trx
    .insertInto('recorder_late')
    .values({ account_id: accountId, vehicle_id: vehicleId, from_at: new Date(atMs) })
    .execute();
}

/**
 * Records what follows from a vehicle's new positions and inputs, and what has become due, in the caller's transaction.
 * Where something came late, everything since is folded again from the state at the beginning of its day, and what the
 * logs lack is written. Null for a vehicle that is not recorded.
 */
export async function recordVehicle(trx: AccountTransaction, parts: RecordParts): Promise<RecordingOutcome | null> {
  const { accountId, nowMs, towns, vehicleId } = parts;
  const row = await lockRecorder(trx, vehicleId);
  const vehicle = row && (await readVehicle(trx, vehicleId));
  if (!row || !vehicle) return null;

  const base = row.state as VehicleState;
  // Before the positions are read: those that a later mark is about come with it.
  const marks = await trx
    .deleteFrom('recorder_late')
    .where('vehicle_id', '=', vehicleId)
    .where('from_at', '<=', new Date(nowMs))
    .returning('from_at')
    .execute();
  const lateMs = Math.min(...marks.map(({ from_at }) => from_at.getTime()));
  const newInputs = await readInputs(trx, vehicleId, { after: row.input_through });
  const before = new Date(nowMs + 1);
  const newFixes = await readRecordedFixes(trx, vehicleId, {
    from: new Date(row.fix_through.getTime() + 1),
    // What is folded already is not later than the state, and what is marked before it is folded again.
    hiddenFrom: marks.length === 0 ? null : new Date(lateMs),
    before,
  });
  const firstFixMs = newFixes[0]?.fix_at.getTime() ?? Number.POSITIVE_INFINITY;
  const firstInputMs = Math.min(...newInputs.map(({ at }) => at));
  const isLate = lateMs <= timeOf(base) || firstFixMs <= timeOf(base) || firstInputMs < timeOf(base);

  let state = base;
  let [fixes, inputs] = [newFixes, newInputs];
  let fromMs = timeOf(base);
  if (isLate) {
    const morning = await morningBefore(trx, vehicleId, Math.min(lateMs, firstFixMs, firstInputMs));
    if (morning) {
      state = morning;
      fromMs = timeOf(morning);
      const from = new Date(Math.ceil(fromMs));
      fixes = await readRecordedFixes(trx, vehicleId, { from, hiddenFrom: from, before });
      // What is in the morning's state already changes nothing again: it is not newer.
      fixes = fixes.filter(({ fix_at }) => fix_at.getTime() > fromMs || isBeginning(morning));
      inputs = (await readInputs(trx, vehicleId, { from: fromMs })).filter(
        ({ at }) => at > fromMs || isBeginning(morning),
      );
      await trx
        .deleteFrom('recorder_day')
        .where('vehicle_id', '=', vehicleId)
        .where('day', '>', dayOf(fromMs))
        .execute();
    }
  }

  const begun = state.justRecorded;
  const events: ToRecord[] = [];
  const refusals = new Map<string, string>();
  const take = (recorded: Recorded): void => {
    state = recorded.state;
    events.push(...recorded.events);
  };
  let day = dayOf(timeOf(state));
  for (const item of inOrder(fixes, inputs)) {
    if (dayOf(item.at) > day) {
      day = dayOf(item.at);
      await keepMorning(trx, accountId, vehicleId, day, state);
    }
    if (item.fix) take(takeFix(state, item.fix, vehicle, towns));
    else {
      const recorded = takeInput(state, item.input, vehicle, towns);
      if (recorded.refusal !== null) refusals.set(item.input.id, recorded.refusal);
      take(recorded);
    }
  }
  const due = passTime(state, nowMs, vehicle, towns);
  const truth = [...events, ...due.events];

  const ahead = row.ahead as string[];
  const isContradicted = missingKeys(ahead, truth).length > 0;
  const writer = await createWriter(trx, accountId, truth, nowMs);
  if (isLate || isContradicted) {
    await writer.compareAndWrite(
      [...begun, ...truth],
      `vehicle:${vehicleId}`,
      Math.floor(fromMs / SECOND_MS) * SECOND_MS,
      vehicleId,
    );
  } else await writer.write(missingFrom(truth, ahead), vehicleId);

  const { driver } = state.recorder;
  const nextMs = nextMoment(due.state.recorder);
  const fixThrough = new Date(
    Math.max(row.fix_through.getTime(), fixes.findLast(({ isHidden }) => !isHidden)?.fix_at.getTime() ?? 0),
  );
  await trx
    .updateTable('recorder_fold')
    .set({
      fix_through: fixThrough,
      input_through: newInputs.reduce((last, { seq }) => (BigInt(seq) > BigInt(last) ? seq : last), row.input_through),
      state: JSON.stringify(state),
      ahead: JSON.stringify(due.events.map(keyOf)),
      next_at: nextMs === null ? null : new Date(nextMs),
      driver_id: idOf(driver),
      co_driver_id: idOf(state.coDriver),
    })
    .where('vehicle_id', '=', vehicleId)
    .execute();
  const isNew = new Set(newInputs.map(({ id }) => id));
  const refused = new Map([...refusals].filter(([id]) => isNew.has(id)));
  const personalUse = state.recorder.indication === 'personal-use' ? idOf(driver) : null;
  return { refusals: refused, nextMs, fixThroughMs: fixThrough.getTime(), unwritten: writer.unwritten, personalUse };
}

/** The state with which recording began has taken nothing yet, so that what happened in that moment is to come. */
const isBeginning = ({ fix, odometer, recorder }: VehicleState): boolean =>
  fix === null && odometer === null && recorder.driver === null && !recorder.engineOn;

const idOf = (log: string | null): number | null => (log === null ? null : Number(log.replace('driver:', '')));
const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

function missingKeys(keys: readonly string[], truth: readonly ToRecord[]): string[] {
  const known = new Set(truth.map(keyOf));
  return keys.filter(key => !known.has(key));
}

interface StoredInput {
  readonly id: string;
  readonly seq: string;
  readonly at: number;
  readonly driver: string;
  readonly action: DutyAction;
  readonly terms: SignInTerms | null;
}

async function readInputs(
  trx: AccountTransaction,
  vehicleId: number,
  { after, from }: { readonly after?: string; readonly from?: number },
): Promise<StoredInput[]> {
  const rows = await trx
    .selectFrom('duty_input')
    .selectAll()
    .where('vehicle_id', '=', vehicleId)
    .$if(after !== undefined, query => query.where('seq', '>', after as string))
    .$if(from !== undefined, query => query.where('at', '>=', new Date(from as number)))
    .orderBy('at')
    .orderBy('seq')
    .execute();
  return rows.map(({ action, at, driver_id, id, seq, terms }) => ({
    ...{ id, seq, at: at.getTime(), driver: `driver:${driver_id}` },
    action: action as DutyAction,
    terms: terms as SignInTerms | null,
  }));
}

type Item =
  | { readonly at: number; readonly fix: RecordedFix; readonly input: null }
  | { readonly at: number; readonly fix: null; readonly input: StoredInput };

/** Positions and inputs by time; of one moment the position first. */
function inOrder(fixes: readonly RecordedFix[], inputs: readonly StoredInput[]): Item[] {
  const items: Item[] = [
    ...fixes.map(fix => ({ at: fix.fix_at.getTime(), fix, input: null })),
    ...inputs.map(input => ({ at: input.at, fix: null, input })),
  ];
  return items.sort((a, b) => a.at - b.at);
}

async function readVehicle(trx: AccountTransaction, id: number): Promise<RecordedVehicle | null> {
  const row = await trx
    .selectFrom('vehicle')
    .select(['name', 'vin', 'odometer_offset'])
    .where('id', '=', id)
    .executeTakeFirst();
  return row
    ? { id, powerUnit: powerUnitOf(row.name), vin: vinOf(row.vin), odometerOffset: row.odometer_offset }
    : null;
}

/** The vehicle's number as records have it, up to ten characters. */
export const powerUnitOf = (name: string): string =>
  name
    .replaceAll(/\p{Cc}/gu, ' ')
    .trim()
    .slice(0, 10)
    .trim() || '-';
export const vinOf = (vin: string | null): string => (vin !== null && /^[A-HJ-NPR-Z0-9]{17}$/.test(vin) ? vin : '');

async function stateOfDay(trx: AccountTransaction, vehicleId: number, day: string): Promise<VehicleState | null> {
  const row = await trx
    .selectFrom('recorder_day')
    .select('state')
    .where('vehicle_id', '=', vehicleId)
    .where('day', '=', day)
    .executeTakeFirst();
  return (row?.state as VehicleState | undefined) ?? null;
}

/** The newest kept state that a moment does not change; the oldest there is for what happened before. */
async function morningBefore(trx: AccountTransaction, vehicleId: number, atMs: number): Promise<VehicleState | null> {
  const rows = await trx
    .selectFrom('recorder_day')
    .select('state')
    .where('vehicle_id', '=', vehicleId)
    .where('day', '<=', dayOf(Math.max(0, atMs)))
    .orderBy('day', 'desc')
    .limit(2)
    .execute();
  const states = rows.map(({ state }) => state as VehicleState);
  const found = states.find(state => timeOf(state) < atMs || (timeOf(state) <= atMs && isBeginning(state)));
  if (found) return found;
  const oldest = await trx
    .selectFrom('recorder_day')
    .select('state')
    .where('vehicle_id', '=', vehicleId)
    .orderBy('day')
    .limit(1)
    .executeTakeFirst();
  return (oldest?.state as VehicleState | undefined) ?? null;
}

async function keepMorning(
  trx: AccountTransaction,
  accountId: number,
  vehicleId: number,
  day: string,
  state: VehicleState,
): Promise<void> {
  const row = { state: JSON.stringify(state) };
  await trx
    .insertInto('recorder_day')
    .values({ ...row, account_id: accountId, vehicle_id: vehicleId, day })
    .onConflict(conflict => conflict.columns(['vehicle_id', 'day']).doUpdateSet(row))
    .execute();
}

/** Writes events to the logs of drivers and of unidentified driving. */
async function createWriter(trx: AccountTransaction, accountId: number, truth: readonly ToRecord[], nowMs: number) {
  const owners = new Map<string, LogOwner & { readonly userId: string | null }>();
  const ownerOf = async (log: string) => {
    const known = owners.get(log) ?? (await readOwner(trx, log));
    owners.set(log, known);
    return known;
  };
  const unwritten: { key: string; refusal: string }[] = [];

  const put = async (draft: EntryDraft): Promise<string | null> => {
    const written = await writeEntry(trx, accountId, draft, await ownerOf(draft.log), nowMs);
    return written.refusal;
  };
  const write = async (events: readonly ToRecord[], vehicleId: number): Promise<void> => {
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
    write,
    compareAndWrite: async (
      wanted: readonly ToRecord[],
      device: `vehicle:${string}`,
      fromMs: number,
      vehicleId: number,
    ): Promise<void> => {
      const logs = new Set([...truth.map(({ log }) => log), ...(await logsOfDevice(trx, device, fromMs))]);
      const entered = new Set(
        (await readInputs(trx, vehicleId, { from: fromMs })).map(({ at }) => Math.floor(at / SECOND_MS) * SECOND_MS),
      );
      const entriesOf = (log: string) => entriesSince(trx, log, fromMs - BEFORE_MS);
      // The keys of both sides begin with the log.
      const known: string[] = [];
      for (const log of logs) {
        const entries = (await entriesOf(log)).map(({ entry }) => entry);
        known.push(...recordedBy(entries, device, fromMs, entered).map(keyOf));
      }
      await write(missingFrom(inTime(wanted), known), vehicleId);
      for (const log of logs) {
        const entries = (await entriesOf(log)).map(({ entry }) => entry);
        const { home } = await ownerOf(log);
        const part = replay({ log, home }, entries);
        const knowsBefore =
          part.ok && part.value.records().some(({ event, status }) => isStatus(event, status) && event.at < fromMs);
        const whole = part.ok && knowsBefore ? part : replay({ log, home }, await wholeLog(trx, log));
        if (!whole.ok) throw new Error(`Log ${log} breaks its own rules: ${whole.fault.refusal}`);
        const logged = recordedBy(entries, device, fromMs, entered);
        const drafts = corrections(whole.value, log, inTime(wanted), logged, fromMs);
        await lockFor(trx, accountId, drafts);
        for (const draft of drafts) {
          const refusal = await put(draft);
          if (refusal) unwritten.push({ key: draft.log, refusal });
        }
      }
    },
  };
}

const isStatus = ({ type }: EldEvent, status: string): boolean => type === 1 && status === 'active';

const inTime = (events: readonly ToRecord[]): ToRecord[] => events.toSorted((a, b) => a.event.at - b.event.at);

async function wholeLog(trx: AccountTransaction, log: string): Promise<LogEntry[]> {
  return (await entriesSince(trx, log, null)).map(({ entry }) => entry);
}

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
  const driverId = /^driver:(\d+)$/.exec(log)?.[1];
  const [terms] = driverId === undefined ? [] : await readDriverTerms(trx, [Number(driverId)]);
  if (terms) return { home: homeOfTerminal(terms.terminal), userName: terms.userName, userId: terms.userId };
  const { terminals } = await readCarrierOf(trx);
  const [terminal] = terminals;
  if (!terminal) throw new Error('A carrier has a terminal.');
  return { home: homeOfTerminal(terminal), userName: 'unidentified', userId: null };
}
