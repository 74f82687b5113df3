import { type BuiltInRule, isAboutVehicle, isReported } from '../routes/built-in-rules.ts';
import type { GeofenceVehicles } from '../routes/geofences.ts';
import type { NewRule } from '../routes/rules.ts';
import { casesOf, type RuleCase, type RuleWhen } from '../rule-conditions.ts';
import { GEOFENCE_TRIGGERS, isAboutOthers, isDated, type RuleTriggerKind } from '../rule-trigger.ts';
import {
  counted,
  filled,
  listText,
  minutesText,
  numberIn,
  type RuleReader,
  shortDistanceText,
  speedText,
  temperatureText,
  weekdayName,
} from './in-language.ts';
import { RULE_TEXTS } from './texts.ts';

/** All of a rule that its sentence says. */
export type RuleLike = Omit<NewRule, 'name'>;

/** The parts of the sentence that can be changed. */
export const RULE_WORDS = [
  'vehicles',
  'trigger',
  'places',
  'duration',
  'distance',
  'others',
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

export type SentencePart = { readonly text: string } | { readonly word: RuleWord; readonly text: string };

/** Names by ID, as far as the reader may know them; undefined for what is gone, or a user whom they don't see. */
export interface RuleNames {
  /** Whether the account has set any days off. */
  readonly hasHolidays: boolean;
  readonly geofence: (id: string) => string | undefined;
  readonly folder: (id: string) => string | undefined;
  readonly vehicle: (id: string) => string | undefined;
  readonly user: (id: string) => string | undefined;
  readonly driver: (id: string) => string | undefined;
  readonly department: (id: string) => string | undefined;
}

export const isAboutGeofences = (kind: RuleTriggerKind): boolean =>
  (GEOFENCE_TRIGGERS as readonly RuleTriggerKind[]).includes(kind);

/** A rule as a sentence in parts, in the reader's language and units: the same on every page, in emails and the audit log. */
export function ruleSentence(rule: RuleLike, names: RuleNames, reader: RuleReader): SentencePart[] {
  const { sentence } = RULE_TEXTS[reader.language];
  const conditions = isDated(rule.trigger.kind) ? '' : `${sentence.conditions} `;
  return partsOf(`${sentence[rule.trigger.kind]} ${conditions}${sentence.tail}`, rule, names, reader);
}

/** What a rule waits for, without what it does then. */
export function ruleCondition(rule: RuleLike, names: RuleNames, reader: RuleReader): string {
  const { sentence } = RULE_TEXTS[reader.language];
  const hasMore = rule.conditions !== null && rule.conditions !== undefined;
  const text = sentence[rule.trigger.kind] + (hasMore ? ` ${sentence.conditions}` : '');
  return sentenceText(partsOf(text, rule, names, reader)).replace(/,$/, '.');
}

/** What an account can change about a built-in alert. */
export type BuiltInLike = Pick<
  BuiltInRule,
  'kind' | 'severity' | 'vehicles' | 'when' | 'mailTo' | 'escalation' | 'minutes'
> &
  // Sentences of earlier versions are kept without them.
  Partial<Pick<BuiltInRule, 'conditions' | 'repeatMinutes'>>;

/** A built-in alert as a sentence; `what` is its name in the reader's language. */
export function builtInSentence(rule: BuiltInLike, what: string, names: RuleNames, reader: RuleReader): SentencePart[] {
  const { builtIn, sentence } = RULE_TEXTS[reader.language];
  const { conditions = null, kind, mailTo, minutes, repeatMinutes = 0, severity, vehicles, when } = rule;
  const known: Readonly<Record<string, string>> = builtIn;
  const text = [
    filledWith(known[kind] ?? builtIn.tracker, { what }),
    kind === 'secondPerson' || !isAboutVehicle(kind) ? '' : sentence.conditions,
    isReported(kind) ? sentence.tail : builtIn.tail,
  ];
  const like: RuleLike = {
    ...{ severity, vehicles, when, conditions, repeatMinutes, mailTo, escalation: rule.escalation },
    trigger: { kind: 'stay', minutes: minutes ?? 0 },
  };
  const words = {
    ...wordsOf(like, names, reader),
    people: peopleText(mailTo, builtIn.asChosen, names.user, reader),
  };
  return split(text.filter(Boolean).join(' '), words);
}

export const sentenceText = (parts: readonly SentencePart[]): string => parts.map(({ text }) => text).join('');

function partsOf(sentence: string, rule: RuleLike, names: RuleNames, reader: RuleReader): SentencePart[] {
  return split(sentence, wordsOf(rule, names, reader));
}

function split(sentence: string, words: Readonly<Record<RuleWord, string>>): SentencePart[] {
  return sentence.split(/\{\{(\w+)\}\}/).map((piece, nth) => {
    if (nth % 2 === 0) return { text: piece };
    const word = piece as RuleWord;
    return { word, text: words[word] };
  });
}

function wordsOf(rule: RuleLike, names: RuleNames, reader: RuleReader): Record<RuleWord, string> {
  const { trigger, geofenceIds = null, vehicles = null, when = null, where, mailTo = null, escalation = null } = rule;
  const texts = RULE_TEXTS[reader.language];
  const { word } = texts;
  const places =
    trigger.kind === 'order' && geofenceIds !== null && geofenceIds.length > 0
      ? geofenceIds.map(id => names.geofence(id) ?? word.gone).join(' → ')
      : geofenceIds === null
        ? word.anyGeofence
        : firstOf(
            geofenceIds.map(id => names.geofence(id) ?? word.gone),
            word.noGeofence,
            reader,
          );
  const isAbout = isAboutGeofences(trigger.kind);
  const minutes = 'minutes' in trigger ? trigger.minutes : 0;
  const speed = (kmh: number): string => speedText(kmh, reader);
  return {
    vehicles: vehiclesWord(vehicles, names, reader),
    trigger: texts.trigger[trigger.kind],
    places: isAbout
      ? places
      : geofenceIds === null
        ? word.anywhere
        : filled(where === 'outside' ? word.outside : word.inside, { places }),
    duration:
      'seconds' in trigger
        ? trigger.seconds === 0
          ? word.anyTime
          : counted(word.moreSeconds, trigger.seconds, reader)
        : minutes === 0
          ? word.anyTime
          : filled(word.more, { duration: minutesText(minutes, texts) }),
    speed: trigger.kind === 'speed' ? speed(trigger.kmh) : '',
    over:
      trigger.kind !== 'limit' && trigger.kind !== 'vehicleLimit'
        ? ''
        : trigger.overKmh === 0
          ? word.overLimit
          : filled(word.overLimitBy, { speed: speed(trigger.overKmh) }),
    distance: 'meters' in trigger ? shortDistanceText(trigger.meters, reader) : '',
    others: isAboutOthers(trigger)
      ? vehiclesWord({ folderIds: trigger.otherFolderIds ?? [], deviceIds: trigger.otherIds ?? [] }, names, reader)
      : '',
    range: trigger.kind === 'temperature' ? rangeText(trigger, reader) : '',
    level: levelText(trigger, reader),
    moment:
      'withinDays' in trigger
        ? counted(word.withinDays, trigger.withinDays, reader)
        : trigger.kind === 'absent'
          ? filled(word.at, { time: trigger.at, days: daysText(trigger.days, names, reader) })
          : '',
    when: when === null ? word.always : whenText(when, names, reader),
    conditions: conditionsText(rule.conditions, names, reader),
    severity: texts.severity[rule.severity ?? 'warning'],
    repeat: rule.repeatMinutes
      ? filled(word.repeat, { duration: minutesText(rule.repeatMinutes, texts) })
      : word.eachTime,
    people: peopleText(mailTo, word.asChosen, names.user, reader),
    escalation:
      escalation === null
        ? rule.severity === 'critical'
          ? word.owners
          : word.nobodyElse
        : filled(word.escalates, {
            duration: minutesText(escalation.minutes, texts),
            people: peopleText(escalation.to, '', names.user, reader),
          }),
  };
}

/** The first name, and how many others. */
function firstOf(all: readonly string[], none: string, reader: Pick<RuleReader, 'language'>): string {
  const [name, ...others] = all;
  if (name === undefined) return none;
  if (others.length === 0) return name;
  return counted(RULE_TEXTS[reader.language].word.orMore, others.length, reader, { name });
}

/** Each case a list of all that must be true, with “or” between them. */
function conditionsText(conditions: RuleLike['conditions'], names: RuleNames, reader: RuleReader): string {
  const { word } = RULE_TEXTS[reader.language];
  if (!conditions) return word.noConditions;
  return casesOf<Partial<RuleCase>>(conditions)
    .map(one => caseText(one, names, reader))
    .reduce((one, other) => filled(word.or, { one, other }));
}

function caseText(
  { drivers, fromKmh, ignition, minutes, places, vehicles, when }: Partial<RuleCase>,
  names: RuleNames,
  reader: RuleReader,
): string {
  const texts = RULE_TEXTS[reader.language];
  const { word } = texts;
  const who = drivers && [
    ...drivers.departmentIds.map(id => filled(word.ofDepartment, { name: names.department(id) ?? word.gone })),
    ...drivers.driverIds.map(id => names.driver(id) ?? word.gone),
  ];
  const parts = [
    vehicles && filled(word.ifVehicle, { vehicles: vehiclesWord(vehicles, names, reader) }),
    who && filled(word.ifDriver, { name: firstOf(who, '…', reader) }),
    fromKmh != null && filled(word.ifSpeed, { speed: speedText(fromKmh, reader) }),
    ignition && (ignition === 'on' ? word.ifOn : word.ifOff),
    places &&
      filled(places.is === 'inside' ? word.inside : word.outside, {
        places: firstOf(
          places.geofenceIds.map(id => names.geofence(id) ?? word.gone),
          word.noGeofence,
          reader,
        ),
      }),
    when && whenText(when, names, reader),
    minutes != null && filled(word.ifLonger, { duration: minutesText(minutes, texts) }),
  ];
  return listText(
    parts.filter(part => typeof part === 'string'),
    reader.language,
  );
}

/** Users by name; `none` if no list of people is set. */
export function peopleText(
  ids: readonly string[] | null,
  none: string,
  nameOf: RuleNames['user'],
  reader: Pick<RuleReader, 'language'>,
): string {
  const { word } = RULE_TEXTS[reader.language];
  if (ids === null) return none;
  const [one, ...others] = ids;
  if (one === undefined) return word.nobody;
  const name = nameOf(one) ?? word.someone;
  return others.length === 0 ? name : counted(word.andMore, others.length, reader, { name });
}

type Trigger = RuleLike['trigger'];

function rangeText({ max, min }: Trigger & { kind: 'temperature' }, reader: RuleReader): string {
  const { word } = RULE_TEXTS[reader.language];
  const [coldest, warmest] = [min, max].map(limit =>
    limit === null || !Number.isFinite(limit) ? null : temperatureText(limit, reader),
  );
  if (coldest && warmest) return filled(word.outOf, { coldest, warmest });
  if (warmest) return filled(word.warmer, { warmest });
  return coldest ? filled(word.colder, { coldest }) : word.anyTemperature;
}

/** A limit in percent or volts. */
function levelText(trigger: Trigger, { language }: RuleReader): string {
  const { word } = RULE_TEXTS[language];
  const figure = (value: number): string => numberIn(language, 0, 1).format(value);
  if (trigger.kind === 'voltage') return filled(word.volts, { value: figure(trigger.volts) });
  return 'percent' in trigger ? filled(word.percent, { value: figure(trigger.percent) }) : '';
}

function vehiclesWord(vehicles: GeofenceVehicles | null, names: RuleNames, reader: RuleReader): string {
  const { word } = RULE_TEXTS[reader.language];
  if (vehicles === null) return word.anyVehicle;
  const all = [
    ...vehicles.folderIds.map(id => filled(word.ofFolder, { name: names.folder(id) ?? word.gone })),
    ...vehicles.deviceIds.map(id => names.vehicle(id) ?? word.gone),
  ];
  return firstOf(all, word.noVehicle, reader);
}

function whenText({ days, from, is, to }: RuleWhen, names: RuleNames, reader: RuleReader): string {
  const { word } = RULE_TEXTS[reader.language];
  return filled(is === 'within' ? word.within : word.without, { from, to, days: daysText(days, names, reader) });
}

function daysText(days: readonly number[], { hasHolidays }: RuleNames, reader: RuleReader): string {
  const named = namedDays(days, reader);
  return hasHolidays ? filled(RULE_TEXTS[reader.language].days.holidays, { days: named }) : named;
}

function namedDays(days: readonly number[], { language }: RuleReader): string {
  const texts = RULE_TEXTS[language].days;
  const sorted = days.toSorted((a, b) => a - b);
  const all = sorted.join('');
  if (all === '1234567') return texts.every;
  if (all === '12345') return texts.weekdays;
  if (all === '67') return texts.weekends;
  const named = sorted.map(day => weekdayName(day, language));
  return filled(texts.on, { days: listText(named, language) });
}

/** Fills in these, and leaves the others. */
const filledWith = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\{\{(\w+)\}\}/g, (whole, name: string) => values[name] ?? whole);
