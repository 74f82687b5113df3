import { randomUUID } from 'node:crypto';
import type { DutyAction } from '@milepost/contract';
import { addDays, dayOf, dvirSchema, isDutyEvent, startOfDate } from '@milepost/eld';
import { epochMs } from '@milepost/units';
import { type Kysely, sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { AccountTransaction } from '../../db/database.ts';
import type { Database } from '../../db/schema.ts';
import { firstOfEachDay } from '../../tracks/fixes.ts';
import { readLogFrom } from '../logbook/days/read-log.ts';
import { certify } from '../logbook/duty/take-input.ts';
import { powerUnitOf, readOwner, vinOf } from '../logbook/recorder/record-vehicle.ts';
import type { Recorder } from '../logbook/recorder/recorder.ts';
import type { SignInTerms } from '../logbook/recorder/vehicle-state.ts';
import { logOfDriver, readTermsOf } from '../logbook/settings/driver-terms.ts';
import { lockFor, writeEntry } from '../logbook/write.ts';
import { DEMO_COMPANY } from './fleet.ts';
import { DEMO_SIGN_IN } from './sign-in.ts';

const HOME = { timeZone: 'America/Chicago', startOfDay: 0 } as const;
/** Who drives a tractor, a box truck or a reefer, in that order. */
const DRIVERS_WITH_LOG = 25;
const DAYS = 8;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const ALLOWED: SignInTerms['mayIndicate'] = { 'personal-use': true, 'yard-move': true };
/** Drivers who forgot to sign in one morning, and how many days ago: their trucks were driven by nobody. */
const FORGOTTEN: Readonly<Record<number, number>> = { 6: 2, 15: 3 };

interface DemoTruck {
  readonly vehicleId: number;
  readonly name: string;
  readonly vin: string | null;
  readonly driverId: number;
  readonly driver: string;
}

/**
 * Gives the demo's drivers logs of the last eight days, as soon as the positions of those days are there: what a driver
 * enters is made up, the driving follows from the positions, by the same code as anywhere. A step of it at a time.
 */
export async function keepDemoLogs(
  { db, log }: Pick<Context, 'db' | 'log'>,
  recorder: Recorder,
  nowMs: number,
): Promise<void> {
  const account = await db.system.selectFrom('account').select('id').where('demo', '=', true).executeTakeFirst();
  if (!account) return;
  const accountId = account.id;
  const trucks = await readTrucks(db.system, accountId);
  await db.asAccount(accountId, trx => turnOn(trx, accountId, trucks, nowMs));
  const today = dayOf(epochMs(nowMs), HOME);
  const firstMs = startOfDate(addDays(today, -DAYS), HOME);
  for (const [nth, truck] of trucks.entries()) {
    if (!(await isReady(db.system, truck.vehicleId, firstMs, nowMs))) continue;
    await db.asAccount(accountId, async trx => {
      await recorder.begin(trx, accountId, truck.vehicleId, firstMs);
      await enter(trx, accountId, truck, inputsOf(truck.vehicleId, today, nth, nowMs));
      await recorder.record(trx, accountId, truck.vehicleId, nowMs);
      // Every third driver has yet to certify yesterday.
      await certifyDays(trx, accountId, recorder, truck, nth % 3 === 0 ? 2 : 1, today, nowMs);
      if (nth === 0) await proposeChange(trx, accountId, truck, nowMs);
    });
    log.info({ driver: truck.driver }, 'The demo driver has a log');
  }
}

async function readTrucks(db: Kysely<Database>, accountId: number): Promise<DemoTruck[]> {
  const rows = await db
    .selectFrom('vehicle')
    .innerJoin('driver', 'driver.id', 'vehicle.usual_driver_id')
    .select(['vehicle.id', 'vehicle.name', 'vehicle.vin', 'driver.id as driver_id', 'driver.name as driver'])
    .where('vehicle.account_id', '=', accountId)
    .where(sql<boolean>`vehicle.name ~ '^(41|33|R-)'`)
    .orderBy(sql`vehicle.name !~ '^41'`)
    .orderBy('vehicle.name')
    .limit(DRIVERS_WITH_LOG)
    .execute();
  return rows.map(({ driver, driver_id: driverId, id: vehicleId, name, vin }) => ({
    ...{ vehicleId, name, vin, driverId, driver },
  }));
}

/** Once: from then on, whoever tries the demo may change it. */
async function turnOn(
  trx: AccountTransaction,
  accountId: number,
  trucks: readonly DemoTruck[],
  nowMs: number,
): Promise<void> {
  const terminals = [
    ...[
      { id: 'chicago', name: 'Chicago terminal', timeZone: HOME.timeZone, startOfDay: '00:00', address: 'Chicago, IL' },
    ],
  ];
  const made = await trx
    .insertInto('carrier')
    .values({
      ...{ account_id: accountId, name: `${DEMO_COMPANY}, Inc.`, usdot_number: '9900417' },
      ...{ terminals: JSON.stringify(terminals), rule_set: 'US_PROPERTY_70_8' },
      ...{ personal_use: true, yard_moves: true, personal_use_limit_km: 80 },
    })
    .onConflict(conflict => conflict.column('account_id').doNothing())
    .returning('account_id')
    .executeTakeFirst();
  if (!made || trucks.length === 0) return;
  await trx
    .insertInto('log_setting')
    .values(
      trucks.map(({ driverId }) => ({ account_id: accountId, driver_id: driverId, keeps_log: true, synced_at: null })),
    )
    .onConflict(conflict => conflict.column('driver_id').doUpdateSet({ keeps_log: true }))
    .execute();
  const defective = trucks[2];
  if (defective) await addDefect(trx, accountId, defective, nowMs);
}

/** Not recorded yet, with positions from before the first day and from now: the newest weeks are sent first. */
async function isReady(db: Kysely<Database>, vehicleId: number, firstMs: number, nowMs: number): Promise<boolean> {
  const fold = await db
    .selectFrom('recorder_fold')
    .select('vehicle_id')
    .where('vehicle_id', '=', vehicleId)
    .executeTakeFirst();
  if (fold) return false;
  const days = (await firstOfEachDay(db, vehicleId, new Date(nowMs))).map(day => day.getTime());
  return days.some(ms => ms < firstMs - 2 * DAY_MS) && days.some(ms => ms > nowMs - DAY_MS);
}

interface DemoInput {
  readonly atMs: number;
  readonly action: DutyAction;
  readonly terms: SignInTerms | null;
}

/** What a driver entered up to now; what the vehicle's motion does not allow is refused, as it would have been. */
function inputsOf(vehicleId: number, today: string, nth: number, nowMs: number): DemoInput[] {
  const inputs: DemoInput[] = [];
  for (let back = DAYS; back >= 0; back--) {
    const start = startOfDate(addDays(today, -back), HOME);
    const at = (hour: number, minute: number) => start + (hour * 60 + minute + (nth % 7)) * MINUTE_MS;
    const status = (atMs: number, name: 'OFF' | 'SB'): DemoInput => ({
      ...{ atMs, terms: null, action: { kind: 'status', status: name, note: '' } },
    });
    const signIn = (atMs: number): DemoInput => ({
      atMs,
      action: { kind: 'sign-in', vehicleId: String(vehicleId) },
      terms: { status: 'OFF', mayIndicate: ALLOWED },
    });
    const load: DutyAction = { kind: 'load', trailers: `5${301 + nth}`, shippingDocument: `BOL ${7700 + nth}` };
    const tries = (from: number): readonly number[] => [from, from + 20, from + 40, from + 60];
    if (back === DAYS) inputs.push(...[0, 1, 2, 3, 4].map(hour => signIn(at(hour, 0))));
    if (FORGOTTEN[nth] === back) {
      const out: DutyAction = { kind: 'sign-out', status: 'OFF' };
      for (const minute of tries(0)) inputs.push({ atMs: at(2, minute), terms: null, action: out });
      inputs.push(...tries(0).map(minute => signIn(at(9, minute))));
    } else inputs.push(signIn(at(5, 0)));
    inputs.push({ atMs: at(4, 30), terms: null, action: load });
    // A break as soon as the truck stands at lunch, and rest as soon as it stands in the evening.
    for (const minute of [0, 10, 20, 30, 40, 50]) inputs.push(status(at(12, minute), 'OFF'));
    for (let hour = 18; hour < 24; hour++) {
      for (const minute of [10, 30, 50]) inputs.push(status(at(hour, minute), nth % 3 === 0 ? 'SB' : 'OFF'));
    }
  }
  return inputs.filter(({ atMs }) => atMs < nowMs - MINUTE_MS);
}

async function enter(
  trx: AccountTransaction,
  accountId: number,
  { driverId, vehicleId }: DemoTruck,
  inputs: readonly DemoInput[],
): Promise<void> {
  const rows = inputs.map(({ action, atMs, terms }) => ({
    ...{ account_id: accountId, id: randomUUID(), driver_id: driverId, vehicle_id: vehicleId, user_id: null },
    ...{ at: new Date(atMs), received_at: new Date(atMs), action: JSON.stringify(action), refusal: null },
    terms: terms && JSON.stringify(terms),
  }));
  await trx.insertInto('duty_input').values(rows).execute();
}

async function certifyDays(
  trx: AccountTransaction,
  accountId: number,
  recorder: Recorder,
  { driverId }: DemoTruck,
  lastBack: number,
  today: string,
  nowMs: number,
): Promise<void> {
  const terms = await readTermsOf(trx, driverId);
  if (!terms) return;
  const parts = { trx, accountId, userId: terms.userId ?? `driver-${driverId}`, terms, recorder, nowMs };
  for (let back = DAYS; back >= lastBack; back--) await certify(parts, addDays(today, -back));
}

/** The desk has asked the driver to change a status of a certified day. */
async function proposeChange(
  trx: AccountTransaction,
  accountId: number,
  { driverId }: DemoTruck,
  nowMs: number,
): Promise<void> {
  const name = logOfDriver(driverId);
  const owner = await readOwner(trx, name);
  const log = await readLogFrom(trx, name, nowMs - 7 * DAY_MS, owner.home);
  const asker = await trx
    .selectFrom('app_user')
    .select('id')
    .where('user_name', '=', DEMO_SIGN_IN.userName)
    .executeTakeFirst();
  const old = log
    .records()
    .find(
      ({ event, status }) =>
        status === 'active' &&
        event.type === 1 &&
        event.code === 4 &&
        event.at > nowMs - 5 * DAY_MS &&
        log.day(dayOf(epochMs(event.at), owner.home))?.changedSince === false,
    );
  if (!old || !isDutyEvent(old.event) || !asker) return;
  const { check: _check, sequence: _sequence, ...event } = old.event;
  const draft = {
    ...{ action: 'propose' as const, log: name, device: old.device as `vehicle:${string}`, by: asker.id },
    replaces: old.id,
    event: { ...event, code: 1, origin: 'other-user' as const, annotation: 'Waiting was off duty' },
  };
  await lockFor(trx, accountId, [draft]);
  await writeEntry(trx, accountId, draft, owner, nowMs);
}

async function addDefect(
  trx: AccountTransaction,
  accountId: number,
  { driver, driverId, name, vehicleId, vin }: DemoTruck,
  nowMs: number,
): Promise<void> {
  const id = randomUUID();
  const at = nowMs - 180 * MINUTE_MS;
  const report = dvirSchema.parse({
    id,
    vehicle: { powerUnit: powerUnitOf(name), vin: vinOf(vin) },
    trailers: '5303',
    defects: [
      { part: 'lights-and-reflectors', unit: '5303', what: 'Left turn signal does not light', affectsSafety: true },
    ],
    reportedBy: { by: `driver-${driverId}`, name: driver, at },
  });
  await trx
    .insertInto('inspection_report')
    .values({
      ...{ account_id: accountId, id, vehicle_id: vehicleId, driver_id: driverId, inspected: 'pre-trip' },
      ...{ report: JSON.stringify(report), state: 'reported', photos: '[[]]', certified: null, reviewed: null },
      reported_at: new Date(at),
    })
    .execute();
}
