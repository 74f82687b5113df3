import type { Backtest, BacktestAlert, backtestRule, RouteParsed, Rule } from '@milepost/contract';
import {
  compileFence,
  type FenceFix,
  FenceIndex,
  NO_RULES_FOLLOWED,
  type RuleEvent,
  RuleFollower,
  type WatchedRule,
} from '@milepost/geo';
import { epochMs } from '@milepost/units';
import type { Context } from '../../context.ts';
import type { AccountTransaction } from '../../db/database.ts';
import type { DirectoryEntry } from '../../fleet/directory.ts';
import type { Organisation } from '../../fleet/organisation.ts';
import type { Session } from '../../http/session.ts';
import { readSpan } from '../../tracks/span.ts';
import { turn } from '../../workers/turns.ts';
import { toFigures } from '../alerts/store.ts';
import { toFenceShape } from '../geofences/shapes.ts';
import { calendarOf } from '../history/days/calendar.ts';
import { readAccountSettings } from '../tenancy/settings.ts';
import { columnsOf, toRuleFix } from './rule-fix.ts';
import { RULE_DEFAULTS } from './rules.ts';
import { type AccountCalendar, accountCalendar, type RuleTerms, watchedRule } from './watched.ts';

type Asked = RouteParsed<typeof backtestRule>['body'];

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** A call takes no longer than this, but for its last vehicle. */
const AT_ONCE_MS = 700;
const DAYS_AT_ONCE = 4;
const TURN_MS = 4;
/** The rule as it is, then those with other durations; and without waiting. */
const AS_IT_IS = 0;
const PLAIN = -1;

/**
 * What a rule would have alerted: watched by the same code as live, over stored positions, a day longer so that it is
 * known how the period began. One call tests as many vehicles as it can in a short time.
 */
export async function backtest(
  { db }: Pick<Context, 'db'>,
  { roster, visibility }: Pick<Organisation, 'roster' | 'visibility'>,
  viewer: Session,
  { after, from, rule: draft, to, variants }: Asked,
): Promise<Backtest> {
  const rule = { ...RULE_DEFAULTS, ...draft };
  const [fromMs, toMs] = [Date.parse(from), Math.min(Date.parse(to), Date.now())];
  const vehicles = visibility
    .vehicles(viewer)
    .filter(vehicle => visibility.holdsVehicle(viewer, vehicle) && isFor(rule.vehicles, vehicle, roster))
    .toSorted((a, b) => a.id - b.id);
  const left = vehicles.filter(({ id }) => after === null || id > Number(after));
  const endsAt = performance.now() + AT_ONCE_MS;
  const alerts: BacktestAlert[] = [];
  const tested: Backtest['vehicles'] = [];
  await db.asAccount(viewer.accountId, async trx => {
    const { settings } = await readAccountSettings(trx);
    const fences = await readFences(trx, rule.geofenceIds);
    const rules = settingsOf(rule, variants, accountCalendar(settings), fromMs);
    const calendar = calendarOf(settings.timeZone);
    while (left.length > 0 && (tested.length === 0 || performance.now() < endsAt)) {
      const vehicle = left.shift() as DirectoryEntry;
      const { events, plain, positions } = await watch(trx, vehicle, { fences, rule, rules, fromMs, toMs });
      const counts = new Map<string, number>();
      for (const at of plain) {
        const day = calendar.dateOf(calendar.dayOf(at));
        counts.set(day, (counts.get(day) ?? 0) + 1);
      }
      alerts.push(...alertsOf(vehicle, events));
      tested.push({
        deviceId: String(vehicle.id),
        positions,
        muted: events.filter(({ ruleId, what }) => ruleId === AS_IT_IS && what === 'muted').length,
        plain: [...counts].map(([day, count]) => ({ day, count })),
      });
    }
  });
  const last = tested.at(-1);
  const next = left.length > 0 && last ? last.deviceId : null;
  return { alerts, vehicles: tested, total: vehicles.length, left: left.length, next };
}

function isFor(
  vehicles: Rule['vehicles'],
  { accountId, folderId, id }: DirectoryEntry,
  roster: Organisation['roster'],
) {
  if (vehicles === null || vehicles.deviceIds.includes(String(id))) return true;
  return roster.isInside('folder', accountId, folderId, new Set(vehicles.folderIds.map(Number)));
}

async function readFences(trx: AccountTransaction, ids: readonly string[] | null): Promise<FenceIndex> {
  const rows = await trx
    .selectFrom('geofence')
    .select(['id', 'shape', 'buffer_m', 'min_fixes', 'min_seconds'])
    .where('is_on', '=', true)
    .$if(ids !== null, query => query.where('id', 'in', (ids ?? []).map(Number)))
    .execute();
  return new FenceIndex(
    rows.map(row => ({
      id: row.id,
      area: compileFence(toFenceShape(row.shape)),
      edge: { buffer: row.buffer_m, minFixes: row.min_fixes, minDuration: row.min_seconds * 1000 },
    })),
  );
}

/** The rule as it is, and its variants, each under the number of its setting. */
function settingsOf(
  rule: RuleTerms,
  variants: readonly number[],
  clocks: AccountCalendar,
  fromMs: number,
): WatchedRule[] {
  const watched = (id: number, terms: RuleTerms): WatchedRule =>
    watchedRule(terms, clocks, { id, version: 1, since: epochMs(fromMs) });
  const others = variants.flatMap((duration, nth) => {
    const trigger = lasting(rule.trigger, duration);
    return trigger ? [watched(nth + 1, { ...rule, trigger })] : [];
  });
  const plain = lasting(rule.trigger, 0);
  return [
    watched(AS_IT_IS, rule),
    ...others,
    ...(plain && !isAboutFences(rule) ? [watched(PLAIN, { ...rule, trigger: plain, repeatMinutes: 0 })] : []),
  ];
}

