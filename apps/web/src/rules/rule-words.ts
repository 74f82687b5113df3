import {
  GEOFENCE_TRIGGERS,
  type Geofence,
  type GeofenceVehicles,
  listDrivers,
  type NewRule,
  type RuleConditions,
  type RuleTriggerKind,
} from '@milepost/contract';
import { celsius } from '@milepost/units';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useAccountSettings } from '../base/account-settings.ts';
import { call } from '../base/api.ts';
import { useSession } from '../base/session/session.ts';
import { dateFormat, listOf, numberFormat } from '../format/locale.ts';
import { joined, type MeasureSystem, temperatureFigure, wireSpeedFigure } from '../format/measure.ts';
import { useMeasureSystem } from '../format/use-measure-system.ts';
import { useGeofences } from '../geofences/use-geofences.ts';
import { vehicleListQuery } from '../live/vehicle-list.ts';
import { DRIVERS_KEY } from '../organisation/driver-list.ts';
import { useOrganisation } from '../organisation/organisation.ts';
import { useMyUsers } from '../people/my-users.ts';

export type RuleLike = Omit<NewRule, 'name'>;

/** The parts of the sentence that can be changed. */
export const RULE_WORDS = [
  'vehicles',
  'trigger',
  'places',
  'duration',
  'speed',
  'over',
  'range',
  'level',
  'moment',
  'when',
  'conditions',
  'severity',
  'repeat',
  'people',
  'escalation',
] as const;
export type RuleWord = (typeof RULE_WORDS)[number];

export const isAboutGeofences = (kind: RuleTriggerKind): boolean =>
  (GEOFENCE_TRIGGERS as readonly RuleTriggerKind[]).includes(kind);

export type SentencePart = { readonly text: string } | { readonly word: RuleWord; readonly text: string };

interface Names {
  /** Whether the account has set any days off. */
  readonly hasHolidays: boolean;
  readonly geofences: readonly Geofence[] | undefined;
  readonly folder: (id: string) => string | undefined;
  readonly vehicle: (id: string) => string | undefined;
  readonly user: (id: string) => string | undefined;
  readonly driver: (id: string) => string | undefined;
  readonly department: (id: string) => string | undefined;
}

/** A rule as a sentence in parts, in the user's language and units. */
export function useRuleSentence(): (rule: RuleLike) => SentencePart[] {
  const { t } = useTranslation('rules');
  const system = useMeasureSystem();
  const { data: geofences } = useGeofences();
  const { data: vehicles } = useQuery(vehicleListQuery);
  const folders = useOrganisation(state => state.folders);
  const departments = useOrganisation(state => state.departments);
  const { data: drivers } = useQuery({ queryKey: DRIVERS_KEY, queryFn: () => call(listDrivers) });
  const users = useMyUsers(state => state.known);
  const me = useSession(state => state.me);
  const { holidays } = useAccountSettings();
  const names: Names = {
    hasHolidays: holidays !== '',
    geofences,
    folder: id => folders?.find(folder => folder.id === id)?.name,
    vehicle: id => vehicles?.find(vehicle => vehicle.id === id)?.deviceName,
    user: id => (me?.id === id ? me.displayName : users.find(user => user.id === id)?.displayName),
    driver: id => drivers?.find(driver => driver.id === id)?.name,
    department: id => departments?.find(department => department.id === id)?.name,
  };
  return rule => {
    const words = wordsOf(rule, names, system, t);
    const marked = Object.fromEntries(RULE_WORDS.map(word => [word, `\u0001${word}\u0001`])) as Record<
      RuleWord,
      string
    >;
    const whole = `${t(`sentence.${rule.trigger.kind}`, marked)} ${t('sentence.conditions', marked)} ${t('sentence.tail', marked)}`;
    return whole.split('\u0001').map((piece, nth) => {
      if (nth % 2 === 0) return { text: piece };
      const word = piece as RuleWord;
      return { word, text: words[word] };
    });
  };
}

