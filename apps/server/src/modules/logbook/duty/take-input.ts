import type { DutyAction, ShownStatus } from '@milepost/contract';
import {
  advanceDvir,
  type CertificationEvent,
  DUTY_STATES,
  type DutyEvent,
  type DutyState,
  type Dvir,
  dvirSchema,
  fileOffset,
  isDutyEvent,
  type LogRecord,
  openDvir,
  type RecordLog,
  shownSegments,
} from '@milepost/eld';
import { EXCEPTIONS } from '@milepost/hos';
import { epochMs } from '@milepost/units';
import type { AccountTransaction } from '../../../db/database.ts';
import { claimDrafts } from '../claim.ts';
import { readLogFrom } from '../days/read-log.ts';
import { eventOf } from '../desk/proposals.ts';
import type { EntryDraft, EventDraft } from '../draft.ts';
import { powerUnitOf, readOwner, vinOf } from '../recorder/record-vehicle.ts';
import type { Recorder } from '../recorder/recorder.ts';
import type { SignInTerms, VehicleState } from '../recorder/vehicle-state.ts';
import {
  type DriverTerms,
  homeOfTerminal,
  logOfDriver,
  readTermsOf,
  unidentifiedLogOf,
} from '../settings/driver-terms.ts';
import { lockFor, writeEntry } from '../write.ts';
import { askCoDriver, coDriverAt, isAskedInto, otherOf, takeOverDrafts } from './team.ts';

const DAY_MS = 24 * 3_600_000;
const SECOND_MS = 1000;

/** One action of a driver, on its way into the log. */
export interface Entered {
  readonly id: string;
  /** Epoch milliseconds, not later than now. */
  readonly atMs: number;
  readonly action: DutyAction;
}

export interface TakeParts {
  readonly trx: AccountTransaction;
  readonly accountId: number;
  readonly userId: string;
  readonly terms: DriverTerms;
  readonly recorder: Recorder;
  readonly nowMs: number;
}

/** What else decides whether an entry is taken. */
interface Allowed extends TakeParts {
  /** Whether the driver may sign in to this vehicle (`own-vehicles.ts`). */
  readonly mayDrive: (vehicleId: number) => boolean;
}

