import { BUILT_IN_KINDS, type BuiltInKind, type BuiltInRule, type BuiltInRuleChange } from '@milepost/contract';
import type { MeasureSystem } from '../../format/measure.ts';
import { bodyOf, type RuleValues, valuesOf } from './rule-form.ts';

export const isBuiltIn = (id: string | null): id is BuiltInKind => BUILT_IN_KINDS.some(kind => kind === id);

/** A built-in alert as an own rule, of which it uses some fields. How long silence takes is its duration. */
const asOwn = (rule: BuiltInRule) => ({
  ...rule,
  name: rule.kind,
  trigger: { kind: 'stay' as const, minutes: rule.minutes ?? 1 },
});

export const builtInValues = (rule: BuiltInRule, system: MeasureSystem): RuleValues => valuesOf(asOwn(rule), system);

export function builtInBody(values: RuleValues, rule: BuiltInRule, system: MeasureSystem): BuiltInRuleChange {
  const body = bodyOf(values, system, asOwn(rule));
  const { action, conditions, escalation, isOn, mailTo, message, needsNote, pushTo, repeatMinutes, severity } = body;
  const { trigger, vehicles, webhookIds, when } = body;
  return {
    ...{ isOn, severity, vehicles, when, mailTo, pushTo, webhookIds, escalation },
    ...{ repeatMinutes, action, message, needsNote },
    conditions: conditions
      ? { drivers: conditions.drivers, fromKmh: conditions.fromKmh, ignition: conditions.ignition }
      : null,
    ...(rule.kind === 'silent' && 'minutes' in trigger && { minutes: trigger.minutes }),
  };
}
