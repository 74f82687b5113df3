import {
  type GeofenceVehicles,
  isAboutOthers,
  isDated,
  type NewRule,
  type Rule,
  type RuleTrigger,
  type RuleTriggerKind,
  type Severity,
} from '@milepost/contract';
import { celsius, fromFahrenheit, toFahrenheit } from '@milepost/units';
import type { MeasureSystem } from '../../format/measure.ts';
import { metersPerUnit, typedNumber, typedText } from '../../format/typed.ts';
import { type CaseValues, caseValuesOf, conditionsOf, kmhOf, speedText } from './case-form.ts';

export const EVERY_DAY: readonly number[] = [1, 2, 3, 4, 5, 6, 7];

/** The sentence's fields, named as in the contract's messages. */
export interface RuleValues {
  readonly name: string;
  readonly isOn: boolean;
  readonly severity: Severity;
  readonly kind: RuleTriggerKind;
  readonly 'trigger.minutes': string;
  readonly 'trigger.seconds': string;
  /** In the user's unit. */
  readonly 'trigger.kmh': string;
  readonly 'trigger.overKmh': string;
  /** In the user's unit; empty: no limit. */
  readonly 'trigger.min': string;
  readonly 'trigger.max': string;
  /** In meters, or feet. */
  readonly 'trigger.meters': string;
  readonly 'trigger.otherIds': readonly string[];
  readonly 'trigger.otherFolderIds': readonly string[];
  readonly 'trigger.percent': string;
  readonly 'trigger.volts': string;
  readonly 'trigger.withinDays': string;
  readonly 'trigger.at': string;
  readonly 'trigger.days': readonly number[];
  readonly geofenceIds: readonly string[] | null;
  readonly where: 'inside' | 'outside';
  readonly vehicles: GeofenceVehicles | null;
  readonly when: 'always' | 'within' | 'outside';
  readonly 'when.days': readonly number[];
  readonly 'when.from': string;
  readonly 'when.to': string;
  /** One or more, of which one is enough. */
  readonly conditions: readonly CaseValues[];
  readonly repeatMinutes: string;
  readonly action: string;
  readonly needsNote: boolean;
  readonly message: string;
  readonly mailTo: readonly string[] | null;
  readonly pushTo: readonly string[] | null;
  readonly webhookIds: readonly string[] | null;
  /** Empty: nobody. */
  readonly ownerId: string;
  /** Null: nobody else. */
  readonly 'escalation.to': readonly string[] | null;
  readonly 'escalation.minutes': string;
}

const defaultMeters = ({ distance }: MeasureSystem): number => (distance === 'mi' ? 228.6 : 200);

const degreesText = (value: number | null, { temperature }: MeasureSystem): string =>
  typedText(value === null || temperature === 'c' ? value : toFahrenheit(celsius(value)), 1);

function celsiusOf(text: string, { temperature }: MeasureSystem): number | null {
  if (text.trim() === '') return null;
  const value = typedNumber(text);
  return temperature === 'f' ? Math.round(fromFahrenheit(value) * 100) / 100 : value;
}

export function valuesOf(rule: NewRule | Rule | null, system: MeasureSystem): RuleValues {
  const { trigger } = rule ?? {};
  const kmh = trigger?.kind === 'speed' ? trigger.kmh : 110;
  return {
    name: rule?.name ?? '',
    isOn: rule?.isOn ?? false,
    severity: rule?.severity ?? 'warning',
    kind: trigger?.kind ?? 'stay',
    'trigger.minutes': typedText(trigger && 'minutes' in trigger ? trigger.minutes : 30),
    'trigger.seconds': typedText(trigger && 'seconds' in trigger ? trigger.seconds : 30),
    'trigger.kmh': speedText(kmh, system),
    'trigger.overKmh': speedText(trigger && 'overKmh' in trigger ? trigger.overKmh : 0, system),
    'trigger.min': trigger?.kind === 'temperature' ? degreesText(trigger.min, system) : '',
    'trigger.max': degreesText(trigger?.kind === 'temperature' ? trigger.max : 5, system),
    'trigger.meters': typedText(
      (trigger && 'meters' in trigger ? trigger.meters : defaultMeters(system)) / metersPerUnit(system),
      0,
    ),
    'trigger.otherIds': (trigger && isAboutOthers(trigger) && trigger.otherIds) || [],
    'trigger.otherFolderIds': (trigger && isAboutOthers(trigger) && trigger.otherFolderIds) || [],
    'trigger.percent': typedText(trigger && 'percent' in trigger ? trigger.percent : 10),
    'trigger.volts': typedText(trigger?.kind === 'voltage' ? trigger.volts : 11.8),
    'trigger.withinDays': typedText(trigger && 'withinDays' in trigger ? trigger.withinDays : 30),
    'trigger.at': trigger?.kind === 'absent' ? trigger.at : '08:00',
    'trigger.days': trigger?.kind === 'absent' ? trigger.days : [1, 2, 3, 4, 5],
    geofenceIds: rule?.geofenceIds ?? null,
    where: rule?.where ?? 'inside',
    vehicles: rule?.vehicles ?? null,
    when: rule?.when?.is ?? 'always',
    'when.days': rule?.when?.days ?? EVERY_DAY,
    'when.from': rule?.when?.from ?? '22:00',
    'when.to': rule?.when?.to ?? '05:00',
    conditions: caseValuesOf(rule?.conditions, system),
    repeatMinutes: typedText(rule?.repeatMinutes ?? 0),
    action: rule?.action ?? '',
    needsNote: rule?.needsNote ?? false,
    message: rule?.message ?? '',
    mailTo: rule?.mailTo ?? null,
    pushTo: rule?.pushTo ?? null,
    webhookIds: rule?.webhookIds ?? null,
    ownerId: rule?.ownerId ?? '',
    'escalation.to': rule?.escalation?.to ?? null,
    'escalation.minutes': typedText(rule?.escalation?.minutes ?? 10),
  };
}

