import type { DutyAction, ShownStatus } from '@milepost/contract';
import {
  type CertificationEvent,
  type DutyEvent,
  fileOffset,
  isDutyEvent,
  type RecordLog,
  secondOf,
} from '@milepost/eld';
import { epochMs } from '@milepost/units';
import { sql } from 'kysely';
import { claimDrafts } from '../claim.ts';
import { readLogFrom } from '../days/read-log.ts';
import { eventOf } from '../desk/proposals.ts';
import type { EntryDraft, EventDraft } from '../draft.ts';
import { Pen } from '../pen.ts';
import { readOwner } from '../recorder/log-writer.ts';
import { powerUnitOf, vinOf } from '../recorder/record-vehicle.ts';
import { homeOfTerminal, logOfDriver, unidentifiedLogOf } from '../settings/driver-terms.ts';
import { lockFor } from '../write.ts';
import { declare, endExemption } from './declare.ts';
import { type Entered, signedInTo, type TakeParts } from './entered.ts';
import { inspect, review } from './inspect.ts';
import { askCoDriver, coDriverAt, declineCoDriver, takeOverDrafts } from './team.ts';

const DAY_MS = 24 * 3_600_000;

/** The driver’s own log, from two days before a time on. */
export const readOwn = ({ terms, trx }: TakeParts, fromMs: number): Promise<RecordLog> =>
  readLogFrom(trx, logOfDriver(terms.driverId), fromMs - 2 * DAY_MS, homeOfTerminal(terms.terminal));

/** Entries that a person makes in their log, in the order of writing: all of them, or none and the first refusal. */
export const write = async (parts: TakeParts, drafts: readonly EntryDraft[]): Promise<string | null> =>
  (await writeAll(parts, drafts)).refusal;

async function writeAll(
  { accountId, nowMs, trx }: TakeParts,
  drafts: readonly EntryDraft[],
): Promise<{ readonly refusal: string | null; readonly ids: readonly string[] }> {
  await lockFor(trx, accountId, drafts);
  await sql`savepoint drafts`.execute(trx);
  const pen = new Pen(trx, accountId, nowMs);
  const ids: string[] = [];
  for (const draft of drafts) {
    const { entry, refusal } = await pen.write(draft, await readOwner(trx, draft.log));
    if (refusal === null) ids.push(entry.id);
    else {
      // Driving that one log takes and the other does not give would be in both.
      await sql`rollback to savepoint drafts`.execute(trx);
      return { refusal, ids: [] };
    }
  }
  await pen.done();
  await sql`release savepoint drafts`.execute(trx);
  return { refusal: null, ids };
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

/** A status of someone outside of a vehicle, or of a co-driver. */
export async function writeStatus(
  parts: TakeParts,
  { atMs, id }: Entered,
  status: ShownStatus,
  note: string,
): Promise<string | null> {
  if (status === 'D' || status === 'PC' || status === 'YM') return 'nobody-signed-in';
  const log = await readOwn(parts, atMs);
  const pattern = await patternOf(parts, log);
  if (!pattern) return 'nobody-signed-in';
  const at = secondOf(atMs);
  const isLate = log.records().some(({ event }) => event.type === 1 && event.at > at);
  const annotation = note.length >= 4 ? note : isLate ? 'Entered then, received later' : note;
  const { ids, refusal } = await writeAll(parts, [
    {
      ...{ action: 'record', log: logOfDriver(parts.terms.driverId), device: pattern.device, by: parts.userId },
      event: { ...pattern.event, ...eventOf(status), at, annotation },
    },
  ]);
  const [record] = ids;
  if (record) await parts.trx.updateTable('duty_input').set({ record }).where('id', '=', id).execute();
  return refusal;
}

/** Writes what needs no recorder into the log; answers why it is not taken, or null. */
export async function byHand(parts: TakeParts, entered: Entered, vehicleId: number | null): Promise<string | null> {
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
    case 'decline-co-driver':
      return declineCoDriver(trx, terms.driverId, Number(action.driverId));
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
    case 'declare':
      return declare(parts, entered, action);
    case 'end-exemption':
      return endExemption(parts, action.exception, entered.atMs);
    case 'inspect':
      return inspect(parts, entered, vehicleId);
    case 'review-inspection':
      return review(parts, entered, action.report);
    default:
      return 'not-an-entry';
  }
}

async function edit(parts: TakeParts, action: Extract<DutyAction, { kind: 'edit' }>): Promise<string | null> {
  const at = secondOf(Date.parse(action.at));
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
  const until = secondOf(Math.min(here.state.recorder.at, nowMs));
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
  const at = secondOf(parts.nowMs);
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
