import type { DutyAction } from '@milepost/contract';
import { DUTY_CODES, DUTY_STATES, isDutyEvent, type LogRecord, secondOf } from '@milepost/eld';
import { sql } from 'kysely';
import type { AccountTransaction } from '../../../db/database.ts';
import { readLogFrom } from '../days/read-log.ts';
import { type DriverTerms, homeOfTerminal, logOfDriver, readTermsOf } from '../settings/driver-terms.ts';
import { enteredKey, enteredKeys, enteredStatus } from './entered-codes.ts';
import type { SignInTerms, StatusSince } from './vehicle-input.ts';

/**
 * What the recorder of a vehicle must know of whoever signs in to it: their status, and what the carrier allows.
 *
 * @param beforeSeq of the entry, if it is kept already: those after it don't count
 */
export async function signInTermsAt(
  trx: AccountTransaction,
  driver: DriverTerms,
  vehicleId: number | null,
  atMs: number,
  beforeSeq: string | null = null,
): Promise<SignInTerms> {
  const name = logOfDriver(driver.driverId);
  const log = await readLogFrom(trx, name, atMs, homeOfTerminal(driver.terminal));
  const records = log
    .records()
    .filter(({ event, status }) => event.type === 1 && status === 'active' && event.at <= atMs);
  const entered = vehicleId === null ? new Set<string>() : await enteredIn(trx, driver.driverId, vehicleId, atMs);
  const isRecorders = ({ device, event, replaces }: LogRecord): boolean =>
    device === `vehicle:${vehicleId}` &&
    replaces === null &&
    isDutyEvent(event) &&
    (event.origin === 'automatic' ||
      (event.origin === 'driver' && entered.has(enteredKey(event.at, event.type, event.code))));
  return {
    status: drivenAs(statusOf(lastOf(records))?.status ?? 'OFF'),
    mayIndicate: { 'personal-use': driver.mayUsePersonally, 'yard-move': driver.mayMoveInYard },
    elsewhere: elsewhereOf(
      statusOf(lastOf(records.filter(record => !isRecorders(record)))),
      vehicleId === null ? null : await lastEntered(trx, driver.driverId, vehicleId, atMs, beforeSeq),
      records,
    ),
    isFirst: records.length === 0,
  };
}

/**
 * Puts right what sign-ins of these drivers to other vehicles were told of their status, where their logs have changed
 * before it, and marks those vehicles to be recorded again.
 */
export async function renewTerms(
  trx: AccountTransaction,
  accountId: number,
  driverIds: readonly number[],
  { exceptVehicle, fromMs }: { readonly exceptVehicle: number | null; readonly fromMs: number },
): Promise<void> {
  if (driverIds.length === 0) return;
  const rows = await trx
    .selectFrom('duty_input')
    .select(['id', 'seq', 'driver_id', 'vehicle_id', 'at', 'action', 'terms'])
    .where('at', '>', new Date(fromMs))
    // Entries outlive their vehicles, and may be about one that never was.
    .where(sql<boolean>`exists (select from recorder_fold where recorder_fold.vehicle_id = duty_input.vehicle_id)`)
    .where('terms', 'is not', null)
    .$if(exceptVehicle !== null, query => query.where('vehicle_id', '<>', exceptVehicle as number))
    .where(
      sql<boolean>`coalesce((action ->> 'coDriverId')::int, driver_id) = any (${driverIds}::int4[])
        and action ->> 'kind' in ('sign-in', 'co-driver')`,
    )
    .orderBy('at')
    .execute();
  for (const { action, at, driver_id, id, seq, terms, vehicle_id } of rows) {
    const known = terms as SignInTerms | null;
    const driver = await readTermsOf(trx, whoseTerms(action as DutyAction, driver_id));
    if (!driver || known?.elsewhere === undefined || vehicle_id === null) continue;
    const { elsewhere, isFirst } = await signInTermsAt(trx, driver, vehicle_id, at.getTime(), seq);
    if (JSON.stringify(elsewhere) === JSON.stringify(known.elsewhere)) continue;
    await trx
      .updateTable('duty_input')
      .set({ terms: JSON.stringify({ ...known, elsewhere, isFirst }) })
      .where('id', '=', id)
      .execute();
    await trx.insertInto('recorder_late').values({ account_id: accountId, vehicle_id, from_at: at }).execute();
  }
}

