import { nextMoment, secondOf, type TownFinder } from '@milepost/eld';
import type { AccountTransaction } from '../../../db/database.ts';
import { type RecordedFix, readRecordedFixes, readWrongClocks } from '../../../tracks/private.ts';
import { pauses } from '../../../workers/turns.ts';
import { renewAnswers } from './answers.ts';
import { keyOf, missingFrom, momentOf } from './compare.ts';
import { takeInput } from './driver-input.ts';
import { readInputs, type StoredInput } from './inputs.ts';
import { markLate, takeMarks } from './late-marks.ts';
import { createWriter } from './log-writer.ts';
import { personalUseOf, writePersonalUse } from './personal-use.ts';
import { type Seat, writeSeats } from './seats.ts';
import { passTime, takeFix, takeWrongClock } from './take-report.ts';
import { renewTerms } from './terms.ts';
import type { RecordedVehicle } from './vehicle-input.ts';
import type { Recorded } from './vehicle-run.ts';
import { newVehicleState, type ToRecord, timeOf, type VehicleState } from './vehicle-state.ts';

const SECOND_MS = 1000;

export interface RecordParts {
  readonly accountId: number;
  readonly vehicleId: number;
  readonly towns: TownFinder;
  readonly nowMs: number;
  /** The account hides what trackers send in personal use. */
  readonly hidesPersonalUse: boolean;
  /**
   * Records only up to then, because the same transaction will go on from there: its logs say nothing about the time
   * after it before it is recorded to the end. Null: up to now.
   */
  readonly untilMs: number | null;
  /** Leaves what came late for another time. */
  readonly leavesLate: boolean;
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
  /** Something came late: what was recorded since was recorded again. */
  readonly isCorrected: boolean;
}

/** Only this transaction records the vehicle, and takes inputs for it, until it ends. */
export const lockRecorder = (trx: AccountTransaction, vehicleId: number) =>
  trx.selectFrom('recorder_fold').selectAll().where('vehicle_id', '=', vehicleId).forUpdate().executeTakeFirst();

/** Begins to record a vehicle, or to record it from an earlier moment; answers whether it does. */
export async function beginRecording(
  trx: AccountTransaction,
  { accountId, vehicleId }: Pick<RecordParts, 'accountId' | 'vehicleId'>,
  atMs: number,
): Promise<boolean> {
  const first = await trx
    .selectFrom('recorder_day')
    .select('day')
    .where('vehicle_id', '=', vehicleId)
    .orderBy('day')
    .limit(1)
    .executeTakeFirst();
  const known = first && (await stateOfDay(trx, vehicleId, first.day));
  if (known && timeOf(known) <= atMs) return false;
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
  await markLate(trx, { accountId, vehicleId }, atMs);
  return true;
}

/**
 * Records what follows from a vehicle's new positions and inputs, and what has become due, in the caller's transaction.
 * Where something came late, everything since is folded again from the state at the beginning of its day, and what the
 * logs lack is written. Null for a vehicle that is not recorded.
 */
