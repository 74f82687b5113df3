import type { PerformanceEvidence, PerformanceKind } from '@milepost/contract';
import { addDays, dayOf, startOfDate } from '@milepost/eld';
import { epochMs, metresPerSecond, toKilometresPerHour } from '@milepost/units';
import { type NotNull, sql } from 'kysely';
import type { AccountTransaction } from '../../../db/database.ts';
import type { Organisation } from '../../../fleet/organisation.ts';
import { type LogView, viewLog } from '../../../logs/log-view.ts';
import { turn } from '../../../workers/turns.ts';
import type { Calendar } from '../../history/days/calendar.ts';
import { declarationsOf } from '../days/declarations.ts';
import { distanceIn } from '../days/distance.ts';
import { datesOf } from '../days/log-day.ts';
import { readLogs } from '../days/read-log.ts';
import { type DriverTerms, homeOfTerminal, logOfDriver } from '../settings/driver-terms.ts';

/** What counts for or against a driver, before disputes and weights; times in epoch milliseconds. */
export interface EvidenceItem {
  readonly id: string;
  readonly kind: PerformanceKind;
  readonly at: number;
  readonly amount: number;
  readonly vehicleId: number | null;
  readonly source: PerformanceEvidence['source'];
  /** Km/h */
  readonly speed: number | null;
}

export interface DriverEvidence {
  readonly items: EvidenceItem[];
  /** Kilometers by day of the account’s time zone. */
  readonly km: Map<number, number>;
  /** When the driver reached tasks that had to be reached by a time, late or not. */
  readonly arrivals: number[];
}

export interface EvidencePeriod {
  /** Days of the account’s calendar; `to` is included. */
  readonly from: number;
  readonly to: number;
  readonly calendar: Calendar;
}

const KIND_OF_ALERT: Readonly<Record<string, PerformanceKind>> = { overspeed: 'speeding', harshDriving: 'harsh' };
const HOUR_MS = 3_600_000;
/** Two alerts for speed of a vehicle within this time are about one stretch of speeding. */
const SAME_SPEEDING_MS = 5 * 60_000;
/** Less idling than that in a day is nobody’s fault. */
const SHORTEST_IDLING_H = 0.25;
/** The day after: the driver certifies when the day is over. */
const CERTIFIED_WITHIN_MS = 24 * HOUR_MS;
const LOGS_AT_ONCE = 20;

/** All that counts for these drivers in a period. */
export async function readEvidence(
  trx: AccountTransaction,
  accountId: number,
  drivers: readonly DriverTerms[],
  period: EvidencePeriod,
  organisation: Organisation,
  now: number,
): Promise<Map<number, DriverEvidence>> {
  const found = new Map<number, DriverEvidence>(
    drivers.map(({ driverId }) => [driverId, { items: [], km: new Map(), arrivals: [] }]),
  );
  await addAlerts(trx, found, period);
  await addDriving(trx, accountId, found, period, organisation);
  await addUnidentified(trx, found, period);
  await addArrivals(trx, found, period);
  const keeping = drivers.filter(({ settings }) => settings.keepsLog);
  for (let i = 0; i < keeping.length; i += LOGS_AT_ONCE) {
    await addLogs(trx, keeping.slice(i, i + LOGS_AT_ONCE), found, period, now);
  }
  for (const [driverId, driver] of found)
    found.set(driverId, { ...driver, items: driver.items.filter(isCounted(driver, period)) });
  return found;
}

/** What happens on the road counts per kilometer, so it waits until the distance of its day is known. */
const isCounted =
  ({ km }: DriverEvidence, { calendar }: EvidencePeriod) =>
  ({ at, source }: EvidenceItem): boolean =>
    source.kind !== 'alert' || (km.get(calendar.dayOf(at)) ?? 0) > 0;

const spanOf = ({ calendar, from, to }: EvidencePeriod) => ({
  start: calendar.startOf(from),
  end: calendar.startOf(to + 1),
});

async function addAlerts(
  trx: AccountTransaction,
  found: ReadonlyMap<number, DriverEvidence>,
  period: EvidencePeriod,
): Promise<void> {
  const { start, end } = spanOf(period);
  const rows = await trx
    .selectFrom('alert')
    .select(['id', 'kind', 'vehicle_id', 'driver_id', 'opened_at', 'figures', 'rule'])
    .where('opened_at', '>=', new Date(start))
    .where('opened_at', '<', new Date(end))
    .where(eb =>
      eb.or([
        eb('kind', 'in', Object.keys(KIND_OF_ALERT)),
        eb.and([
          eb('kind', '=', 'rule'),
          sql<boolean>`exists (select from rule where rule.id = alert.rule_id and rule.trigger ->> 'kind' = 'speed')`,
        ]),
      ]),
    )
    .where('driver_id', 'is not', null)
    .where('vehicle_id', 'is not', null)
    .$narrowType<{ vehicle_id: NotNull }>()
    // The tracker's own alert first: a rule that says the same of that moment does not count again.
    .orderBy(sql`kind = 'rule'`)
    .orderBy('opened_at')
    .execute();
  const sped = new Map<number, number[]>();
  for (const row of rows) {
    const kind = KIND_OF_ALERT[row.kind] ?? 'speeding';
    const at = row.opened_at.getTime();
    if (kind === 'speeding') {
      const times = sped.get(row.vehicle_id) ?? [];
      if (row.kind === 'rule' && times.some(time => Math.abs(time - at) < SAME_SPEEDING_MS)) continue;
      sped.set(row.vehicle_id, [...times, at]);
    }
    const speed = row.figures?.speed;
    found.get(row.driver_id ?? 0)?.items.push({
      id: `alert:${row.id}`,
      kind,
      at,
      amount: 1,
      vehicleId: row.vehicle_id,
      source: { kind: 'alert', alertId: row.id, alertKind: row.kind, rule: row.rule?.name ?? null },
      speed: speed === undefined ? null : Math.round(toKilometresPerHour(metresPerSecond(speed))),
    });
  }
}

