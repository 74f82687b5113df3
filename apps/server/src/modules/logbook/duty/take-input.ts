import type { DutyAction } from '@milepost/contract';
import { secondOf, shownSegments } from '@milepost/eld';
import type { AccountTransaction } from '../../../db/database.ts';
import type { EntryDraft } from '../draft.ts';
import { markBegun } from '../recorder/late-marks.ts';
import { lockRecorder } from '../recorder/record-vehicle.ts';
import { readStory, renewTerms, signInTermsAt, whoseTerms } from '../recorder/terms.ts';
import { logOfDriver, readTermsOf } from '../settings/driver-terms.ts';
import { lockChains } from '../store.ts';
import { byHand, readOwn, write, writeStatus } from './by-hand.ts';
import { driverAt, type Entered, seatAt, signedInTo, type TakeParts } from './entered.ts';
import { coDriverAt, isAskedInto } from './team.ts';

const SECOND_MS = 1000;
/** What happened since may as well be recorded right away. */
const SOON_MS = 6 * 3_600_000;

/** What else decides whether an entry is taken. */
interface Allowed extends TakeParts {
  /** Whether the driver may sign in to this vehicle (`own-vehicles.ts`). */
  readonly mayDrive: (vehicleId: number) => boolean;
}

/** An entry that is kept, on its way to the recorder of its vehicle or to the log itself. */
interface Kept {
  readonly entered: Entered;
  readonly vehicleId: number | null;
}

/**
 * Writes what a driver did, in this order; answers by their ids why entries are not taken. What follows each other in one
 * vehicle is recorded at once: a phone that was without a network for days would otherwise have all that followed
 * corrected again for each of its entries.
 */
export async function takeInputs(parts: Allowed, all: readonly Entered[]): Promise<ReadonlyMap<string, string | null>> {
  const refusals = new Map<string, string | null>();
  const { trx, accountId, nowMs, recorder } = parts;
  let together: Kept[] = [];
  const locked = new Set<number>();
  /** Vehicles that are recorded only since these entries, from when on. */
  const begun = new Map<number, number>();
  /** Of those recorded so far. */
  const signIns: Kept[] = [];
  /** Vehicles that are recorded only up to some entry. */
  const unfinished = new Set<number>();
  /** Records a vehicle before the entries from `nextMs` on are kept. */
  const recordUntil = async (vehicleId: number, nextMs: number) => {
    // Days would be recorded as if nothing had been entered in them, and corrected with the next entries.
    const untilMs = nextMs < nowMs - SOON_MS ? nextMs : undefined;
    if (untilMs === undefined) unfinished.delete(vehicleId);
    else unfinished.add(vehicleId);
    return recorder.record(trx, accountId, vehicleId, nowMs, untilMs);
  };
  const record = async (nextMs: number): Promise<void> => {
    const kept = together;
    together = [];
    const [first] = kept;
    // What they recorded before, as if nothing more had been entered, must not stand against what comes now.
    for (const id of [...unfinished]) if (id !== first?.vehicleId) await recordUntil(id, nextMs);
    if (first?.vehicleId == null) return;
    const outcome = await recordUntil(first.vehicleId, nextMs);
    signIns.push(...kept.filter(({ entered: { action } }) => action.kind === 'sign-in' || action.kind === 'co-driver'));
    const refusedFor = ({ id }: Entered): string | null => outcome?.refusals.get(id) ?? null;
    for (const [nth, { entered }] of kept.entries()) {
      const isOver = kept
        .slice(nth + 1)
        .some(one => isStatusThen(one.entered, entered.atMs) && refusedFor(one.entered) === null);
      const told = { refusal: refusedFor(entered), isOver };
      const refusal = await afterRecording(parts, entered, first.vehicleId, told);
      refusals.set(entered.id, await noteRefusal(parts, entered, refusal));
    }
  };
  for (const [nth, entered] of all.entries()) {
    const { action, atMs } = entered;
    // What isn't the recorder's is about the log with all that was entered before.
    if (!isOfRecorder(parts, action)) await record(atMs);
    const never = await neverTaken(parts, entered);
    const vehicleId = never === null ? await vehicleFor(parts, entered) : null;
    const isApart = together[0] !== undefined && together[0].vehicleId !== vehicleId;
    if (isApart || vehicleId === null) await record(atMs);
    await keep(parts, { entered, vehicleId }, never, locked);
    const refusal = never ?? (await refusedBefore(parts, entered, vehicleId, begun));
    if (refusal === 'recorders') {
      together.push({ entered, vehicleId });
      // Whether they ride along decides what the next entries are about.
      if (action.kind === 'sign-in' && action.asCoDriver) await record(all[nth + 1]?.atMs ?? nowMs);
    } else refusals.set(entered.id, await noteRefusal(parts, entered, refusal));
  }
  await record(nowMs);
  await renewTermsOf(parts, signIns);
  for (const vehicleId of [...unfinished]) await recordUntil(vehicleId, nowMs);
  // Nobody else sees yet that they are recorded, so that what comes late meanwhile leaves no mark.
  for (const [vehicleId, fromMs] of begun) await markBegun(trx, { accountId, vehicleId }, fromMs);
  return refusals;
}