/** The trigger with another duration, in minutes, or seconds for speed; null if it has none. */
function lasting(trigger: Rule['trigger'], duration: number): Rule['trigger'] | null {
  if (trigger.kind === 'speed') return { ...trigger, seconds: duration };
  return 'minutes' in trigger ? { ...trigger, minutes: duration } : null;
}

const isAboutFences = ({ trigger: { kind } }: Pick<RuleTerms, 'trigger'>): boolean =>
  kind === 'enter' || kind === 'exit' || kind === 'cross' || kind === 'stay';

interface Watch {
  readonly fences: FenceIndex;
  readonly rule: RuleTerms;
  readonly rules: readonly WatchedRule[];
  readonly fromMs: number;
  readonly toMs: number;
}

async function watch(trx: AccountTransaction, { id }: DirectoryEntry, { fences, fromMs, rule, rules, toMs }: Watch) {
  const follower = new RuleFollower(fences, rules, NO_RULES_FOLLOWED);
  const crossed = isAboutFences(rule) ? new PlainCrossings(fences, rules[0] as WatchedRule) : null;
  const events: RuleEvent[] = [];
  const plain: number[] = [];
  let positions = 0;
  let turnEnds = performance.now() + TURN_MS;
  const columns = columnsOf(rule.trigger.kind);
  const read = (at: number) =>
    readSpan(
      trx,
      { vehicleId: id, from: new Date(at), before: new Date(Math.min(at + DAYS_AT_ONCE * DAY_MS, toMs)) },
      { columns, isBelieved: true },
    );
  const firstMs = fromMs - DAY_MS;
  let next = read(firstMs);
  for (let at = firstMs; at < toMs; at += DAYS_AT_ONCE * DAY_MS) {
    const rows = await next;
    // While these are watched, the database looks for those after them.
    next = at + DAYS_AT_ONCE * DAY_MS < toMs ? read(at + DAYS_AT_ONCE * DAY_MS) : Promise.resolve([]);
    next.catch(() => {});
    for (const [nth, row] of rows.entries()) {
      if (nth % 64 === 0 && performance.now() > turnEnds) {
        await turn();
        turnEnds = performance.now() + TURN_MS;
      }
      const fix = toRuleFix(row);
      if (fix.time >= fromMs) positions++;
      for (const event of follower.take(fix)) events.push(event);
      const moment = crossed?.take(fix) ?? null;
      if (moment !== null && moment >= fromMs) plain.push(moment);
    }
  }
  for (const event of follower.passTime(epochMs(toMs))) events.push(event);
  const alone = crossed
    ? plain
    : events.flatMap(each => (each.ruleId === PLAIN && each.what === 'alert' ? each.at : []));
  return { events, plain: alone, positions };
}

/** Whether each fix alone is inside or outside, as if the receiver were never wrong: what drift makes of a rule. */
class PlainCrossings {
  readonly #fences: FenceIndex;
  readonly #rule: WatchedRule;
  /** Since when it is inside; `told` for a stay that was too long. */
  readonly #inside = new Map<number, { readonly since: number; told: boolean }>();
  #isFirst = true;

  constructor(fences: FenceIndex, rule: WatchedRule) {
    this.#fences = fences;
    this.#rule = rule;
  }

  /** The moment of the fix if it would alert. */
  take(fix: FenceFix): number | null {
    const { trigger, when } = this.#rule;
    const now = new Set<number>();
    for (const { area, id } of this.#fences.near(fix)) if (area.signedDistance(fix) <= 0) now.add(id);
    let alerts = false;
    for (const id of now) {
      const known = this.#inside.get(id);
      const visit = known ?? { since: fix.time, told: false };
      if (!known) this.#inside.set(id, visit);
      if (!known && (trigger.kind === 'enter' || trigger.kind === 'cross') && !this.#isFirst) alerts = true;
      if (trigger.kind !== 'stay' || visit.told || fix.time - visit.since < trigger.longer) continue;
      visit.told = true;
      alerts = true;
    }
    for (const id of this.#inside.keys()) {
      if (now.has(id)) continue;
      this.#inside.delete(id);
      if (trigger.kind === 'exit' || trigger.kind === 'cross') alerts = true;
    }
    this.#isFirst = false;
    return alerts && (when === null || when.isWithin(fix.time)) ? fix.time : null;
  }
}

/** Each alert with its end, by setting. */
function alertsOf({ id }: DirectoryEntry, events: readonly RuleEvent[]): BacktestAlert[] {
  const alerts: BacktestAlert[] = [];
  const lasting = new Map<string, number>();
  for (const { at, began, crossing, fenceId, figures: measured, lat, lon, ruleId, what } of events) {
    if (ruleId === PLAIN || what === 'muted') continue;
    const key = `${ruleId} ${fenceId}`;
    const figures = toFigures(measured);
    if (what === 'ended') {
      const nth = lasting.get(key);
      const known = nth === undefined ? undefined : alerts[nth];
      lasting.delete(key);
      if (nth !== undefined && known) alerts[nth] = { ...known, endedAt: iso(at), figures };
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
    });
  }
  return alerts;
}

const iso = (ms: number): string => new Date(ms).toISOString();