/** A span that the middle of a part of a trip is in. */
const drove = (kind: 'signed-in' | 'usual') => {
  const span = sql.ref(kind === 'usual' ? 'usual' : 'seat');
  const middle = sql`trip_part.from_at + (trip_part.to_at - trip_part.from_at) / 2`;
  return sql<boolean>`${span}.kind = ${kind} and coalesce(${span}.from_at, '-infinity') <= ${middle}
    and ${middle} < coalesce(${span}.to_at, 'infinity')`;
};

/** Kilometers and idling, of whoever was signed in, else by the card in the trip, else of the usual driver of that time. */
async function addDriving(
  trx: AccountTransaction,
  accountId: number,
  found: ReadonlyMap<number, DriverEvidence>,
  { calendar, from, to }: EvidencePeriod,
  { roster }: Organisation,
): Promise<void> {
  const rows = await trx
    .selectFrom('trip_part')
    .leftJoin('driver_span as seat', join =>
      join.onRef('seat.vehicle_id', '=', 'trip_part.vehicle_id').on(drove('signed-in')),
    )
    .leftJoin('driver_span as usual', join =>
      join.onRef('usual.vehicle_id', '=', 'trip_part.vehicle_id').on(drove('usual')),
    )
    .select(['trip_part.vehicle_id', sql<string>`day::text`.as('date'), sql<string | null>`cards[1]`.as('card')])
    .select(['seat.driver_id as signed_in', 'usual.driver_id as usual'])
    .select(({ fn }) => [fn.sum<number>('millimetres').as('mm'), fn.sum<number>('idling_ms').as('idling')])
    .where('day', '>=', calendar.dateOf(from))
    .where('day', '<=', calendar.dateOf(to))
    .groupBy(['trip_part.vehicle_id', 'day', sql`cards[1]`, 'seat.driver_id', 'usual.driver_id'])
    .execute();
  for (const { vehicle_id: vehicleId, date, card, mm, idling, signed_in: signedIn, usual } of rows) {
    const driverId = signedIn ?? (card === null ? undefined : roster.driverOfCard(accountId, card)?.id) ?? usual;
    const driver = driverId === null ? undefined : found.get(driverId);
    if (!driver) continue;
    const day = calendar.numberOf(date);
    driver.km.set(day, (driver.km.get(day) ?? 0) + Number(mm) / 1e6);
    const amount = Number(idling) / HOUR_MS;
    if (amount < SHORTEST_IDLING_H) continue;
    driver.items.push({
      id: `idling:${vehicleId}:${date}${card === null ? '' : `:${card}`}${signedIn === null ? '' : `:in`}`,
      kind: 'idling',
      at: calendar.startOf(day),
      amount,
      vehicleId,
      source: { kind: 'vehicle-day', date },
      speed: null,
    });
  }
}

/** Driving that a driver took over afterward: they had not signed in. */
async function addUnidentified(
  trx: AccountTransaction,
  found: ReadonlyMap<number, DriverEvidence>,
  period: EvidencePeriod,
): Promise<void> {
  const { start, end } = spanOf(period);
  const rows = await trx
    .selectFrom('duty_entry')
    .select(['log', 'device', 'entry'])
    .where('action', '=', 'assume')
    .where('recorded_at', '>=', new Date(start))
    .execute();
  for (const { log, device, entry } of rows) {
    const { from, event } = JSON.parse(entry) as {
      readonly from: { readonly record: string };
      readonly event: { readonly at: number; readonly code: number };
    };
    if (event.at < start || event.at >= end || event.code !== DRIVING) continue;
    found.get(Number(log.replace('driver:', '')))?.items.push({
      id: `unidentified:${from.record}`,
      kind: 'unidentified',
      at: event.at,
      amount: 1,
      vehicleId: Number(device?.replace('vehicle:', '')) || null,
      source: { kind: 'log-day', date: period.calendar.dateOf(period.calendar.dayOf(event.at)), clause: '395.32' },
      speed: null,
    });
  }
}