export async function recordVehicle(trx: AccountTransaction, parts: RecordParts): Promise<RecordingOutcome | null> {
  const { accountId, towns, vehicleId } = parts;
  const row = await lockRecorder(trx, vehicleId);
  const vehicle = row && (await readVehicle(trx, vehicleId));
  if (!row || !vehicle) return null;

  const base = row.state as VehicleState;
  const ahead = row.ahead as string[];
  const newInputs = await readInputs(trx, vehicleId, { after: row.input_through });
  const nowMs =
    parts.untilMs ??
    notBefore(parts.nowMs, [
      ...[timeOf(base), row.fix_through.getTime()],
      ...[...newInputs.map(({ at }) => at), ...ahead.map(key => momentOf(key) + SECOND_MS - 1)],
    ]);
  // Before the positions are read: those that a later mark is about come with it.
  const marks = await takeMarks(trx, vehicleId, { afterMs: parts.leavesLate ? timeOf(base) : null, nowMs });
  const lateMs = Math.min(...marks.map(({ from_at }) => from_at.getTime()));
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
  let [fixes, inputs] = [newFixes, newInputs.filter(({ at }) => at <= nowMs)];
  // A wrong clock comes with a mark, unless the malfunction is known.
  let clocks =
    hasWrongClock(base) || marks.length > 0
      ? await readWrongClocks(trx, vehicleId, { from: new Date(timeOf(base) + 1), before, fixes: newFixes })
      : [];
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
        ({ at }) => at <= nowMs && (at > fromMs || isBeginning(morning)),
      );
      clocks = (await readWrongClocks(trx, vehicleId, { from, before, fixes })).filter(
        ({ at }) => at > fromMs || isBeginning(morning),
      );
      await trx
        .deleteFrom('recorder_day')
        .where('vehicle_id', '=', vehicleId)
        .where('day', '>', dayOf(fromMs))
        .execute();
    }
  }

  const begunWith = state;
  const begun = state.justRecorded;
  const events: ToRecord[] = [];
  const refusals = new Map<string, string>();
  const seats: Seat[] = [];
  const personally: Seat[] = [];
  const take = (recorded: Recorded, at: number): void => {
    const [{ driver }, user] = [recorded.state.recorder, personalUseOf(recorded.state)];
    if (driver !== state.recorder.driver) seats.push({ at, driverId: idOf(driver) });
    if (user !== personalUseOf(state)) personally.push({ at, driverId: idOf(user) });
    state = recorded.state;
    events.push(...recorded.events);
  };
  let day = dayOf(timeOf(state));
  const pause = pauses();
  for (const item of inOrder(fixes, inputs, clocks)) {
    await pause();
    if (dayOf(item.at) > day) {
      day = dayOf(item.at);
      await keepMorning(trx, accountId, vehicleId, day, state);
    }
    if (item.fix) take(takeFix(state, item.fix, vehicle, towns), item.at);
    else if (item.clock) take(takeWrongClock(state, item.clock, vehicle, towns), item.at);
    else {
      const recorded = takeInput(state, item.input, vehicle, towns);
      if (recorded.refusal !== null) refusals.set(item.input.id, recorded.refusal);
      take(recorded, item.at);
    }
  }
  // While the malfunction lasted, wrong clocks made no marks: one that came in this moment is looked for again.
  if (hasWrongClock(base) && !hasWrongClock(state)) await markLate(trx, parts, timeOf(base));
  // What the logs say of the time after it is compared from there on.
  if (parts.untilMs !== null) await markLate(trx, parts, timeOf(state));
  const due = passTime(state, nowMs, vehicle, towns);
  const truth = [...events, ...due.events];

  const isContradicted = missingKeys(ahead, truth).length > 0;
  const writer = await createWriter(trx, accountId, Math.max(nowMs, parts.nowMs));
  if (isLate || isContradicted) {
    const span = { fromMs: secondOf(fromMs), beforeMs: parts.untilMs === null ? null : secondOf(parts.untilMs) };
    await writer.compareAndWrite([...begun, ...truth], span, vehicleId);
  } else await writer.write(missingFrom(truth, ahead), vehicleId);
  // What is new for this vehicle may be from before a sign-in to another.
  const grown = [...writer.grown].flatMap(log => (log.startsWith('driver:') ? [Number(idOf(log))] : []));
  await renewTerms(trx, accountId, grown, { exceptVehicle: vehicleId, fromMs });

  await writeSeats(trx, parts, seats, isLate ? { fromMs, isBeginning: isBeginning(begunWith) } : null);
  if (parts.hidesPersonalUse) {
    const again = isLate ? { fromMs, driverId: idOf(personalUseOf(begunWith)) } : null;
    await writePersonalUse(trx, parts, personally, again);
  }
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
      ahead: JSON.stringify([...due.events.map(keyOf), ...laterThan(parts.untilMs, ahead)]),
      next_at: nextMs === null ? null : new Date(nextMs),
      driver_id: idOf(driver),
      co_driver_id: idOf(state.coDriver),
      ...{ failing_since: null, failing_code: null, failing_log: null },
    })
    .where('vehicle_id', '=', vehicleId)
    .execute();
  const isNew = new Set(newInputs.map(({ id }) => id));
  const known = inputs.filter(({ id }) => !isNew.has(id));
  await renewAnswers(trx, known, refusals, parts.nowMs);
  const refused = new Map([...refusals].filter(([id]) => isNew.has(id)));
  const personalUse = idOf(personalUseOf(state));
  return {
    ...{ refusals: refused, nextMs, fixThroughMs: fixThrough.getTime(), unwritten: writer.unwritten, personalUse },
    isCorrected: isLate,
  };
}

/**
 * The time of a look that came to a vehicle later than it began, or on a server whose clock is behind another's: what is
 * recorded already was not in the future, and would not be found again before then.
 */
const notBefore = (nowMs: number, recorded: readonly number[]): number =>
  recorded.reduce((latest, at) => Math.max(latest, at), nowMs);

/** The state with which recording began has taken nothing yet, so that what happened in that moment is to come. */
const isBeginning = ({ fix, justRecorded, odometer, recorder, statuses }: VehicleState): boolean =>
  fix === null &&
  odometer === null &&
  recorder.driver === null &&
  !recorder.engineOn &&
  // Somebody may have signed in and out again before the tracker's first report.
  statuses === undefined &&
  justRecorded.length === 0;

const idOf = (log: string | null): number | null => (log === null ? null : Number(log.replace('driver:', '')));
const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

function missingKeys(keys: readonly string[], truth: readonly ToRecord[]): string[] {
  const known = new Set(truth.map(keyOf));
  return keys.filter(key => !known.has(key));
}

/** What is recorded already of the time after a stretch: it was not in the future. */
const laterThan = (untilMs: number | null, keys: readonly string[]): readonly string[] =>
  untilMs === null ? [] : keys.filter(key => momentOf(key) > untilMs);

const hasWrongClock = ({ faults }: VehicleState): boolean => faults.active.includes('T');

type WrongClock = Awaited<ReturnType<typeof readWrongClocks>>[number];
type Item = { readonly at: number } & (
  | { readonly fix: RecordedFix; readonly input: null; readonly clock: null }
  | { readonly fix: null; readonly input: null; readonly clock: WrongClock }
  | { readonly fix: null; readonly input: StoredInput; readonly clock: null }
);

/** Positions, wrong clocks and inputs by time; of one moment in this order. */
function inOrder(fixes: readonly RecordedFix[], inputs: readonly StoredInput[], clocks: readonly WrongClock[]): Item[] {
  const items: Item[] = [
    ...fixes.map(fix => ({ at: fix.fix_at.getTime(), fix, input: null, clock: null })),
    ...clocks.map(clock => ({ at: clock.at, fix: null, input: null, clock })),
    ...inputs.map(input => ({ at: input.at, fix: null, input, clock: null })),
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