/** Writes what a driver did, once by its id; answers why it is not taken, or null. */
export async function takeInput(parts: Allowed, entered: Entered): Promise<string | null> {
  const { trx, accountId, userId, terms, nowMs } = parts;
  const vehicleId = await vehicleFor(parts, entered.action);
  const isRecorders = RECORDERS.has(entered.action.kind);
  await trx
    .insertInto('duty_input')
    .values({
      ...{ account_id: accountId, id: entered.id, driver_id: terms.driverId, user_id: userId, refusal: null },
      vehicle_id: isRecorders ? vehicleId : null,
      ...{ at: new Date(entered.atMs), received_at: new Date(nowMs), action: JSON.stringify(entered.action) },
      terms: isRecorders ? JSON.stringify(await signInTerms(parts, entered)) : null,
    })
    .execute();
  const isOthers = await isOthersVehicle(parts, entered.action);
  const refusal = isOthers ? 'not-your-vehicle' : await (isRecorders ? byRecorder : byHand)(parts, entered, vehicleId);
  if (refusal !== null) {
    await trx
      .updateTable('duty_input')
      // What the log itself refuses is not for the recorder to try again.
      .set({ refusal })
      .where('id', '=', entered.id)
      .execute();
  }
  return refusal;
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

/** The vehicle that an action is about: the one it names, or the one that the driver is signed in to. */
async function vehicleFor({ trx, terms }: TakeParts, action: DutyAction): Promise<number | null> {
  if ('vehicleId' in action) return Number(action.vehicleId);
  return (await signedInTo(trx, terms.driverId))?.vehicleId ?? null;
}

/** The vehicle that a driver is signed in to, as driver or co-driver. */
export async function signedInTo(
  trx: AccountTransaction,
  driverId: number,
): Promise<{ readonly vehicleId: number; readonly isDriving: boolean; readonly state: VehicleState } | null> {
  const row = await trx
    .selectFrom('recorder_fold')
    .select(['vehicle_id', 'driver_id', 'state'])
    .where(eb => eb.or([eb('driver_id', '=', driverId), eb('co_driver_id', '=', driverId)]))
    .orderBy('fix_through', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row
    ? { vehicleId: row.vehicle_id, isDriving: row.driver_id === driverId, state: row.state as VehicleState }
    : null;
}

async function byRecorder(parts: TakeParts, entered: Entered, vehicleId: number | null): Promise<string | null> {
  const { trx, accountId, nowMs, recorder, terms } = parts;
  const { action } = entered;
  if (vehicleId === null) {
    return action.kind === 'status' ? writeStatus(parts, entered, action.status, action.note) : 'nobody-signed-in';
  }
  if (action.kind === 'sign-in') {
    const vehicle = await trx.selectFrom('vehicle').select('id').where('id', '=', vehicleId).executeTakeFirst();
    if (!vehicle) return 'not-found';
    await recorder.begin(trx, accountId, vehicleId, entered.atMs);
  }
  const before = await signedInTo(trx, terms.driverId);
  // Whoever rides along enters a status by hand, as someone outside of a vehicle does.
  if (action.kind === 'status' && before && !before.isDriving) {
    await trx.updateTable('duty_input').set({ vehicle_id: null }).where('id', '=', entered.id).execute();
    return writeStatus(parts, entered, action.status, action.note);
  }
  const outcome = await recorder.record(trx, accountId, vehicleId, nowMs);
  const refusal = outcome?.refusals.get(entered.id) ?? null;
  if (refusal === 'no-change' && action.kind === 'status') {
    // An edit may have changed the log since the recorder's own record.
    const log = await readOwn(parts, entered.atMs);
    const status = shownSegments(log.records(), entered.atMs + SECOND_MS).at(-1)?.status ?? null;
    return status === action.status ? refusal : writeStatus(parts, entered, action.status, action.note);
  }
  if (refusal === null) await writeTeamAfter(parts, entered, vehicleId, before?.state ?? null);
  if (refusal === null && action.kind === 'sign-out' && before && !before.isDriving) {
    return writeStatus(parts, entered, action.status, '');
  }
  return refusal;
}

/** What the recorder must know of whoever signs in: their status by their log, and what the carrier allows. */
async function signInTerms(parts: TakeParts, { action, atMs }: Entered): Promise<SignInTerms | null> {
  if (action.kind !== 'sign-in' && action.kind !== 'co-driver') return null;
  const other = action.kind === 'co-driver' && action.coDriverId !== null ? Number(action.coDriverId) : null;
  const terms = other === null ? parts.terms : await readTermsOf(parts.trx, other);
  if (!terms?.settings.keepsLog) return null;
  const log = await readLogFrom(parts.trx, logOfDriver(terms.driverId), atMs, homeOfTerminal(terms.terminal));
  const records = log.records().filter(({ event, status }) => event.type === 1 && status === 'active');
  const last = records
    .filter(({ event }) => event.at <= atMs)
    .reduce<LogRecord | null>((latest, one) => (one.event.at >= (latest?.event.at ?? 0) ? one : latest), null);
  const status = DUTY_STATES.find((_, nth) => nth + 1 === last?.event.code) ?? 'OFF';
  return {
    status: status === 'D' ? 'ON' : (status as DutyState),
    mayIndicate: { 'personal-use': terms.mayUsePersonally, 'yard-move': terms.mayMoveInYard },
  };
}

const readOwn = ({ terms, trx }: TakeParts, fromMs: number): Promise<RecordLog> =>
  readLogFrom(trx, logOfDriver(terms.driverId), fromMs - 2 * DAY_MS, homeOfTerminal(terms.terminal));

/** Entries that a person makes in their log, in the order of writing; all, or the first refusal. */
async function write({ accountId, nowMs, trx }: TakeParts, drafts: readonly EntryDraft[]): Promise<string | null> {
  await lockFor(trx, accountId, drafts);
  for (const draft of drafts) {
    const { refusal } = await writeEntry(trx, accountId, draft, await readOwner(trx, draft.log), nowMs);
    if (refusal !== null) return refusal;
  }
  return null;
}

/** Both logs say who is a team, from when and until when. */
async function writeTeamAfter(
  parts: TakeParts,
  { action, atMs }: Entered,
  vehicleId: number,
  before: VehicleState | null,
): Promise<void> {
  const { driverId } = parts.terms;
  const at = Math.floor(atMs / SECOND_MS) * SECOND_MS;
  const team = (of: number, other: number | null): EntryDraft => ({
    ...{ action: 'team', log: logOfDriver(of), by: parts.userId, at },
    coDriver: other === null ? null : logOfDriver(other),
  });
  const other = before && otherOf(before, driverId);
  const isEnd =
    action.kind === 'sign-out' ||
    action.kind === 'sign-in' ||
    (action.kind === 'co-driver' && action.coDriverId === null);
  if (isEnd && other !== null) await write(parts, [team(driverId, null), team(other, null)]);
  if (action.kind !== 'sign-in' || !action.asCoDriver) return;
  const here = await signedInTo(parts.trx, driverId);
  const driving = here?.vehicleId === vehicleId ? otherOf(here.state, driverId) : null;
  if (driving === null) return;
  await write(parts, [team(driverId, driving), team(driving, driverId)]);
  await parts.trx.deleteFrom('team_request').where('vehicle_id', '=', vehicleId).execute();
}

/** The vehicle and load that an entry made outside of a recorder names: those of the newest record. */
async function patternOf(
  parts: TakeParts,
  log: RecordLog,
): Promise<{ device: `vehicle:${string}`; event: EventDraft<DutyEvent> } | null> {
  const here = await signedInTo(parts.trx, parts.terms.driverId);
  const last = log.records().at(-1);
  const id = here?.vehicleId ?? (last ? Number(last.device.replace('vehicle:', '')) : null);
  if (id === null) return null;
  const vehicle = await parts.trx.selectFrom('vehicle').select(['name', 'vin']).where('id', '=', id).executeTakeFirst();
  const named = vehicle ? { powerUnit: powerUnitOf(vehicle.name), vin: vinOf(vehicle.vin) } : last?.event.vehicle;
  if (!named) return null;
  return {
    device: `vehicle:${id}`,
    event: {
      ...{ type: 1, code: 1, origin: 'driver', at: 0, vehicle: named },
      trailers: here?.state.trailers ?? last?.event.trailers ?? '',
      shippingDocument: here?.state.shippingDocument ?? last?.event.shippingDocument ?? '',
      ...{ miles: null, hours: null, lat: 'X', lon: 'X', milesSinceFix: 0, malfunction: false, diagnostic: false },
      ...{ annotation: '', placeByDriver: null, place: null },
    },
  };
}

async function writeStatus(
  parts: TakeParts,
  { atMs }: Entered,
  status: ShownStatus,
  note: string,
): Promise<string | null> {
  if (status === 'D' || status === 'PC' || status === 'YM') return 'nobody-signed-in';
  const log = await readOwn(parts, atMs);
  const pattern = await patternOf(parts, log);
  if (!pattern) return 'nobody-signed-in';
  const at = Math.floor(atMs / SECOND_MS) * SECOND_MS;
  const isLate = log.records().some(({ event }) => event.type === 1 && event.at > at);
  const annotation = note.length >= 4 ? note : isLate ? 'Entered then, received later' : note;
  return write(parts, [
    {
      ...{ action: 'record', log: logOfDriver(parts.terms.driverId), device: pattern.device, by: parts.userId },
      event: { ...pattern.event, ...eventOf(status), at, annotation },
    },
  ]);
}

async function byHand(parts: TakeParts, entered: Entered, vehicleId: number | null): Promise<string | null> {
  const { terms, trx, userId } = parts;
  const { action } = entered;
  const own = { log: logOfDriver(terms.driverId), by: userId };
  switch (action.kind) {
    case 'annotate':
      return write(parts, [{ action: 'annotate', ...own, record: action.record, annotation: action.text }]);
    case 'edit':
      return edit(parts, action);
    case 'certify': {
      for (const date of action.dates) {
        const refusal = await certify(parts, date);
        if (refusal !== null && refusal !== 'nothing-to-certify') return refusal;
      }
      return null;
    }
    case 'answer':
      return write(parts, [{ action: action.accept ? 'accept' : 'reject', ...own, proposal: action.proposal }]);
    case 'claim':
      return claim(parts, Number(action.vehicleId), action.record, action.mine);
    case 'ask-co-driver':
      return askCoDriver(trx, parts.accountId, terms, vehicleId, action.coDriverId, entered.atMs);
    case 'hand-over': {
      const log = await readOwn(parts, parts.nowMs - 16 * DAY_MS);
      const at = log.record(action.record)?.event.at;
      const to = at === undefined ? null : await coDriverAt(trx, own.log, at);
      return to === null ? 'not-in-team' : write(parts, [{ action: 'hand-over', ...own, record: action.record, to }]);
    }
    case 'take-over': {
      const drafts = await takeOverDrafts(trx, terms, { ...action, driverId: Number(action.driverId) }, userId);
      return drafts ? write(parts, drafts) : 'other-driving';
    }
    case 'declare': {
      if (!EXCEPTIONS.some(name => name === action.exception)) return 'not-an-entry';
      await trx
        .insertInto('log_declaration')
        .values({
          ...{ account_id: parts.accountId, id: entered.id, driver_id: terms.driverId, exception: action.exception },
          ...{ start_at: new Date(entered.atMs), end_at: null, reason: action.reason },
        })
        .execute();
      return null;
    }
    case 'inspect':
      return inspect(parts, entered, vehicleId);
    case 'review-inspection':
      return review(parts, entered, action.report);
    default:
      return 'not-an-entry';
  }
}

async function edit(parts: TakeParts, action: Extract<DutyAction, { kind: 'edit' }>): Promise<string | null> {
  const at = Math.floor(Date.parse(action.at) / SECOND_MS) * SECOND_MS;
  const log = await readOwn(parts, at);
  const own = { log: logOfDriver(parts.terms.driverId), by: parts.userId };
  const changed = { ...eventOf(action.status), at, origin: 'driver' as const, annotation: action.reason };
  const place = action.place ? { lat: 'M', lon: 'M', place: null, placeByDriver: action.place } : {};
  const motion = await provenMotion(parts);
  if (action.replaces === null) {
    const pattern = await patternOf(parts, log);
    if (!pattern) return 'nobody-signed-in';
    const event = { ...pattern.event, ...changed, ...place };
    return write(parts, [...motion, { action: 'record', ...own, device: pattern.device, event }]);
  }
  const old = log.record(action.replaces);
  if (!old) return 'unknown-record';
  if (!isDutyEvent(old.event)) return 'not-editable';
  const { sequence: _sequence, check: _check, ...event } = old.event;
  const device = old.device as `vehicle:${string}`;
  return write(parts, [
    ...motion,
    { action: 'edit', ...own, device, replaces: action.replaces, event: { ...event, ...changed, ...place } },
  ]);
}

/** Driving in progress is proven up to the newest position, so that no entry cuts it. */
async function provenMotion({ nowMs, terms, trx, userId }: TakeParts): Promise<EntryDraft[]> {
  const here = await signedInTo(trx, terms.driverId);
  if (!here?.isDriving || !here.state.recorder.motion.moving) return [];
  const until = Math.floor(Math.min(here.state.recorder.at, nowMs) / SECOND_MS) * SECOND_MS;
  return [{ action: 'motion', log: logOfDriver(terms.driverId), by: userId, until }];
}

/** The driver's signature for a finished day; `date` as `YYYY-MM-DD`. */
export async function certify(parts: TakeParts, date: string): Promise<string | null> {
  const home = homeOfTerminal(parts.terms.terminal);
  const name = logOfDriver(parts.terms.driverId);
  const log = await readLogFrom(parts.trx, name, Date.parse(`${date}T00:00:00Z`) - 2 * DAY_MS, home);
  const pattern = await patternOf(parts, log);
  if (!pattern) return 'nothing-to-certify';
  const { shippingDocument, trailers, vehicle } = pattern.event;
  const at = Math.floor(parts.nowMs / SECOND_MS) * SECOND_MS;
  const event: EventDraft<CertificationEvent> = {
    ...{ type: 4, code: Math.min(9, (log.day(date)?.certifications ?? 0) + 1), at, date },
    ...{ zoneOffset: fileOffset(epochMs(at), home.timeZone), vehicle, trailers, shippingDocument },
  };
  return write(parts, [{ action: 'certify', log: name, by: parts.userId, device: pattern.device, event }]);
}

async function claim(parts: TakeParts, vehicleId: number, record: string, isMine: boolean): Promise<string | null> {
  const { terms, trx, userId } = parts;
  const name = unidentifiedLogOf(vehicleId);
  const { home } = await readOwner(trx, name);
  const unidentified = await readLogFrom(trx, name, null, home);
  const known = unidentified.record(record);
  if (!known) return 'unknown-record';
  const own = logOfDriver(terms.driverId);
  if (!isMine) return write(parts, [{ action: 'decline', log: own, by: userId, from: { log: name, record } }]);
  const log = await readOwn(parts, known.event.at);
  const drafts = claimDrafts({ name, log: unidentified }, { name: own, log }, record, userId);
  return drafts ? write(parts, drafts) : 'other-driving';
}

async function inspect(parts: TakeParts, entered: Entered, vehicleId: number | null): Promise<string | null> {
  const { accountId, terms, trx, userId } = parts;
  const { action } = entered;
  if (action.kind !== 'inspect' || vehicleId === null) return 'not-found';
  const vehicle = await trx
    .selectFrom('vehicle')
    .select(['name', 'vin'])
    .where('id', '=', vehicleId)
    .executeTakeFirst();
  if (!vehicle) return 'not-found';
  const report = dvirSchema.safeParse({
    id: entered.id,
    vehicle: { powerUnit: powerUnitOf(vehicle.name), vin: vinOf(vehicle.vin) },
    trailers: action.trailers,
    defects: action.defects.map(({ photos: _photos, ...defect }) => defect),
    reportedBy: { by: userId, name: terms.name, at: entered.atMs },
  });
  if (!report.success) return 'not-an-entry';
  await trx
    .insertInto('inspection_report')
    .values({
      ...{ account_id: accountId, id: entered.id, vehicle_id: vehicleId, driver_id: terms.driverId },
      ...{ inspected: action.when, report: JSON.stringify(report.data), state: 'reported' },
      photos: JSON.stringify(action.defects.map(({ photos }) => photos)),
      ...{ certified: null, reviewed: null, reported_at: new Date(entered.atMs) },
    })
    .execute();
  return null;
}

async function review({ terms, trx, userId }: TakeParts, { atMs }: Entered, id: string): Promise<string | null> {
  const row = await trx.selectFrom('inspection_report').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
  if (!row) return 'unknown-record';
  const dvir = {
    ...openDvir(row.report as Dvir['report']),
    ...{ state: row.state, certifiedBy: row.certified, reviewedBy: row.reviewed },
  } as Dvir;
  const next = advanceDvir(dvir, 'review', { by: userId, name: terms.name, at: atMs });
  if (typeof next === 'string') return next;
  await trx
    .updateTable('inspection_report')
    .set({ state: next.state, reviewed: JSON.stringify(next.reviewedBy) })
    .where('id', '=', id)
    .execute();
  return null;
}