export const sentenceText = (parts: readonly SentencePart[]): string => parts.map(({ text }) => text).join('');

type Translate = ReturnType<typeof useTranslation<'rules'>>['t'];

function wordsOf(rule: RuleLike, names: Names, system: MeasureSystem, t: Translate): Record<RuleWord, string> {
  const { trigger, geofenceIds = null, vehicles = null, when = null, where, mailTo = null, escalation = null } = rule;
  const first = (all: readonly string[], nameOf: (id: string) => string | undefined, none: string): string => {
    const [one] = all.map(id => nameOf(id) ?? t('word.gone'));
    if (one === undefined) return none;
    return all.length === 1 ? one : t('word.orMore', { name: one, count: all.length - 1 });
  };
  const places =
    geofenceIds === null
      ? t('word.anyGeofence')
      : first(geofenceIds, id => names.geofences?.find(one => one.id === id)?.name, t('word.noGeofence'));
  const placeWord =
    isAboutGeofences(trigger.kind) || geofenceIds !== null
      ? isAboutGeofences(trigger.kind)
        ? places
        : t(where === 'outside' ? 'word.outside' : 'word.inside', { places })
      : t('word.anywhere');
  const daysOff = (days: string): string => (names.hasHolidays ? t('days.holidays', { days }) : days);
  const minutes = 'minutes' in trigger ? trigger.minutes : 0;
  const duration =
    'seconds' in trigger
      ? trigger.seconds === 0
        ? t('word.anyTime')
        : t('word.moreSeconds', { count: trigger.seconds })
      : minutes === 0
        ? t('word.anyTime')
        : t('word.more', { duration: minutesText(minutes, t) });
  return {
    vehicles: vehiclesWord(vehicles, names, t),
    trigger: t(`trigger.${trigger.kind}`),
    places: placeWord,
    duration,
    speed: trigger.kind === 'speed' ? joined(wireSpeedFigure(trigger.kmh, system)) : '',
    over:
      trigger.kind !== 'limit'
        ? ''
        : trigger.overKmh === 0
          ? t('word.overLimit')
          : t('word.overLimitBy', { speed: joined(wireSpeedFigure(trigger.overKmh, system)) }),
    range: trigger.kind === 'temperature' ? rangeText(trigger, system, t) : '',
    level: levelText(trigger, t),
    moment:
      trigger.kind === 'absent' ? t('word.at', { time: trigger.at, days: daysOff(daysText(trigger.days, t)) }) : '',
    when:
      when === null
        ? t('word.always')
        : t(when.is === 'within' ? 'word.within' : 'word.without', {
            from: when.from,
            to: when.to,
            days: daysOff(daysText(when.days, t)),
          }),
    conditions: conditionsText(rule.conditions ?? null, names, system, t),
    severity: t(`severity.${rule.severity ?? 'warning'}`),
    repeat: rule.repeatMinutes
      ? t('word.repeat', { duration: minutesText(rule.repeatMinutes, t) })
      : t('word.eachTime'),
    people: peopleText(mailTo, t('word.asChosen'), names.user, t),
    escalation:
      escalation === null
        ? t('word.nobodyElse')
        : t('word.escalates', {
            duration: minutesText(escalation.minutes, t),
            people: peopleText(escalation.to, '', names.user, t),
          }),
  };
}

function conditionsText(conditions: RuleConditions | null, names: Names, system: MeasureSystem, t: Translate): string {
  if (conditions === null) return t('word.noConditions');
  const { drivers, fromKmh, ignition } = conditions;
  const who = drivers && [
    ...drivers.departmentIds.map(id => t('word.ofDepartment', { name: names.department(id) ?? t('word.gone') })),
    ...drivers.driverIds.map(id => names.driver(id) ?? t('word.gone')),
  ];
  const [one, ...others] = who ?? [];
  const name = others.length === 0 ? one : t('word.orMore', { name: one, count: others.length });
  const parts = [
    who && t('word.ifDriver', { name: name ?? '…' }),
    fromKmh !== null && t('word.ifSpeed', { speed: joined(wireSpeedFigure(fromKmh, system)) }),
    ignition !== null && t(ignition === 'on' ? 'word.ifOn' : 'word.ifOff'),
  ];
  return listOf(parts.filter(part => typeof part === 'string'));
}

