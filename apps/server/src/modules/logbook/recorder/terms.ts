import type { DutyAction } from '@milepost/contract';
import { DUTY_CODES, DUTY_STATES, isDutyEvent, type LogRecord, type RecordLog, secondOf } from '@milepost/eld';
import { sql } from 'kysely';
import type { AccountTransaction } from '../../../db/database.ts';
import { readLogFrom } from '../days/read-log.ts';
import { type DriverTerms, homeOfTerminal, logOfDriver, readTermsOf } from '../settings/driver-terms.ts';
import { enteredKey, enteredKeys, enteredStatus } from './entered-codes.ts';
import type { SignInTerms, StatusSince } from './vehicle-input.ts';

/** What is read of a driver, for their sign-ins since a moment. */
export interface DriverStory {
  readonly log: RecordLog;
  readonly entered: readonly EnteredRow[];
}

type EnteredRow = Awaited<ReturnType<typeof enteredBy>>[number];

/** What tells of a driver's sign-ins of [fromMs, toMs]. */
export async function readStory(
  trx: AccountTransaction,
  driver: DriverTerms,
  fromMs: number,
  toMs: number,
): Promise<DriverStory> {
  return {
    log: await readLogFrom(trx, logOfDriver(driver.driverId), fromMs, homeOfTerminal(driver.terminal)),
    entered: await enteredBy(trx, driver.driverId, fromMs, toMs),
  };
}

/**
 * What the recorder of a vehicle must know of a driver who signs in to it: their status, and what the carrier allows.
 *
 * @param beforeSeq of the entry, if it is kept already: those after it don't count
 */
export function signInTermsAt(
  driver: DriverTerms,
  { entered, log }: DriverStory,
  vehicleId: number | null,
  atMs: number,
  beforeSeq: string | null = null,
): SignInTerms {
  const after = recordsAfter(entered, atMs, beforeSeq);
  const records = log
    .records()
    .filter(({ event, id, status }) => event.type === 1 && status === 'active' && event.at <= atMs && !after.has(id));
  const here = vehicleId === null ? new Set<string>() : enteredIn(entered, vehicleId, atMs);
  const isRecorders = ({ device, event, replaces }: LogRecord): boolean =>
    device === `vehicle:${vehicleId}` &&
    replaces === null &&
    isDutyEvent(event) &&
    (event.origin === 'automatic' ||
      (event.origin === 'driver' && here.has(enteredKey(event.at, event.type, event.code))));
  return {
    status: drivenAs(statusOf(lastOf(records))?.status ?? 'OFF'),
    mayIndicate: { 'personal-use': driver.mayUsePersonally, 'yard-move': driver.mayMoveInYard },
    elsewhere: elsewhereOf(
      statusOf(lastOf(records.filter(record => !isRecorders(record)))),
      vehicleId === null ? null : lastEntered(entered, vehicleId, atMs, beforeSeq),
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
  const lastMs = rows.at(-1)?.at.getTime() ?? 0;
  const known = new Map<number, { readonly driver: DriverTerms; readonly story: DriverStory } | null>();
  for (const { action, at, driver_id, id, seq, terms, vehicle_id } of rows) {
    const before = terms as SignInTerms | null;
    if (before?.elsewhere === undefined || vehicle_id === null) continue;
    const whose = whoseTerms(action as DutyAction, driver_id);
    if (!known.has(whose)) {
      const driver = await readTermsOf(trx, whose);
      // Rows are in order of time: a story from a driver's first one covers the others.
      known.set(whose, driver && { driver, story: await readStory(trx, driver, at.getTime(), lastMs) });
    }
    const found = known.get(whose);
    if (!found) continue;
    const { elsewhere, isFirst } = signInTermsAt(found.driver, found.story, vehicle_id, at.getTime(), seq);
    if (JSON.stringify(elsewhere) === JSON.stringify(before.elsewhere)) continue;
    await trx
      .updateTable('duty_input')
      .set({ terms: JSON.stringify({ ...before, elsewhere, isFirst }) })
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

function lastEntered(
  entered: readonly EnteredRow[],
  vehicleId: number,
  atMs: number,
  beforeSeq: string | null,
): Entered | null {
  let last: EnteredRow | null = null;
  for (const one of entered) {
    if (one.refusal !== null || one.status === null || !isLookedAt(one, atMs)) continue;
    if (beforeSeq !== null && BigInt(one.seq) >= BigInt(beforeSeq)) continue;
    if (last === null || one.at > last.at || (one.at === last.at && BigInt(one.seq) > BigInt(last.seq))) last = one;
  }
  return last?.status ? { status: last.status, at: secondOf(last.at), isHere: last.vehicleId === vehicleId } : null;
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

/** Records of the same second that became of what was entered after an entry: the log has whole seconds. */
const recordsAfter = (entered: readonly EnteredRow[], atMs: number, beforeSeq: string | null): ReadonlySet<string> =>
  new Set(
    entered.flatMap(({ at, record, seq }) =>
      record !== null && (at > atMs || (beforeSeq !== null && BigInt(seq) >= BigInt(beforeSeq))) ? [record] : [],
    ),
  );

/** What a driver entered in a vehicle before a moment, as its recorder can have recorded it. */
const enteredIn = (entered: readonly EnteredRow[], vehicleId: number, atMs: number): ReadonlySet<string> =>
  enteredKeys(entered.filter(one => one.vehicleId === vehicleId && isLookedAt(one, atMs)));

const isLookedAt = ({ at }: { readonly at: number }, atMs: number): boolean => at <= atMs && at > atMs - LOOKED_BACK_MS;

/** What a driver entered, as far back as is looked from a moment, up to the second of another. */
async function enteredBy(trx: AccountTransaction, driverId: number, fromMs: number, toMs: number) {
  const rows = await trx
    .selectFrom('duty_input')
    .select(['seq', 'at', 'action', 'vehicle_id', 'refusal', 'record'])
    .where('driver_id', '=', driverId)
    .where('at', '<', new Date(secondOf(toMs) + SECOND_MS))
    .where('at', '>', new Date(fromMs - LOOKED_BACK_MS))
    .execute();
  return rows.map(({ action, at, record, refusal, seq, vehicle_id }) => {
    const entered = action as DutyAction;
    return {
      seq,
      refusal,
      record,
      at: at.getTime(),
      vehicleId: vehicle_id,
      action: entered,
      status: enteredStatus(entered),
    };
  });
}

const SECOND_MS = 1000;
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