/**
 * The terms of these sign-ins were read before their logs were locked: what another vehicle's recorder was writing at that
 * moment was not in them, and it could not know of these entries either. Now either it is committed, or it waits.
 */
async function renewTermsOf({ accountId, terms, trx }: TakeParts, signIns: readonly Kept[]): Promise<void> {
  if (signIns.length === 0) return;
  const whose = [...new Set(signIns.map(({ entered: { action } }) => whoseTerms(action, terms.driverId)))];
  await lockChains(trx, accountId, whose.map(logOfDriver));
  const fromMs = Math.min(...signIns.map(({ entered }) => entered.atMs)) - 1;
  await renewTerms(trx, accountId, whose, { fromMs, exceptVehicle: null });
}

/** Another status of the same second, of which the last counts. */
const isStatusThen = ({ action, atMs }: Entered, thenMs: number): boolean =>
  (action.kind === 'status' || action.kind === 'sign-out') && secondOf(atMs) === secondOf(thenMs);

/** Whether an action is for a recorder, and about a vehicle that the driver may drive whatever was entered before. */
const isOfRecorder = ({ mayDrive }: Allowed, action: DutyAction): boolean =>
  RECORDERS.has(action.kind) && (!('vehicleId' in action) || mayDrive(Number(action.vehicleId)));

/** Keeps an entry, with what its vehicle's recorder has to know. */
async function keep(
  parts: Allowed,
  { entered, vehicleId }: Kept,
  never: string | null,
  locked: Set<number>,
): Promise<void> {
  const { trx, accountId, userId, terms, nowMs } = parts;
  // What is about someone else's vehicle, or before any log, never gets near the recorder.
  const isRecorders = RECORDERS.has(entered.action.kind) && never === null;
  // Before the input has its number: the recorder reads on from the last number, so they must be committed in order.
  if (isRecorders && vehicleId !== null && !locked.has(vehicleId)) {
    await lockRecorder(trx, vehicleId);
    locked.add(vehicleId);
  }
  await trx
    .insertInto('duty_input')
    .values({
      ...{ account_id: accountId, id: entered.id, driver_id: terms.driverId, user_id: userId, refusal: null },
      vehicle_id: isRecorders ? vehicleId : null,
      ...{ at: new Date(entered.atMs), received_at: new Date(nowMs), action: JSON.stringify(entered.action) },
      terms: isRecorders ? JSON.stringify(await signInTerms(parts, entered, vehicleId)) : null,
    })
    .execute();
}

async function noteRefusal({ trx }: TakeParts, { id }: Entered, refusal: string | null): Promise<string | null> {
  // What the log itself refuses is not for the recorder to try again.
  if (refusal !== null) await trx.updateTable('duty_input').set({ refusal }).where('id', '=', id).execute();
  return refusal;
}

/** Logs are kept for six months (395.8(k)); what claims to be older comes from a clock that was never set. */
const TAKEN_FOR_MS = 184 * 24 * 3_600_000;

/** Why an entry is refused whatever the log says, or null. */
async function neverTaken(parts: Allowed, { action, atMs }: Entered): Promise<string | null> {
  const isTimed = RECORDERS.has(action.kind) || action.kind === 'declare' || action.kind === 'end-exemption';
  if (isTimed && atMs < parts.nowMs - TAKEN_FOR_MS) return 'too-long-ago';
  return (await isOthersVehicle(parts, action)) ? 'not-your-vehicle' : null;
}

/** Whether the action names a vehicle that the driver may not drive; what the desk asks about is theirs to answer. */
async function isOthersVehicle({ mayDrive, terms, trx }: Allowed, action: DutyAction): Promise<boolean> {
  if (!('vehicleId' in action) || mayDrive(Number(action.vehicleId))) return false;
  if (action.kind === 'sign-in' && action.asCoDriver)
    return !(await isAskedInto(trx, terms.driverId, action.vehicleId));
  if (action.kind === 'claim') {
    const asked = await trx
      .selectFrom('unidentified_assignment')
      .select('record')
      .where('driver_id', '=', terms.driverId)
      .where('record', '=', action.record)
      .executeTakeFirst();
    if (asked) return false;
  }
  const here = await signedInTo(trx, terms.driverId);
  return here?.vehicleId !== Number(action.vehicleId);
}

/** What the recorder of a vehicle takes; the rest is written into the log as it is. */
const RECORDERS: ReadonlySet<DutyAction['kind']> = new Set([
  'sign-in',
  'sign-out',
  'status',
  'confirm',
  'co-driver',
  'load',
] as const);

