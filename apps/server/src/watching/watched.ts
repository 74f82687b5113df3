import {
  datesIn,
  GEOFENCE_TRIGGERS,
  type Rule,
  type RuleConditions,
  type RuleWhen,
  type Settings,
} from '@milepost/contract';
import {
  type Holidays,
  nextMoment,
  type OffsetAt,
  type Schedule,
  type RuleConditions as WatchedConditions,
  type WatchedRule,
  type RuleTrigger as WatchedTrigger,
  weeklySchedule,
} from '@milepost/geo';
import { zoneNamed } from '@milepost/hos';
import { celsius, type EpochMs, epochMs, fromKilometresPerHour, percent, volts } from '@milepost/units';

/** What decides about a rule's alerts. */
export type RuleTerms = Pick<Rule, 'trigger' | 'when' | 'geofenceIds' | 'where' | 'repeatMinutes' | 'conditions'>;

const MINUTE_MS = 60_000;
/** Clocks change on the quarter hour. */
const QUARTER_MS = 15 * MINUTE_MS;

/** A zone's offset, which takes a while to find out, from memory for moments close together. */
function offsetsOf(zone: string): OffsetAt {
  const found = zoneNamed(zone);
  let known = Number.NaN;
  let offset = 0;
  return at => {
    const quarter = Math.floor(at / QUARTER_MS);
    if (quarter !== known) {
      known = quarter;
      offset = found?.offsetAt(epochMs(quarter * QUARTER_MS)) ?? 0;
    }
    return offset;
  };
}

/** The clocks of an account, and its days off. */
export interface AccountCalendar {
  readonly offsetAt: OffsetAt;
  readonly holidays: Holidays;
}

const DAY_MS = 24 * 60 * MINUTE_MS;

export const accountCalendar = ({ holidays, timeZone }: Pick<Settings, 'holidays' | 'timeZone'>): AccountCalendar => ({
  offsetAt: offsetsOf(timeZone),
  holidays: new Set(datesIn(holidays).map(date => Date.parse(date) / DAY_MS)),
});

/** What an account knows that rules look at. */
export interface RuleFacts {
  /** km/h, of the geofences that have a limit and are on. */
  readonly limits: ReadonlyMap<number, number>;
  /** The cards of all drivers. */
  readonly cards: ReadonlySet<string>;
  /** Those that a rule means. */
  readonly drivers: (asked: NonNullable<RuleConditions['drivers']>) => MeantDrivers;
}

export interface MeantDrivers {
  readonly ids: ReadonlySet<number>;
  readonly cards: ReadonlySet<string>;
}

export const NO_FACTS: RuleFacts = {
  limits: new Map(),
  cards: new Set(),
  drivers: () => ({ ids: new Set(), cards: new Set() }),
};

/** Whether who drives matters to a rule: their card is read only then. */
export const asksForDriver = ({ conditions, trigger: { kind } }: Pick<RuleTerms, 'conditions' | 'trigger'>): boolean =>
  kind === 'unidentified' || (conditions?.drivers ?? null) !== null;

/** A rule as it is watched, by the clocks of its account; for a vehicle with this usual driver. */
export function watchedRule(
  { conditions, geofenceIds, repeatMinutes, trigger, when, where }: RuleTerms,
  { holidays, offsetAt }: AccountCalendar,
  { id, since, version }: Pick<WatchedRule, 'id' | 'since' | 'version'>,
  facts: RuleFacts = NO_FACTS,
  usualDriverId: number | null = null,
): WatchedRule {
  const fences = geofenceIds && new Set(geofenceIds.map(Number));
  const watched = watchedTrigger(trigger, { holidays, offsetAt }, { facts, fences, usualDriverId });
  const isAboutFences = (GEOFENCE_TRIGGERS as readonly string[]).includes(trigger.kind);
  return {
    ...{ id, version, since, trigger: watched },
    fences,
    conditions: conditions && watchedConditions(conditions, facts, usualDriverId),
    where: isAboutFences || geofenceIds === null ? null : where,
    when: trigger.kind === 'absent' ? null : scheduleOf(when, { holidays, offsetAt }),
    repeat: repeatMinutes * MINUTE_MS,
  };
}

