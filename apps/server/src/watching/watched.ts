import {
  casesOf,
  datesIn,
  GEOFENCE_TRIGGERS,
  isAboutOthers,
  type Rule,
  type RuleCase,
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
/** Six weeks. */
const QUARTERS_KEPT = 4032;

/** A zone's offset, which takes a while to find out, from memory: tests go through the same weeks for each vehicle. */
function offsetsOf(zone: string): OffsetAt {
  const found = zoneNamed(zone);
  const offsets = new Map<number, number>();
  let known = Number.NaN;
  let offset = 0;
  return at => {
    const quarter = Math.floor(at / QUARTER_MS);
    if (quarter === known) return offset;
    known = quarter;
    offset = offsets.get(quarter) ?? found?.offsetAt(epochMs(quarter * QUARTER_MS)) ?? 0;
    if (offsets.size >= QUARTERS_KEPT) offsets.clear();
    offsets.set(quarter, offset);
    return offset;
  };
}

/** The clocks of an account, and its days off. */
export interface AccountCalendar {
  readonly offsetAt: OffsetAt;
  readonly holidays: Holidays;
}

/** What rules look at of a vehicle besides its fixes. */
export interface VehicleFacts {
  readonly id: number;
  /** The folder that it is in, and those around it. */
  readonly folders: readonly number[];
  readonly usualDriverId: number | null;
  /** Who was signed in to it, in the order of time; epoch milliseconds. */
  readonly signedIn: readonly { readonly driverId: number; readonly fromMs: number; readonly toMs: number }[];
  /** km/h. */
  readonly speedLimitKmh: number | null;
}

const NO_VEHICLE_FACTS: VehicleFacts = {
  ...{ id: 0, folders: [], usualDriverId: null, signedIn: [], speedLimitKmh: null },
};

/** Whether a rule is watched differently for each vehicle. */
export const isOfVehicle = (rule: Pick<RuleTerms, 'conditions' | 'trigger'>): boolean =>
  rule.trigger.kind === 'vehicleLimit' ||
  isAboutOthers(rule.trigger) ||
  asksForDriver(rule) ||
  casesOf(rule.conditions).some(({ vehicles }) => vehicles !== null);

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
  readonly drivers: (asked: AskedDrivers) => MeantDrivers;
  /** Every vehicle that is in one of these folders, or inside one of them, now. */
  readonly vehiclesIn: (folderIds: readonly string[]) => Iterable<number>;
}

export type AskedDrivers = NonNullable<RuleCase['drivers']>;

export interface MeantDrivers {
  readonly ids: ReadonlySet<number>;
  readonly cards: ReadonlySet<string>;
}

export const NO_FACTS: RuleFacts = {
  limits: new Map(),
  cards: new Set(),
  drivers: () => ({ ids: new Set(), cards: new Set() }),
  vehiclesIn: () => [],
};

/** The vehicles that a rule compares each of its own with, as folders are now. */
export const othersOf = (trigger: Rule['trigger'], { vehiclesIn }: Pick<RuleFacts, 'vehiclesIn'>): Set<number> =>
  isAboutOthers(trigger)
    ? new Set([...trigger.otherIds.map(Number), ...vehiclesIn(trigger.otherFolderIds)])
    : new Set();

/** Whether who drives matters to a rule: their card is read only then. */
export const asksForDriver = ({ conditions, trigger: { kind } }: Pick<RuleTerms, 'conditions' | 'trigger'>): boolean =>
  kind === 'unidentified' || casesOf(conditions).some(({ drivers }) => drivers !== null);

/** The geofences that a rule's conditions name. */
export const conditionPlaces = ({ conditions }: Pick<RuleTerms, 'conditions'>): string[] =>
  casesOf(conditions).flatMap(({ places }) => places?.geofenceIds ?? []);