/**
 * Arrivals at tasks that had to be reached by a time: by the driver’s own report or the vehicle’s position, not by what
 * the desk entered afterward. A task that was assigned when its time was over is nobody’s delay.
 */
async function addArrivals(
  trx: AccountTransaction,
  found: ReadonlyMap<number, DriverEvidence>,
  period: EvidencePeriod,
): Promise<void> {
  const { start, end } = spanOf(period);
  const rows = await trx
    .selectFrom('task')
    .innerJoin('task_step', 'task_step.task_id', 'task.id')
    .select(['task.id', 'title', 'driver_id', 'vehicle_id', 'due_to'])
    .select(({ fn }) => fn.min('task_step.at').as('at'))
    .where('driver_id', 'is not', null)
    .where('due_to', 'is not', null)
    .where('task_step.state', 'in', ['arrived', 'working', 'done'])
    .where('done_by', '<>', 'desk')
    // What an earlier driver of the task reported is theirs.
    .whereRef('task_step.at', '>=', 'assigned_at')
    .whereRef('assigned_at', '<', 'due_to')
    .$narrowType<{ driver_id: NotNull; due_to: NotNull }>()
    .groupBy('task.id')
    .having(({ fn }) => fn.min('task_step.at'), '>=', new Date(start))
    .having(({ fn }) => fn.min('task_step.at'), '<', new Date(end))
    .execute();
  for (const { id, title, driver_id: driverId, vehicle_id: vehicleId, due_to: due, at } of rows) {
    const driver = found.get(driverId);
    if (!driver) continue;
    driver.arrivals.push(at.getTime());
    const lateMinutes = Math.floor((at.getTime() - due.getTime()) / 60_000);
    if (lateMinutes < 1) continue;
    driver.items.push({
      ...{ id: `task:${id}`, kind: 'punctuality', at: at.getTime(), amount: 1, vehicleId, speed: null },
      source: { kind: 'task', taskId: String(id), title, lateMinutes },
    });
  }
}

/** The code of driving (Appendix A, 7.20). */
const DRIVING = 3;

async function addLogs(
  trx: AccountTransaction,
  drivers: readonly DriverTerms[],
  found: ReadonlyMap<number, DriverEvidence>,
  period: EvidencePeriod,
  now: number,
): Promise<void> {
  const { start, end } = spanOf(period);
  const ids = drivers.map(({ driverId }) => driverId);
  const declared = await declarationsOf(trx, ids);
  const logs = await readLogs(trx, ids.map(logOfDriver), start, 'read-sound');
  for (const { driverId, ruleSet, terminal } of drivers) {
    const log = logs.get(logOfDriver(driverId));
    const items = found.get(driverId)?.items;
    if (!log || !items) continue;
    const view = viewLog(log, { ruleSet, declarations: declared.get(driverId) ?? [] }, now);
    const home = homeOfTerminal(terminal);
    for (const { rule, start: at, clause } of view.evaluation.violations) {
      if (at < start || at >= end) continue;
      const source = { kind: 'log-day', date: dayOf(epochMs(at), home), clause } as const;
      items.push({ id: `hours:${rule}:${at}`, kind: 'hours', at, amount: 1, vehicleId: null, source, speed: null });
    }
    items.push(...lateDays(view, period, now));
    addLoggedKm(found.get(driverId)?.km, view, period);
    await turn();
  }
}

/** By the miles in the log, for days of which no trips are counted yet: a fleet’s past takes a while. */
function addLoggedKm(
  km: Map<number, number> | undefined,
  { log, segments }: LogView,
  { calendar, from, to }: EvidencePeriod,
): void {
  const first = segments[0];
  if (!km || !first) return;
  const records = log.records();
  for (let day = Math.max(from, calendar.dayOf(first.start)); day <= to; day++) {
    const driven = km.has(day) ? null : distanceIn(records, calendar.startOf(day), calendar.startOf(day + 1));
    if (driven) km.set(day, driven);
  }
}

/** Days that were not certified on the day after. */
function lateDays(view: LogView, { calendar, from, to }: EvidencePeriod, now: number): EvidenceItem[] {
  const home = view.log.home();
  const certifiedAt = new Map<string, number>();
  for (const { event } of view.log.records()) {
    if (event.type === 4 && !certifiedAt.has(event.date)) certifiedAt.set(event.date, event.at);
  }
  const dates = datesOf(view, { from: calendar.dateOf(from), to: calendar.dateOf(to) });
  return dates.flatMap((date): EvidenceItem[] => {
    const due = startOfDate(addDays(date, 1), home) + CERTIFIED_WITHIN_MS;
    if ((certifiedAt.get(date) ?? now) < due) return [];
    const source = { kind: 'log-day', date, clause: '395.30(b)' } as const;
    const at = startOfDate(date, home);
    return [
      { id: `certification:${date}`, kind: 'certification', at, amount: 1, vehicleId: null, source, speed: null },
    ];
  });
}
