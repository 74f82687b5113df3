import {
  type Backtest,
  type BacktestAlert,
  type backtestRule,
  casesOf,
  GEOFENCE_TRIGGERS,
  isDated,
  type RouteParsed,
  type Rule,
} from '@milepost/contract';
import type { RuleEvent } from '@milepost/geo';
import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { AccountTransaction } from '../../db/database.ts';
import type { DirectoryEntry } from '../../fleet/directory.ts';
import type { Organisation } from '../../fleet/organisation.ts';
import type { Viewer } from '../../fleet/visibility.ts';
import { readPastBytes } from '../../tracks/span-bytes.ts';
import { AS_IT_IS, measuredBy, type PastTest, PLAIN } from '../../watching/watch-past.ts';
import { type AskedDrivers, asksForDriver, conditionPlaces, othersOf, type RuleTerms } from '../../watching/watched.ts';
import type { Workers } from '../../workers/workers.ts';
import { toFigures } from '../alerts/store.ts';
import { calendarOf } from '../history/days/calendar.ts';
import { readAccountSettings } from '../tenancy/settings.ts';
import { readFacts, refuseCrowd } from './rule-facts.ts';
import { RULE_DEFAULTS } from './rules.ts';

type Asked = RouteParsed<typeof backtestRule>['body'];

const DAY_MS = 24 * 3_600_000;
/** A call takes no longer than this, but for the vehicles that were begun. */
const AT_ONCE_MS = 700;
/** While the past of one vehicle is watched, that of the next one is read. */
const AHEAD = 3;

interface Parts extends Pick<Organisation, 'directory' | 'driving' | 'roster' | 'visibility'> {
  readonly workers: Workers;
}

/**
 * What a rule would have alerted: watched by the same code as live, over stored positions, a day longer so that it is
 * known how the period began. One call tests as many vehicles as it can in a short time.
 */
export async function backtest(
  { db }: Pick<Context, 'db'>,
  { directory, driving, roster, visibility, workers }: Parts,
  viewer: Viewer,
  { after, from, rule: draft, to, variants }: Asked,
): Promise<Backtest> {
  const rule = { ...RULE_DEFAULTS, ...draft };
  // There are no positions that it looks at.
  if (isDated(rule.trigger.kind)) return { alerts: [], vehicles: [], total: 0, left: 0, next: null };
  refuseCrowd(roster, directory.ofAccount(viewer.accountId), rule.trigger);
  const span = { fromMs: Date.parse(from), beforeMs: Math.min(Date.parse(to), Date.now()) };
  const vehicles = visibility
    .vehicles(viewer)
    .filter(vehicle => visibility.holdsVehicle(viewer, vehicle) && isFor(rule.vehicles, vehicle, roster))
    .toSorted((a, b) => a.id - b.id);
  const left = vehicles.filter(({ id }) => after === null || id > Number(after));
  const endsAt = performance.now() + AT_ONCE_MS;
  const alerts: BacktestAlert[] = [];
  const tested: Backtest['vehicles'] = [];
  const seesAll = visibility.seesAll(viewer);
  const onlySeen = ({ departmentIds, driverIds }: AskedDrivers): AskedDrivers => ({
    departmentIds: departmentIds.filter(id => visibility.holds('department', viewer, Number(id))),
    driverIds: driverIds.filter(id => {
      const driver = roster.driver(viewer.accountId, Number(id));
      return driver !== null && visibility.seesDriver(viewer, driver);
    }),
  });
  const { calendar, named, test } = await db.asAccount(viewer.accountId, async trx => {
    const { settings } = await readAccountSettings(trx);
    const { holidays, timeZone } = settings;
    const fences = await readFences(trx, rule);
    const facts = await readFacts(trx, roster, viewer.accountId, () => directory.ofAccount(viewer.accountId));
    const named = othersOf(rule.trigger, facts);
    const meant = casesOf(rule.conditions).flatMap(({ drivers }) => {
      if (drivers === null) return [];
      // Nobody learns by a rule who drove, if they don't see that driver.
      const { cards, ids } = facts.drivers(seesAll ? drivers : onlySeen(drivers));
      return [[JSON.stringify(drivers), { ids: [...ids], cards: [...cards] }] as const];
    });
    const made: PastTest = {
      ...{ rule: termsOf(rule), variants, fences, clocks: { holidays, timeZone }, span, limits: [...facts.limits] },
      cards: asksForDriver(rule) ? [...facts.cards] : [],
      meant,
      others: [...named],
    };
    return { test: JSON.stringify(made), named, calendar: calendarOf(timeZone) };
  });
  const fromMs = span.fromMs - DAY_MS;
  const measured = measuredBy(rule);
  const more = {
    hasAttributes: measured.includes('supply') || measured.includes('battery'),
    hasCards: measured.includes('card'),
  };
  // Nobody learns by a rule where a vehicle was that they don't see.
  const held = new Set(
    visibility
      .vehicles(viewer)
      .filter(vehicle => visibility.holdsVehicle(viewer, vehicle))
      .map(vehicle => vehicle.id),
  );
  const otherIds = [...named].filter(id => held.has(id));
  const readPast = (id: number) =>
    db.asAccount(viewer.accountId, trx => readPastBytes(trx, id, { fromMs, beforeMs: span.beforeMs }, more));
  // The same for every vehicle.
  const others = await Promise.all(otherIds.map(async id => ({ id, past: await readPast(id) })));
  const watch = async ({ id, accountId, folderId, speedLimitKmh, usualDriverId }: DirectoryEntry) => {
    const past = await readPast(id);
    return workers.run(viewer.accountId, 'watchPast', {
      test,
      past,
      fromMs,
      others,
      vehicle: {
        ...{ id, folders: roster.around('folder', accountId, folderId), speedLimitKmh, usualDriverId },
        signedIn: driving.seats(id, fromMs, span.beforeMs),
      },
    });
  };
  const begun: { readonly vehicle: DirectoryEntry; readonly found: ReturnType<typeof watch> }[] = [];
  const begin = (): void => {
    const vehicle = left.shift();
    if (!vehicle) return;
    const found = watch(vehicle);
    // It is awaited in its turn.
    found.catch(() => {});
    begun.push({ vehicle, found });
  };
  for (let nth = 0; nth < AHEAD; nth++) begin();
  for (let first = begun.shift(); first; first = begun.shift()) {
    const { events, plain, positions } = await first.found;
    const counts = new Map<string, number>();
    for (const at of plain) {
      const day = calendar.dateOf(calendar.dayOf(at));
      counts.set(day, (counts.get(day) ?? 0) + 1);
    }
    alerts.push(...alertsOf(first.vehicle, events));
    tested.push({
      deviceId: String(first.vehicle.id),
      positions,
      muted: events.filter(({ ruleId, what }) => ruleId === AS_IT_IS && what === 'muted').length,
      plain: [...counts].map(([day, count]) => ({ day, count })),
    });
    if (performance.now() < endsAt) begin();
  }
  const last = tested.at(-1);
  const next = left.length > 0 && last ? last.deviceId : null;
  return { alerts, vehicles: tested, total: vehicles.length, left: left.length, next };
}

