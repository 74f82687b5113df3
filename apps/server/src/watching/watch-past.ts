import type { GeofenceShape, Rule, RuleTriggerKind, Settings } from '@milepost/contract';
import {
  compileFence,
  FenceIndex,
  isNearRule,
  type Past,
  PastWatcher,
  type RuleEvent,
  type WatchedRule,
  watchNearPast,
} from '@milepost/geo';
import { epochMs } from '@milepost/units';
import { type Measured, pastOfRows, pastOfTrack } from '../tracks/past-day.ts';
import { daysOfRows, type PastBytes, type PastSpan } from '../tracks/span-bytes.ts';
import { toFenceShape } from './fence-shape.ts';
import { PlainCrossings } from './plain-crossings.ts';
import {
  type AccountCalendar,
  accountCalendar,
  asksForDriver,
  NO_FACTS,
  type RuleFacts,
  type RuleTerms,
  type VehicleFacts,
  watchedRule,
} from './watched.ts';

/** The rule as it is, then those with other durations; and without waiting. */
export const AS_IT_IS = 0;
export const PLAIN = -1;

/** What is the same for all vehicles of a test. */
export interface PastTest {
  readonly rule: RuleTerms;
  readonly variants: readonly number[];
  readonly fences: readonly {
    readonly id: number;
    readonly shape: GeofenceShape;
    readonly buffer: number;
    readonly minFixes: number;
    readonly minDuration: number;
  }[];
  readonly clocks: Pick<Settings, 'holidays' | 'timeZone'>;
  /** km/h, by geofence. */
  readonly limits: readonly (readonly [id: number, kmh: number])[];
  /** The cards of all drivers, if the rule asks who drives. */
  readonly cards: readonly string[];
  /** The drivers that its conditions mean, by what they ask for as JSON. */
  readonly meant: readonly (readonly [
    asked: string,
    meant: { readonly ids: readonly number[]; readonly cards: readonly string[] },
  ])[];
  /** The vehicles that it compares distances with, those in folders among them. */
  readonly others: readonly number[];
  /** The test's first moment, and the first one after it. */
  readonly span: PastSpan;
}

export interface PastInput {
  /** A `PastTest` as JSON: the same text is read once. */
  readonly test: string;
  readonly past: PastBytes;
  readonly vehicle: VehicleFacts;
  /** Vehicles that the rule compares distances with. */
  readonly others: readonly { readonly id: number; readonly past: PastBytes }[];
  /** Where the fixes begin: a day earlier, so that it is known how the period began. */
  readonly fromMs: number;
}

export interface PastFound {
  readonly events: readonly RuleEvent[];
  /** When each fix alone would have alerted, or the rule without waiting. */
  readonly plain: readonly number[];
  /** Those of the period, without the day before it. */
  readonly positions: number;
}

interface Ready {
  readonly test: PastTest;
  readonly fences: FenceIndex;
  readonly rules: (vehicle: VehicleFacts) => readonly WatchedRule[];
}

/** What rules look at beside place, speed and ignition. */
const MEASURED_BY: Partial<Record<RuleTriggerKind, Measured>> = {
  temperature: 'temperature',
  fuel: 'fuel',
  voltage: 'supply',
  battery: 'battery',
};

/** Columns to read for a rule. */
export const measuredBy = (rule: Pick<RuleTerms, 'conditions' | 'trigger'>): Measured[] => [
  ...(MEASURED_BY[rule.trigger.kind] ? [MEASURED_BY[rule.trigger.kind] as Measured] : []),
  ...(asksForDriver(rule) ? (['card'] as const) : []),
];

/** Tests that go on at the same time, and the calls of each. */
const KEPT = 4;
const ready = new Map<string, Ready>();

function prepared(text: string): Ready {
  const known = ready.get(text);
  if (known) return known;
  const test = JSON.parse(text) as PastTest;
  const fences = new FenceIndex(
    test.fences.map(({ id, shape, ...edge }) => ({ id, area: compileFence(toFenceShape(shape)), edge })),
  );
  const calendar = accountCalendar(test.clocks);
  const rules = (vehicle: VehicleFacts) => settingsOf(test, calendar, vehicle);
  const made = { test, fences, rules };
  ready.set(text, made);
  for (const first of ready.keys()) if (ready.size > KEPT) ready.delete(first);
  return made;
}