/** Null for always. */
export function scheduleOf(when: RuleWhen | null, { holidays, offsetAt }: AccountCalendar): Schedule | null {
  if (when === null) return null;
  const { days, from, is, to } = when;
  const times = { days: new Set(days), from: minuteOf(from), to: minuteOf(to), isOutside: is === 'outside' };
  return weeklySchedule(times, offsetAt, holidays);
}

function watchedConditions(
  { drivers, fromKmh, ignition }: RuleConditions,
  facts: RuleFacts,
  usualDriverId: number | null,
): WatchedConditions {
  const meant = drivers && facts.drivers(drivers);
  return {
    drivers: meant && { cards: meant.cards, isUsual: usualDriverId !== null && meant.ids.has(usualDriverId) },
    from: fromKmh === null ? null : fromKilometresPerHour(fromKmh),
    ignition: ignition === null ? null : ignition === 'on',
  };
}

interface Known {
  readonly facts: RuleFacts;
  readonly fences: ReadonlySet<number> | null;
  readonly usualDriverId: number | null;
}

function watchedTrigger(
  trigger: Rule['trigger'],
  { holidays, offsetAt }: AccountCalendar,
  { facts, fences, usualDriverId }: Known,
): WatchedTrigger {
  switch (trigger.kind) {
    case 'limit': {
      const over = [...facts.limits].flatMap(([id, kmh]) =>
        fences === null || fences.has(id) ? [[id, fromKilometresPerHour(kmh + trigger.overKmh)] as const] : [],
      );
      return { kind: 'limit', over: new Map(over), longer: trigger.seconds * 1000 };
    }
    case 'unidentified': {
      const longer = trigger.minutes * MINUTE_MS;
      return { kind: 'unidentified', cards: facts.cards, isKnown: usualDriverId !== null, longer };
    }
    case 'exit':
      return { kind: 'exit', away: trigger.minutes * MINUTE_MS };
    case 'stay':
    case 'idle':
      return { kind: trigger.kind, longer: trigger.minutes * MINUTE_MS };
    case 'speed':
      return { kind: 'speed', over: fromKilometresPerHour(trigger.kmh), longer: trigger.seconds * 1000 };
    case 'absent': {
      const [days, minute] = [new Set(trigger.days), minuteOf(trigger.at)];
      return { kind: 'absent', next: (after: EpochMs) => nextMoment(after, days, minute, offsetAt, holidays) };
    }
    case 'ignitionOn':
    case 'ignitionOff':
      return { kind: 'ignition', to: trigger.kind === 'ignitionOn' };
    case 'temperature': {
      const [min, max] = [trigger.min, trigger.max].map(limit => (limit === null ? null : celsius(limit)));
      return { kind: 'temperature', min: min ?? null, max: max ?? null, longer: trigger.minutes * MINUTE_MS };
    }
    case 'voltage':
      return { kind: 'voltage', below: volts(trigger.volts), longer: trigger.minutes * MINUTE_MS };
    case 'battery':
      return { kind: 'battery', below: percent(trigger.percent), longer: trigger.minutes * MINUTE_MS };
    case 'fuel':
      return { kind: 'fuel', lost: percent(trigger.percent) };
    case 'document':
    case 'subscription':
      throw new TypeError(`Rules about a ${trigger.kind} look at dates, not at positions`);
    default:
      return { kind: trigger.kind };
  }
}

/** Of `HH:MM`. */
const minuteOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

/** Whether two versions of a rule would alert of the same. */
export const isSameTerms = (one: RuleTerms, other: RuleTerms): boolean =>
  JSON.stringify(termsOf(one)) === JSON.stringify(termsOf(other));

const termsOf = ({ conditions, geofenceIds, repeatMinutes, trigger, when, where }: RuleTerms) => [
  conditions && [
    conditions.drivers && [conditions.drivers.driverIds.toSorted(), conditions.drivers.departmentIds.toSorted()],
    conditions.fromKmh,
    conditions.ignition,
  ],
  geofenceIds?.toSorted() ?? null,
  repeatMinutes,
  Object.entries(trigger).toSorted(([a], [b]) => a.localeCompare(b)),
  when && [when.days.toSorted(), when.from, when.to, when.is],
  where,
];