/** Figures that read as those of `known` do are sent as they were, not rounded to the user's units. */
export function bodyOf(
  values: RuleValues,
  system: MeasureSystem,
  known: Pick<NewRule, 'trigger' | 'conditions'> | null,
): NewRule {
  const { action, geofenceIds, isOn, mailTo, name, ownerId, pushTo, severity, vehicles, webhookIds, where } = values;
  const to = values['escalation.to'];
  const when = values.when;
  const isOfDates = isDated(values.kind);
  return {
    ...{ name, isOn, severity, where, vehicles },
    trigger: withFiguresOf(known?.trigger, values, system),
    geofenceIds: isOfDates ? null : geofenceIds && [...geofenceIds],
    when:
      when === 'always' || values.kind === 'absent' || isOfDates
        ? null
        : { is: when, days: [...values['when.days']], from: values['when.from'], to: values['when.to'] },
    conditions: isOfDates ? null : conditionsOf(values.conditions, lasts(values.kind), system, known?.conditions),
    repeatMinutes: typedNumber(values.repeatMinutes),
    action: action.trim() === '' ? null : action,
    needsNote: values.needsNote,
    message: values.message.trim() === '' ? null : values.message,
    mailTo: mailTo && [...mailTo],
    pushTo: pushTo && [...pushTo],
    webhookIds: webhookIds && [...webhookIds],
    ownerId: ownerId === '' ? null : ownerId,
    escalation: to && { minutes: typedNumber(values['escalation.minutes']), to: [...to] },
  };
}

function withFiguresOf(known: NewRule['trigger'] | undefined, values: RuleValues, system: MeasureSystem): RuleTrigger {
  const trigger = triggerOf(values, system);
  if (known?.kind !== trigger.kind) return trigger;
  const shown: Readonly<Record<string, unknown>> = { ...valuesOf({ name: '', trigger: known }, system) };
  const typed: Readonly<Record<string, unknown>> = { ...values };
  const same = Object.entries(known).filter(([part]) => {
    const text = shown[`trigger.${part}`];
    return typeof text === 'string' && text === typed[`trigger.${part}`];
  });
  return { ...trigger, ...Object.fromEntries(same) };
}

function triggerOf(values: RuleValues, system: MeasureSystem): RuleTrigger {
  const { kind } = values;
  const minutes = typedNumber(values['trigger.minutes']);
  switch (kind) {
    case 'exit':
    case 'stay':
    case 'idle':
    case 'unidentified':
      return { kind, minutes };
    case 'near':
    case 'apart': {
      const meters = Math.round(typedNumber(values['trigger.meters']) * metersPerUnit(system) * 10) / 10;
      return {
        kind,
        minutes,
        meters,
        otherIds: [...values['trigger.otherIds']],
        otherFolderIds: [...values['trigger.otherFolderIds']],
      };
    }
    case 'temperature':
      return {
        kind,
        minutes,
        min: celsiusOf(values['trigger.min'], system),
        max: celsiusOf(values['trigger.max'], system),
      };
    case 'document':
    case 'driverDocument':
    case 'subscription':
      return { kind, withinDays: typedNumber(values['trigger.withinDays']) };
    case 'fuel':
      return { kind, percent: typedNumber(values['trigger.percent']) };
    case 'battery':
      return { kind, minutes, percent: typedNumber(values['trigger.percent']) };
    case 'voltage':
      return { kind, minutes, volts: typedNumber(values['trigger.volts']) };
    case 'speed': {
      const kmh = kmhOf(values['trigger.kmh'], system);
      return { kind, kmh, seconds: typedNumber(values['trigger.seconds']) };
    }
    case 'limit':
    case 'vehicleLimit': {
      const overKmh = kmhOf(values['trigger.overKmh'], system);
      return { kind, overKmh, seconds: typedNumber(values['trigger.seconds']) };
    }
    case 'absent':
      return { kind, at: values['trigger.at'], days: [...values['trigger.days']] };
    default:
      return { kind };
  }
}

/** Whether a rule about it has a duration. */
export const lasts = (kind: RuleTriggerKind): boolean => LASTING.has(kind);
const LASTING: ReadonlySet<RuleTriggerKind> = new Set([
  ...(['exit', 'stay', 'speed', 'limit', 'vehicleLimit', 'idle', 'unidentified'] as const),
  ...(['near', 'apart', 'temperature', 'voltage', 'battery'] as const),
]);

/** Durations to compare with the rule's own: minutes, or seconds for speed. */
export function variantsOf(trigger: NewRule['trigger']): number[] {
  const now = 'seconds' in trigger ? trigger.seconds : 'minutes' in trigger ? trigger.minutes : null;
  if (now === null) return [];
  const least = trigger.kind === 'stay' || trigger.kind === 'idle' ? 1 : 0;
  const all =
    'seconds' in trigger
      ? [10, 30, 60, 120, 300]
      : now < 10
        ? [1, 3, 5, 10, 20, 30]
        : [0.5, 1.5, 2, 3, 4].map(by => niceMinutes(now * by));
  return [...new Set(all)].filter(duration => duration >= least && duration !== now && duration <= 10_080).slice(0, 5);
}

const niceMinutes = (minutes: number): number =>
  minutes < 60
    ? Math.round(minutes / 5) * 5
    : minutes < 1440
      ? Math.round(minutes / 30) * 30
      : Math.round(minutes / 1440) * 1440;