/** Whose terms an entry has: those of the driver who takes the wheel. */
export const whoseTerms = (action: DutyAction, driverId: number): number =>
  action.kind === 'co-driver' && action.coDriverId !== null ? Number(action.coDriverId) : driverId;

/** The last status that a driver entered. */
interface Entered extends StatusSince {
  readonly isHere: boolean;
}

async function lastEntered(
  trx: AccountTransaction,
  driverId: number,
  vehicleId: number,
  atMs: number,
  beforeSeq: string | null,
): Promise<Entered | null> {
  const row = await trx
    .selectFrom('duty_input')
    .select(['at', 'action', 'vehicle_id'])
    .where('driver_id', '=', driverId)
    .where('refusal', 'is', null)
    .where('at', '<=', new Date(atMs))
    .where('at', '>', new Date(atMs - LOOKED_BACK_MS))
    .where(sql<boolean>`action ->> 'kind' in ('status', 'sign-out')`)
    .$if(beforeSeq !== null, query => query.where('seq', '<', beforeSeq as string))
    .orderBy('at', 'desc')
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  const status = row && enteredStatus(row.action as DutyAction);
  return status ? { status, at: secondOf(row.at.getTime()), isHere: row.vehicle_id === vehicleId } : null;
}

/**
 * The last status from outside of the vehicle: by the log, unless the driver's last entry says more. Records of one
 * second, and the same status entered here and outside, look alike in the log; only the order of the entries tells them
 * apart.
 */
function elsewhereOf(
  byLog: StatusSince | null,
  last: Entered | null,
  records: readonly LogRecord[],
): SignInTerms['elsewhere'] {
  const isOlder = last === null || last.at < (byLog?.at ?? 0);
  if (isOlder) return byLog;
  if (last.isHere) return byLog && { ...byLog, isLast: false };
  return stands(last, records) ? { status: last.status, at: last.at, isLast: true } : byLog;
}

/** Whether the log still has an entered status as it was entered: an edit may have replaced it. */
const stands = ({ at, status }: StatusSince, records: readonly LogRecord[]): boolean =>
  records.some(({ event, replaces }) => {
    const isIt = event.at === at && event.type === 1 && event.code === DUTY_CODES[status];
    return isIt && replaces === null;
  });

/** What a driver entered in a vehicle before a moment, as its recorder can have recorded it. */
async function enteredIn(
  trx: AccountTransaction,
  driverId: number,
  vehicleId: number,
  atMs: number,
): Promise<ReadonlySet<string>> {
  const rows = await trx
    .selectFrom('duty_input')
    .select(['at', 'action'])
    .where('vehicle_id', '=', vehicleId)
    .where('driver_id', '=', driverId)
    .where('at', '<=', new Date(atMs))
    .where('at', '>', new Date(atMs - LOOKED_BACK_MS))
    .execute();
  return enteredKeys(rows.map(({ action, at }) => ({ at: at.getTime(), action: action as DutyAction })));
}
/** As far back as a log is read for its last status. */
const LOOKED_BACK_MS = 32 * 24 * 3_600_000;

const lastOf = (records: readonly LogRecord[]): LogRecord | null =>
  records.reduce<LogRecord | null>(
    (latest, one) => (latest === null || one.event.at >= latest.event.at ? one : latest),
    null,
  );

function statusOf(record: LogRecord | null): StatusSince | null {
  const status = record && DUTY_STATES.find(name => DUTY_CODES[name] === record.event.code);
  return record && status ? { status, at: record.event.at } : null;
}

/** Nobody drives in the moment in which they sign in. */
const drivenAs = (status: StatusSince['status']): StatusSince['status'] => (status === 'D' ? 'ON' : status);