/** Users by name; `none` if no list of people is set. */
function peopleText(ids: readonly string[] | null, none: string, nameOf: Names['user'], t: Translate): string {
  if (ids === null) return none;
  const [one, ...others] = ids;
  if (one === undefined) return t('word.nobody');
  const name = nameOf(one) ?? t('word.someone');
  return others.length === 0 ? name : t('word.andMore', { name, count: others.length });
}

export function usePeopleWords(): (ids: readonly string[] | null, none: string) => string {
  const { t } = useTranslation('rules');
  const users = useMyUsers(state => state.known);
  const me = useSession(state => state.me);
  const nameOf = (id: string) => (me?.id === id ? me.displayName : users.find(user => user.id === id)?.displayName);
  return (ids, none) => peopleText(ids, none, nameOf, t);
}

type Trigger = RuleLike['trigger'];

function rangeText({ max, min }: Trigger & { kind: 'temperature' }, system: MeasureSystem, t: Translate): string {
  const [coldest, warmest] = [min, max].map(limit =>
    limit === null || !Number.isFinite(limit) ? null : joined(temperatureFigure(celsius(limit), system)),
  );
  if (coldest && warmest) return t('word.outOf', { coldest, warmest });
  if (warmest) return t('word.warmer', { warmest });
  return coldest ? t('word.colder', { coldest }) : t('word.anyTemperature');
}

/** A limit in percent or volts. */
function levelText(trigger: Trigger, t: Translate): string {
  const figure = (value: number): string => numberFormat({ maximumFractionDigits: 1 }).format(value);
  if (trigger.kind === 'voltage') return t('word.volts', { value: figure(trigger.volts) });
  return 'percent' in trigger ? t('word.percent', { value: figure(trigger.percent) }) : '';
}

function vehiclesWord(vehicles: GeofenceVehicles | null, names: Names, t: Translate): string {
  if (vehicles === null) return t('word.anyVehicle');
  const all = [
    ...vehicles.folderIds.map(id => t('word.ofFolder', { name: names.folder(id) ?? t('word.gone') })),
    ...vehicles.deviceIds.map(id => names.vehicle(id) ?? t('word.gone')),
  ];
  const [one] = all;
  if (one === undefined) return t('word.noVehicle');
  return all.length === 1 ? one : t('word.orMore', { name: one, count: all.length - 1 });
}

/** `40 min`, `2 h`, `1 h 30 min`, `3 d`. */
export function minutesText(minutes: number, t: Translate): string {
  const [days, hours, left] = [Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60), minutes % 60];
  const parts = [
    days > 0 && t('unit.days', { days }),
    hours > 0 && t('unit.hours', { hours }),
    left > 0 && t('unit.minutes', { minutes: left }),
  ];
  return parts.filter(Boolean).join(' ');
}

const MONDAY = Date.UTC(2026, 0, 5);
/** 1 is Monday, 7 is Sunday. */
export const weekdayName = (day: number, length: 'short' | 'long' = 'short'): string =>
  dateFormat({ weekday: length, timeZone: 'UTC' }).format(MONDAY + (day - 1) * 86_400_000);

function daysText(days: readonly number[], t: Translate): string {
  const sorted = days.toSorted((a, b) => a - b).join('');
  if (sorted === '1234567') return t('days.every');
  if (sorted === '12345') return t('days.weekdays');
  if (sorted === '67') return t('days.weekends');
  return t('days.on', { days: listOf(days.toSorted((a, b) => a - b).map(day => weekdayName(day))) });
}