const termsOf = ({ conditions, geofenceIds, repeatMinutes, trigger, when, where }: RuleTerms): RuleTerms => ({
  ...{ conditions, geofenceIds, repeatMinutes, trigger, when, where },
});

function isFor(
  vehicles: Rule['vehicles'],
  { accountId, folderId, id }: DirectoryEntry,
  roster: Organisation['roster'],
) {
  if (vehicles === null || vehicles.deviceIds.includes(String(id))) return true;
  return roster.isInside('folder', accountId, folderId, new Set(vehicles.folderIds.map(Number)));
}

/** Those that the rule and its conditions name, or all of them if it is about any. */
async function readFences(trx: AccountTransaction, rule: RuleTerms): Promise<PastTest['fences']> {
  const { kind } = rule.trigger;
  const isAbout = (GEOFENCE_TRIGGERS as readonly string[]).includes(kind);
  const own = rule.geofenceIds?.map(Number) ?? (isAbout ? null : []);
  const others = conditionPlaces(rule).map(Number);
  if (own?.length === 0 && others.length === 0) return [];
  const rows = await trx
    .selectFrom('geofence')
    .select(['id', 'shape', 'buffer_m', 'min_fixes', 'min_seconds'])
    .where('is_on', '=', true)
    .where(
      sql<boolean>`(id = any (${others}::int4[]) or (
        (${own}::int4[] is null or id = any (${own}::int4[])) and (${kind} <> 'limit' or speed_limit_kmh is not null)))`,
    )
    .execute();
  return rows.map(row => ({
    ...{ id: row.id, shape: row.shape },
    ...{ buffer: row.buffer_m, minFixes: row.min_fixes, minDuration: row.min_seconds * 1000 },
  }));
}

/** Each alert with its end, by setting. */
function alertsOf({ id }: DirectoryEntry, events: readonly RuleEvent[]): BacktestAlert[] {
  const alerts: BacktestAlert[] = [];
  const lasting = new Map<string, number>();
  for (const { at, began, crossing, expected, fenceId, figures: measured, lat, lon, otherId, ruleId, what } of events) {
    if (ruleId === PLAIN || what === 'muted') continue;
    const key = `${ruleId} ${fenceId}`;
    const figures = toFigures(measured);
    if (what === 'ended') {
      const nth = lasting.get(key);
      const known = nth === undefined ? undefined : alerts[nth];
      lasting.delete(key);
      // As live: what turns out to have ended before ends as it alerts.
      const endedAt = iso(Math.max(at, Date.parse(known?.at ?? iso(at))));
      if (nth !== undefined && known) alerts[nth] = { ...known, endedAt, figures };
      continue;
    }
    lasting.set(key, alerts.length);
    alerts.push({
      setting: ruleId,
      deviceId: String(id),
      geofenceId: fenceId === null ? null : String(fenceId),
      beganAt: iso(began),
      at: iso(at),
      endedAt: null,
      lat,
      lon,
      figures,
      crossing,
      expectedId: expected === null ? null : String(expected),
      otherId: otherId === null ? null : String(otherId),
    });
  }
  return alerts;
}

const iso = (ms: number): string => new Date(ms).toISOString();