/** What a rule, and its variants, would have alerted about one vehicle: the same as live, to the millisecond. */
export function watchPast({ fromMs, others, past, test: text, vehicle }: PastInput): PastFound {
  const { fences, rules: rulesFor, test } = prepared(text);
  const rules = rulesFor(vehicle);
  const { rule, span } = test;
  const plain: number[] = [];
  const note = (at: number): void => {
    if (at >= span.fromMs) plain.push(at);
  };
  const asked = isAboutFences(rule) ? new PlainCrossings(fences, rules[0] as WatchedRule, note) : null;
  const watcher = new PastWatcher(fences, rules, asked);
  // How exact a fix is matters at edges, and to the distance of others.
  const measured: Measured[] = [
    ...measuredBy(rule),
    ...(fences.size > 0 || rules.some(isNearRule) ? (['hdop'] as const) : []),
  ];
  const whole = { fromMs, beforeMs: span.beforeMs };
  const days = daysOf(past, whole, measured);
  const events: RuleEvent[] = [];
  let positions = 0;
  for (const day of days) {
    for (const event of watcher.take(day)) events.push(event);
    if (day.lastAt < span.fromMs) continue;
    if (day.lastAt - span.fromMs >= DAY_MS) positions += day.count;
    else for (let i = 0; i < day.count; i++) positions += Number((day.column('time')[i] as number) >= span.fromMs);
  }
  for (const event of watcher.passTime(epochMs(span.beforeMs))) events.push(event);
  const nearRules = rules.filter(isNearRule);
  if (nearRules.length > 0) {
    const pasts = new Map(others.map(({ id, past: bytes }) => [id, daysOf(bytes, whole, measured)]));
    const near = watchNearPast(nearRules, fences, { own: days, others: pasts, fromMs, toMs: span.beforeMs });
    for (const event of near) events.push(event);
  }
  for (const { at, ruleId, what } of events) if (ruleId === PLAIN && what === 'alert') plain.push(at);
  return { events, plain, positions };
}

const daysOf = (past: PastBytes, whole: PastSpan, measured: Measured[]): Past[] =>
  [
    ...past.tracks.map(track => pastOfTrack(track, whole, measured)),
    ...(past.rows ? daysOfRows(past.rows, past.cards).map(pastOfRows) : []),
  ].toSorted((a, b) => a.lastAt - b.lastAt);

const DAY_MS = 24 * 3_600_000;

/** The rule as it is, and its variants, each under the number of its setting. */
function settingsOf(test: PastTest, clocks: AccountCalendar, vehicle: VehicleFacts): WatchedRule[] {
  const { rule, span, variants } = test;
  const meant = new Map(
    test.meant.map(([asked, { cards, ids }]) => [asked, { ids: new Set(ids), cards: new Set(cards) }]),
  );
  const facts: RuleFacts = {
    limits: new Map(test.limits),
    cards: new Set(test.cards),
    drivers: asked => meant.get(JSON.stringify(asked)) ?? NO_FACTS.drivers(asked),
    vehiclesIn: () => test.others,
  };
  const watched = (id: number, terms: RuleTerms): WatchedRule =>
    watchedRule(terms, clocks, { id, version: 1, since: epochMs(span.fromMs) }, facts, vehicle);
  const asItIs = watched(AS_IT_IS, rule);
  // The same times: they are looked up once for all of them.
  const { when } = asItIs;
  const others = variants.flatMap((duration, nth) => {
    const trigger = lasting(rule.trigger, duration);
    return trigger ? [{ ...watched(nth + 1, { ...rule, trigger }), when }] : [];
  });
  const plain = lasting(rule.trigger, 0);
  return [
    asItIs,
    ...others,
    ...(plain && !isAboutFences(rule)
      ? [{ ...watched(PLAIN, { ...rule, trigger: plain, repeatMinutes: 0 }), when }]
      : []),
  ];
}

/** The trigger with another duration, in minutes, or seconds for speed; null if it has none. */
function lasting(trigger: Rule['trigger'], duration: number): Rule['trigger'] | null {
  if ('seconds' in trigger) return { ...trigger, seconds: duration };
  return 'minutes' in trigger ? { ...trigger, minutes: duration } : null;
}

const isAboutFences = ({ trigger: { kind } }: Pick<RuleTerms, 'trigger'>): boolean =>
  kind === 'enter' || kind === 'exit' || kind === 'cross' || kind === 'stay';
