import { randomUUID } from 'node:crypto';
import { addDays, dayOf, dvirSchema, isDutyEvent, startOfDate } from '@milepost/eld';
import { epochMs } from '@milepost/units';
import { type Kysely, sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { AccountTransaction } from '../../db/database.ts';
import type { Database } from '../../db/schema.ts';
import { firstOfEachDay, readFixes } from '../../tracks/fixes.ts';
import { readLogFrom } from '../logbook/days/read-log.ts';
import { certify } from '../logbook/duty/by-hand.ts';
import { readOwner } from '../logbook/recorder/log-writer.ts';
import { powerUnitOf, vinOf } from '../logbook/recorder/record-vehicle.ts';
import type { Recorder } from '../logbook/recorder/recorder.ts';
import type { VehicleState } from '../logbook/recorder/vehicle-state.ts';
import { logOfDriver, readTermsOf } from '../logbook/settings/driver-terms.ts';
import { lockFor, writeEntry } from '../logbook/write.ts';
import { type DemoHabits, type DemoInput, pressedDuring, pressedNext } from './duty.ts';
import { DEMO_COMPANY } from './fleet.ts';
import { DEMO_SIGN_IN } from './sign-in.ts';

const HOME = { timeZone: 'America/Chicago', startOfDay: 0 } as const;
/** Who drives a tractor, a box truck or a reefer, in that order. */
const DRIVERS_WITH_LOG = 25;
const DAYS = 8;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Its tracker has been lost for days, so nothing would say when it drives. */
const WITHOUT_LOG = ['4118'];
/** Units whose drivers keep a log; vans don't need one. */
const WITH_LOG = '^(41|33|R-)';
/** Drivers who forgot to sign in after a rest, and how many days ago at the most: their trucks were driven by nobody. */
const FORGOTTEN: Readonly<Record<number, number>> = { 6: 5, 15: 6 };
/** Whoever has used a driver's phone this recently presses the buttons themselves. */
const IN_USE_MS = 30 * MINUTE_MS;

interface DemoTruck {
  readonly vehicleId: number;
  readonly name: string;
  readonly vin: string | null;
  readonly driverId: number;
  readonly driver: string;
}

/**
 * Gives the demo's drivers logs of the last eight days, as soon as the positions of those days are there, and keeps
 * them: what a driver enters is made up, the driving follows from the positions, by the same code as anywhere. A step of
 * it at a time.
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
  const states = await readStates(db.system, accountId);
  for (const [nth, truck] of trucks.entries()) {
    const habits = habitsOf(truck.vehicleId, nth, nowMs);
    const state = states.get(truck.vehicleId);
    if (state) await db.asAccount(accountId, trx => goOn(trx, { accountId, truck, recorder, state, habits, nowMs }));
    if (state || !(await isReady(db.system, truck.vehicleId, firstMs, nowMs))) continue;
    await db.asAccount(accountId, async trx => {
      const fixes = await readFixes(trx, truck.vehicleId, new Date(firstMs), new Date(nowMs));
      const inputs = pressedDuring(fixes, habits, nowMs);
      await recorder.begin(trx, accountId, truck.vehicleId, inputs[0]?.atMs ?? firstMs);
      // Morning after morning: what was recorded by then, and the driver's signature for the day before.
      let enteredMs = 0;
      for (let back = DAYS - 1; back >= 0; back--) {
        const morningMs = startOfDate(addDays(today, -back), HOME) + (7 * 60 + nth) * MINUTE_MS;
        if (morningMs >= nowMs) break;
        await enter(
          trx,
          accountId,
          truck,
          inputs.filter(({ atMs }) => atMs > enteredMs && atMs <= morningMs),
        );
        enteredMs = morningMs;
        await recorder.record(trx, accountId, truck.vehicleId, morningMs);
        // Every third driver has yet to certify yesterday.
        const isSigned = back > 0 || nth % 3 !== 0;
        if (isSigned) await certifyDay(trx, accountId, recorder, truck, addDays(today, -back - 1), morningMs);
      }
      await enter(
        trx,
        accountId,
        truck,
        inputs.filter(({ atMs }) => atMs > enteredMs),
      );
      await recorder.record(trx, accountId, truck.vehicleId, nowMs);
      await proposeChange(trx, accountId, truck, nowMs);
      await noteSync(trx, truck, nowMs);
    });
    log.info({ driver: truck.driver }, 'The demo driver has a log');
  }
}

export const isDemoTruck = (name: string): boolean => new RegExp(WITH_LOG).test(name) && !WITHOUT_LOG.includes(name);

/** The nth driver's. */
export const habitsOf = (vehicleId: number, nth: number, nowMs: number): DemoHabits => ({
  vehicleId,
  load: { kind: 'load', trailers: `5${301 + nth}`, shippingDocument: `BOL ${7700 + nth}` },
  sleeps: nth % 3 === 0,
  forgetsAfterMs: FORGOTTEN[nth] === undefined ? null : nowMs - FORGOTTEN[nth] * DAY_MS,
});

interface Going {
  readonly accountId: number;
  readonly truck: DemoTruck;
  readonly recorder: Recorder;
  readonly state: VehicleState;
  readonly habits: DemoHabits;
  readonly nowMs: number;
}

/** What the driver presses now, unless someone tries the demo with the driver's phone. */
async function goOn(
  trx: AccountTransaction,
  { accountId, habits, nowMs, recorder, state, truck }: Going,
): Promise<void> {
  const next = pressedNext(state.recorder, habits);
  if (!next || next.atMs > nowMs || state.recorder.driver !== logOfDriver(truck.driverId)) return;
  const terms = await readTermsOf(trx, truck.driverId);
  const syncedMs = terms?.syncedAt?.getTime() ?? 0;
  if (!terms || (terms.userId !== null && syncedMs > nowMs - IN_USE_MS)) return;
  const action = { kind: 'status', status: next.status, note: '' } as const;
  await enter(trx, accountId, truck, [{ atMs: Math.max(next.atMs, state.recorder.at), action, terms: null }]);
  await recorder.record(trx, accountId, truck.vehicleId, nowMs);
  if (terms.userId === null) await noteSync(trx, truck, nowMs);
  if (next.status !== 'ON') return;
  await certifyDay(trx, accountId, recorder, truck, addDays(dayOf(epochMs(nowMs), HOME), -1), nowMs);
}

async function readStates(db: Kysely<Database>, accountId: number): Promise<Map<number, VehicleState>> {
  const rows = await db
    .selectFrom('recorder_fold')
    .select(['vehicle_id', 'state'])
    .where('account_id', '=', accountId)
    .execute();
  return new Map(rows.map(({ state, vehicle_id }) => [vehicle_id, state as VehicleState]));
}

async function noteSync(trx: AccountTransaction, { driverId }: DemoTruck, nowMs: number): Promise<void> {
  await trx
    .updateTable('log_setting')
    .set({ synced_at: new Date(nowMs) })
    .where('driver_id', '=', driverId)
    .execute();
}

async function readTrucks(db: Kysely<Database>, accountId: number): Promise<DemoTruck[]> {
  const rows = await db
    .selectFrom('vehicle')
    .innerJoin('driver', 'driver.id', 'vehicle.usual_driver_id')
    .select(['vehicle.id', 'vehicle.name', 'vehicle.vin', 'driver.id as driver_id', 'driver.name as driver'])
    .where('vehicle.account_id', '=', accountId)
    .where(sql<boolean>`vehicle.name ~ ${WITH_LOG}`)
    .where('vehicle.name', 'not in', WITHOUT_LOG)
    .orderBy(sql`vehicle.name !~ '^41'`)
    .orderBy('vehicle.name')
    .limit(DRIVERS_WITH_LOG)
    .execute();
  return rows.map(({ driver, driver_id: driverId, id: vehicleId, name, vin }) => ({
    ...{ vehicleId, name, vin, driverId, driver },
  }));
}

/** Once: from then on, visitors of the demo may change it. */
async function turnOn(
  trx: AccountTransaction,
  accountId: number,
  trucks: readonly DemoTruck[],
  nowMs: number,
): Promise<void> {
  const at = { timeZone: HOME.timeZone, startOfDay: '00:00', address: 'Chicago, IL' };
  const made = await trx
    .insertInto('carrier')
    .values({
      ...{ account_id: accountId, name: `${DEMO_COMPANY}, Inc.` },
      ...{
        terminals: JSON.stringify([{ id: 'chicago', name: 'Chicago terminal', ...at }]),
        rule_set: 'US_PROPERTY_70_8',
      },
      ...{ personal_use: true, yard_moves: true, personal_use_limit_km: 80.4672 },
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

/** Positions from before the first day and from now: the newest weeks are sent first. */
async function isReady(db: Kysely<Database>, vehicleId: number, firstMs: number, nowMs: number): Promise<boolean> {
  const days = (await firstOfEachDay(db, vehicleId, new Date(nowMs))).map(day => day.getTime());
  return days.some(ms => ms < firstMs - 2 * DAY_MS) && days.some(ms => ms > nowMs - DAY_MS);
}

async function enter(
  trx: AccountTransaction,
  accountId: number,
  { driverId, vehicleId }: DemoTruck,
  inputs: readonly DemoInput[],
): Promise<void> {
  if (inputs.length === 0) return;
  const rows = inputs.map(({ action, atMs, terms }) => ({
    ...{ account_id: accountId, id: randomUUID(), driver_id: driverId, vehicle_id: vehicleId, user_id: null },
    ...{ at: new Date(atMs), received_at: new Date(atMs), action: JSON.stringify(action), refusal: null },
    terms: terms && JSON.stringify(terms),
  }));
  await trx.insertInto('duty_input').values(rows).execute();
}

async function certifyDay(
  trx: AccountTransaction,
  accountId: number,
  recorder: Recorder,
  { driverId }: DemoTruck,
  date: string,
  nowMs: number,
): Promise<void> {
  const terms = await readTermsOf(trx, driverId);
  if (!terms) return;
  await certify({ trx, accountId, userId: terms.userId ?? `driver-${driverId}`, terms, recorder, nowMs }, date);
}

/** The desk has asked one driver to change a status of a certified day. */
async function proposeChange(
  trx: AccountTransaction,
  accountId: number,
  { driverId }: DemoTruck,
  nowMs: number,
): Promise<void> {
  const asked = await trx
    .selectFrom('duty_entry')
    .select('id')
    .where('action', '=', 'propose')
    .limit(1)
    .executeTakeFirst();
  if (asked) return;
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