/** A rule as it is watched, by the clocks of its account, for a vehicle. */
export function watchedRule(
  { conditions, geofenceIds, repeatMinutes, trigger, when, where }: RuleTerms,
  { holidays, offsetAt }: AccountCalendar,
  { id, since, version }: Pick<WatchedRule, 'id' | 'since' | 'version'>,
  facts: RuleFacts = NO_FACTS,
  vehicle: VehicleFacts = NO_VEHICLE_FACTS,
): WatchedRule {
  const fences = geofenceIds && new Set(geofenceIds.map(Number));
  const watched = watchedTrigger(trigger, { holidays, offsetAt }, { facts, fences, vehicle });
  const isAboutFences = (GEOFENCE_TRIGGERS as readonly string[]).includes(trigger.kind);
  return {
    ...{ id, version, since, trigger: watched },
    fences,
    conditions:
      conditions &&
      casesOf(conditions)
        .filter(each => isFor(each.vehicles, vehicle))
        .map(each => watchedCase(each, { holidays, offsetAt }, facts, vehicle)),
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

const isFor = (vehicles: RuleCase['vehicles'], { folders, id }: VehicleFacts): boolean =>
  vehicles === null ||
  vehicles.deviceIds.includes(String(id)) ||
  vehicles.folderIds.some(folder => folders.includes(Number(folder)));

const signedInAt = ({ signedIn }: VehicleFacts, atMs: number): number | null =>
  signedIn.findLast(({ fromMs, toMs }) => fromMs <= atMs && atMs < toMs)?.driverId ?? null;

function watchedCase(
  { drivers, fromKmh, ignition, minutes, places, when }: RuleCase,
  calendar: AccountCalendar,
  facts: RuleFacts,
  vehicle: VehicleFacts,
): WatchedConditions {
  const meant = drivers && facts.drivers(drivers);
  const { usualDriverId } = vehicle;
  return {
    drivers: meant && {
      ...{ cards: meant.cards, isUsual: usualDriverId !== null && meant.ids.has(usualDriverId) },
      isSignedIn: at => {
        const seat = signedInAt(vehicle, at);
        return seat === null ? null : meant.ids.has(seat);
      },
    },
    from: fromKmh === null ? null : fromKilometresPerHour(fromKmh),
    ignition: ignition === null ? null : ignition === 'on',
    when: scheduleOf(when, calendar),
    places: places && { is: places.is, fences: new Set(places.geofenceIds.map(Number)) },
    longer: (minutes ?? 0) * MINUTE_MS,
  };
}

interface Known {
  readonly facts: RuleFacts;
  readonly fences: ReadonlySet<number> | null;
  readonly vehicle: VehicleFacts;
}

function watchedTrigger(
  trigger: Rule['trigger'],
  { holidays, offsetAt }: AccountCalendar,
  { facts, fences, vehicle }: Known,
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
      const isSignedIn = (at: number): boolean => signedInAt(vehicle, at) !== null;
      return { kind: 'unidentified', cards: facts.cards, isKnown: vehicle.usualDriverId !== null, isSignedIn, longer };
    }
    case 'order':
      return { kind: 'order', stops: [...(fences ?? [])] };
    case 'vehicleLimit': {
      const limit = vehicle.speedLimitKmh ?? Number.POSITIVE_INFINITY;
      return { kind: 'speed', over: fromKilometresPerHour(limit + trigger.overKmh), longer: trigger.seconds * 1000 };
    }
    case 'near':
    case 'apart': {
      const others = othersOf(trigger, facts);
      others.delete(vehicle.id);
      return { kind: trigger.kind, meters: trigger.meters, others, longer: trigger.minutes * MINUTE_MS };
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
    case 'driverDocument':
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
  casesOf(conditions).map(({ drivers, fromKmh, ignition, minutes, places, vehicles, when: times }) => [
    drivers && [drivers.driverIds.toSorted(), drivers.departmentIds.toSorted()],
    ...[fromKmh, ignition, minutes, timesOf(times)],
    places && [places.is, places.geofenceIds.toSorted()],
    vehicles && [vehicles.deviceIds.toSorted(), vehicles.folderIds.toSorted()],
  ]),
  trigger.kind === 'order' ? geofenceIds : (geofenceIds?.toSorted() ?? null),
  repeatMinutes,
  Object.entries(trigger)
    .map(([name, value]) => [name, Array.isArray(value) ? value.toSorted() : value] as const)
    .toSorted(([a], [b]) => a.localeCompare(b)),
  timesOf(when),
  where,
];

const timesOf = (when: RuleWhen | null) => when && [when.days.toSorted(), when.from, when.to, when.is];