/** The vehicle that an action is about: the one it names, or the one that the driver was signed in to at that moment. */
async function vehicleFor({ trx, terms }: TakeParts, { action, atMs }: Entered): Promise<number | null> {
  if ('vehicleId' in action) return Number(action.vehicleId);
  return seatAt(trx, terms.driverId, atMs);
}

/** The vehicles that entries may be about: those they name, and the one that the driver was in before, or is in now. */
export async function vehiclesOf(
  trx: AccountTransaction,
  driverId: number,
  entries: readonly Entered[],
): Promise<readonly number[]> {
  const named = entries.flatMap(({ action }) => ('vehicleId' in action ? [Number(action.vehicleId)] : []));
  const seats = [
    entries[0] ? await seatAt(trx, driverId, entries[0].atMs) : null,
    (await signedInTo(trx, driverId))?.vehicleId ?? null,
  ];
  return [...named, ...seats.filter(id => id !== null)];
}

/** What becomes of an entry without a recorder; `recorders` if it is one's to say. */
async function refusedBefore(
  parts: TakeParts,
  entered: Entered,
  vehicleId: number | null,
  begun: Map<number, number>,
): Promise<string | null> {
  const { trx, accountId, recorder } = parts;
  const { action } = entered;
  if (!RECORDERS.has(action.kind)) return byHand(parts, entered, vehicleId);
  if (vehicleId === null) {
    if (action.kind !== 'status') return 'nobody-signed-in';
    const refusal = await writeStatus(parts, entered, action.status, action.note);
    // A sign-in of later may have come already.
    const later = { fromMs: entered.atMs, exceptVehicle: null };
    if (refusal === null) await renewTerms(trx, accountId, [parts.terms.driverId], later);
    return refusal;
  }
  if (action.kind === 'sign-in') {
    const vehicle = await trx.selectFrom('vehicle').select('id').where('id', '=', vehicleId).executeTakeFirst();
    if (!vehicle) return 'not-found';
    if (await recorder.begin(trx, accountId, vehicleId, entered.atMs)) begun.set(vehicleId, entered.atMs);
  }
  return 'recorders';
}

/** What follows from what the recorder says of an entry. */
async function afterRecording(
  parts: TakeParts,
  entered: Entered,
  vehicleId: number,
  { isOver, refusal }: { readonly refusal: string | null; readonly isOver: boolean },
): Promise<string | null> {
  const { action } = entered;
  // What came after it in the same second is in the log already, and counts.
  if (refusal === 'no-change' && action.kind === 'status' && !isOver) {
    // An edit may have changed the log since the recorder's own record.
    const log = await readOwn(parts, entered.atMs);
    const status = shownSegments(log.records(), entered.atMs + SECOND_MS).at(-1)?.status ?? null;
    return status === action.status ? refusal : writeStatus(parts, entered, action.status, action.note);
  }
  if (refusal === null) await writeTeamAfter(parts, entered, vehicleId);
  return refusal;
}

/** What the recorder must know of the driver who takes the wheel; null if nobody does, or they keep no log. */
async function signInTerms({ terms: own, trx }: TakeParts, { action, atMs }: Entered, vehicleId: number | null) {
  if (action.kind !== 'sign-in' && action.kind !== 'co-driver') return null;
  const whose = whoseTerms(action, own.driverId);
  const terms = whose === own.driverId ? own : await readTermsOf(trx, whose);
  if (!terms?.settings.keepsLog) return null;
  return signInTermsAt(terms, await readStory(trx, terms, atMs, atMs), vehicleId, atMs);
}

/** Both logs say who is a team, from when and until when. */
async function writeTeamAfter(parts: TakeParts, { action, atMs }: Entered, vehicleId: number): Promise<void> {
  const { trx } = parts;
  const own = logOfDriver(parts.terms.driverId);
  const at = secondOf(atMs);
  const team = (log: string, coDriver: string | null): EntryDraft => ({
    ...{ action: 'team', log, by: parts.userId, at, coDriver },
  });
  const isEnd =
    action.kind === 'sign-out' ||
    action.kind === 'sign-in' ||
    (action.kind === 'co-driver' && action.coDriverId === null);
  const other = isEnd ? await coDriverAt(trx, own, at) : null;
  if (other !== null) await write(parts, [team(own, null), team(other, null)]);
  if (action.kind !== 'sign-in' || !action.asCoDriver) return;
  const driving = await driverAt(trx, vehicleId, atMs);
  if (driving === null || logOfDriver(driving) === own) return;
  await write(parts, [team(own, logOfDriver(driving)), team(logOfDriver(driving), own)]);
  await trx.deleteFrom('team_request').where('vehicle_id', '=', vehicleId).execute();
}
