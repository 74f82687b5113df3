import type { MyDuty } from '@milepost/contract';
import {
  addDays,
  advanceRecorder,
  type Dvir,
  dayOf,
  isDutyEvent,
  mayBeDriven,
  openDvir,
  startOfDate,
  trailersOf,
} from '@milepost/eld';
import { epochMs } from '@milepost/units';
import type { AccountTransaction } from '../../../db/database.ts';
import type { Organisation } from '../../../fleet/organisation.ts';
import { daysToCertify } from '../../../logs/uncertified.ts';
import type { Board } from '../board/board.ts';
import { readDriver } from '../days/driver-reading.ts';
import { logDayOf } from '../days/log-day.ts';
import { officerDays, phoneDaysOf } from '../days/phone-days.ts';
import { iso, shownRecord } from '../days/shown.ts';
import { readNames } from '../desk/log-access.ts';
import { remindersOf } from '../desk/reminders.ts';
import { openRecords, vehiclesIn } from '../files/output-subject.ts';
import { readOrganizationOf } from '../settings/carrier.ts';
import { type DriverTerms, homeOfTerminal, logOfDriver, unidentifiedLogOf } from '../settings/driver-terms.ts';
import type { LogRoster } from '../settings/roster.ts';
import { changedAnswersOf } from './answers.ts';
import { signedInTo } from './entered.ts';
import { mayDriveBy } from './own-vehicles.ts';
import { candidatesFor, coDriversSince, handedOverTo, otherOf, requestsOf } from './team.ts';
import { readUnidentified, unclaimedFrom, unclaimedOf } from './unclaimed.ts';

export interface MyDutyParts {
  readonly roster: LogRoster;
  readonly board: Board;
  readonly organisation: Organisation;
}

/** Everything that a driver's phone shows of their own. */
export async function readMyDutyOf(
  trx: AccountTransaction,
  { roster, board, organisation }: MyDutyParts,
  accountId: number,
  terms: DriverTerms,
  nowMs: number,
): Promise<MyDuty> {
  const home = homeOfTerminal(terms.terminal);
  const today = dayOf(epochMs(nowMs), home);
  const { dates, olderToCertify } = await phoneDaysOf(trx, terms, nowMs);
  const reading = await readDriver(trx, terms, dates.at(-1) ?? today, nowMs);
  const { declarations, view } = reading;
  const nameOf = await readNames(trx);
  const toCertify = [...olderToCertify, ...daysToCertify(view.log, nowMs)];
  const here = await signedInTo(trx, terms.driverId);
  // The kept state is that of the newest position: a stop, and the question after it, follow from the time since.
  const recorder = here && advanceRecorder(here.state.recorder, { kind: 'tick', at: epochMs(nowMs) }).state;
  const last = view.log.records().findLast(({ event }) => isDutyEvent(event))?.event;
  const fromMs = startOfDate(addDays(today, 1 - officerDays(terms)), home);
  const devices = [...view.log.records(), ...(here ? [{ device: `vehicle:${here.vehicleId}` as const }] : [])];
  const unidentified = await readUnidentified(trx, terms.driverId, {
    fromMs: Math.min(fromMs, unclaimedFrom(nowMs)),
    vehicleIds: vehiclesIn(devices),
  });
  const vehicleLogs = new Set(vehiclesIn(devices).map(unidentifiedLogOf));
  const logsOfVehicles = new Map([...unidentified.logs].filter(([name]) => vehicleLogs.has(name)));
  const instant = (at: unknown) => iso(typeof at === 'number' ? at : Date.parse(String(at)));
  return {
    driver: await roster.shown(trx, terms, nowMs, reading),
    carrier: {
      name: terms.carrier.name ?? '',
      usdotNumber: terms.carrier.usdotNumber,
      ...(await readOrganizationOf(trx)),
    },
    now: iso(nowMs),
    vehicle: here ? await vehicleOf(trx, organisation, here, recorder?.motion.moving === true, terms.driverId) : null,
    vehicles: await vehiclesFor(trx, organisation, accountId, terms, here?.vehicleId ?? null),
    coDrivers: await candidatesFor(trx, terms),
    ...(await requestsOf(trx, terms.driverId, nowMs)),
    handedOver: await handedOverTo(trx, terms.driverId, nowMs),
    question: here?.isDriving && recorder ? questionOf(recorder.question) : null,
    row: await board.row(trx, accountId, terms, reading),
    trailers: here?.state.trailers ?? last?.trailers ?? '',
    shippingDocument: here?.state.shippingDocument ?? last?.shippingDocument ?? '',
    days: dates.map(date => logDayOf(view, terms.driverId, date, nameOf)),
    officerDays: officerDays(terms),
    display: {
      driverId: terms.userName,
      coDrivers: await coDriversSince(trx, logOfDriver(terms.driverId), fromMs),
    },
    toCertify,
    reminders: await remindersOf(trx, terms.driverId, {
      certification: toCertify.length > 0,
      proposals: view.log.records().some(({ status }) => status === 'change-requested'),
    }),
    answers: await changedAnswersOf(trx, terms.driverId, nowMs),
    unclaimed: await unclaimedOf(trx, organisation, terms.driverId, here?.vehicleId ?? null, unidentified, nowMs),
    unidentified: openRecords(logsOfVehicles, ({ event }) => event.at >= fromMs).map(record =>
      shownRecord(record, nameOf),
    ),
    inspection: here ? await inspectionOf(trx, organisation, here.vehicleId, here.state.trailers) : null,
    dutyLog: {
      ruleset: terms.ruleSet,
      timezone: home.timeZone,
      homeTerminalStartOfDay: terms.terminal.startOfDay,
      segments: view.segments.map(({ status, start, end }, nth) => ({
        ...{ status, start: iso(start), end: nth === view.segments.length - 1 ? null : iso(end) },
      })),
      declarations: declarations.map(({ exception, start, end }) => ({
        exception: String(exception),
        start: instant(start),
        end: end == null ? null : instant(end),
      })),
    },
  };
}

type Here = NonNullable<Awaited<ReturnType<typeof signedInTo>>>;

const questionOf = (question: Here['state']['recorder']['question']): MyDuty['question'] =>
  question && { kind: question.kind, askedAt: iso(question.askedAt) };

async function vehicleOf(
  trx: AccountTransaction,
  { live }: Pick<Organisation, 'live'>,
  { vehicleId, state, isDriving }: Here,
  isMoving: boolean,
  driverId: number,
): Promise<MyDuty['vehicle']> {
  const row = await trx
    .selectFrom('vehicle')
    .select(['id', 'name', 'plate', 'vin'])
    .where('id', '=', vehicleId)
    .executeTakeFirst();
  if (!row) return null;
  const other = otherOf(state, driverId);
  const coDriver =
    other === null
      ? undefined
      : await trx.selectFrom('driver').select(['id', 'name']).where('id', '=', other).executeTakeFirst();
  const newest = live.of(vehicleId)?.newest ?? null;
  return {
    ...{ id: String(row.id), deviceName: row.name, plate: row.plate, vin: row.vin },
    isMoving,
    reportAt: newest && iso(newest.fixAt),
    coDriver: coDriver ? { driverId: String(coDriver.id), name: coDriver.name } : null,
    isDriving,
  };
}

/** The driver's own vehicle, and those they may take that are nobody's; a code in the cab names any other. */
async function vehiclesFor(
  trx: AccountTransaction,
  organisation: Pick<Organisation, 'directory' | 'roster'>,
  accountId: number,
  terms: DriverTerms,
  hereId: number | null,
): Promise<MyDuty['vehicles']> {
  const { driverId } = terms;
  const mayDrive = mayDriveBy(organisation, accountId, terms);
  const open = [...organisation.directory.ofAccount(accountId)].filter(
    vehicle =>
      vehicle.id === hereId ||
      ((vehicle.usualDriverId === null || vehicle.usualDriverId === driverId) && mayDrive(vehicle)),
  );
  if (open.length === 0) return [];
  const rows = await trx
    .selectFrom('vehicle')
    .select(['id', 'name', 'plate', 'usual_driver_id'])
    .where(
      'id',
      'in',
      open.map(({ id }) => id),
    )
    .orderBy('name')
    .execute();
  return rows
    .map(({ id, name, plate, usual_driver_id }) => ({
      ...{ id: String(id), deviceName: name, plate, isUsual: usual_driver_id === driverId },
    }))
    .sort((a, b) => Number(b.isUsual) - Number(a.isUsual));
}

/** As many reports as a vehicle can have in the weeks in which an old defect may still wait for its repair. */
const LOOKED_AT = 100;

/**
 * The vehicle's newest report with defects that is still to be repaired or reviewed, also if later reports found
 * nothing; else its last report, until it is reviewed.
 */
async function inspectionOf(
  trx: AccountTransaction,
  { directory }: Pick<Organisation, 'directory'>,
  vehicleId: number,
  trailers: string,
): Promise<MyDuty['inspection']> {
  const rows = await trx
    .selectFrom('inspection_report')
    .selectAll()
    .where('vehicle_id', '=', vehicleId)
    .orderBy('reported_at', 'desc')
    .limit(LOOKED_AT)
    .execute();
  const waits = rows.filter(({ state }) => state !== 'reviewed');
  const row = waits.find(({ report }) => (report as Dvir['report']).defects.length > 0) ?? rows[0];
  if (!row || row.state === 'reviewed') return null;
  const dvir = {
    ...openDvir(row.report as Dvir['report']),
    ...{ state: row.state, certifiedBy: row.certified, reviewedBy: row.reviewed },
  } as Dvir;
  const photos = row.photos as string[][];
  const signed = (signature: Dvir['certifiedBy']) => signature && { name: signature.name, at: iso(signature.at) };
  return {
    id: row.id,
    vehicle: { id: String(vehicleId), deviceName: directory.findById(vehicleId)?.name ?? '' },
    when: row.inspected,
    trailers: dvir.report.trailers,
    state: dvir.state,
    defects: dvir.report.defects.map((defect, nth) => ({ ...defect, photos: photos[nth] ?? [] })),
    reportedBy: { name: dvir.report.reportedBy.name, at: iso(dvir.report.reportedBy.at) },
    certifiedBy: signed(dvir.certifiedBy),
    reviewedBy: signed(dvir.reviewedBy),
    mayBeDriven: mayBeDriven(dvir, trailersOf(trailers)),
  };
}
