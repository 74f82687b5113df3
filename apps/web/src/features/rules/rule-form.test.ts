import { type NewRule, newRuleSchema, RULE_TRIGGERS, type RuleTrigger, type RuleTriggerKind } from '@milepost/contract';
import { describe, expect, it } from 'vitest';
import { METRIC, US } from '../../format/measure.ts';
import { NO_CASE } from './case-form.ts';
import { bodyOf, lasts, valuesOf } from './rule-form.ts';

const TRIGGERS: { readonly [K in RuleTriggerKind]: Extract<RuleTrigger, { kind: K }> } = {
  enter: { kind: 'enter' },
  exit: { kind: 'exit', minutes: 10 },
  cross: { kind: 'cross' },
  stay: { kind: 'stay', minutes: 40 },
  absent: { kind: 'absent', at: '08:00', days: [1, 2] },
  order: { kind: 'order' },
  near: { kind: 'near', meters: 200, minutes: 0, otherIds: ['7'], otherFolderIds: [] },
  apart: { kind: 'apart', meters: 300, minutes: 5, otherIds: ['7', '8'], otherFolderIds: ['3'] },
  vehicleLimit: { kind: 'vehicleLimit', overKmh: 8, seconds: 10 },
  driverDocument: { kind: 'driverDocument', withinDays: 30 },
  speed: { kind: 'speed', kmh: 96.6, seconds: 30 },
  limit: { kind: 'limit', overKmh: 8, seconds: 10 },
  idle: { kind: 'idle', minutes: 15 },
  drive: { kind: 'drive' },
  unidentified: { kind: 'unidentified', minutes: 5 },
  tow: { kind: 'tow' },
  ignitionOn: { kind: 'ignitionOn' },
  ignitionOff: { kind: 'ignitionOff' },
  temperature: { kind: 'temperature', min: -18, max: null, minutes: 20 },
  fuel: { kind: 'fuel', percent: 12.5 },
  voltage: { kind: 'voltage', volts: 11.6, minutes: 10 },
  battery: { kind: 'battery', percent: 15, minutes: 0 },
  document: { kind: 'document', withinDays: 30 },
  subscription: { kind: 'subscription', withinDays: 14 },
};

const GEOFENCES: Partial<Record<RuleTriggerKind, string[]>> = { absent: ['1'], order: ['2', '1'] };

describe('the form of a rule', () => {
  it.each(RULE_TRIGGERS)('gives back a rule about %s as it was, in either system of units', kind => {
    const rule: NewRule = { name: 'Rule', trigger: TRIGGERS[kind], geofenceIds: GEOFENCES[kind] ?? null };
    for (const system of [US, METRIC]) {
      const body = bodyOf(valuesOf(rule, system), system, rule);
      expect(newRuleSchema.parse(body).trigger).toEqual(rule.trigger);
      expect(lasts(kind)).toBe('minutes' in rule.trigger || 'seconds' in rule.trigger);
    }
  });

  it('gives back what else must be true, and nothing if nothing must', () => {
    const conditions = {
      drivers: { driverIds: ['3'], departmentIds: ['1', '2'] },
      fromKmh: 50,
      ignition: 'off' as const,
      ...{ vehicles: null, when: null, places: null, minutes: null },
      or: [
        {
          ...{ drivers: null, fromKmh: null, ignition: null },
          vehicles: { folderIds: ['4'], deviceIds: [] },
          when: { is: 'outside' as const, days: [1, 2], from: '08:00', to: '17:00' },
          places: { is: 'outside' as const, geofenceIds: ['5'] },
          minutes: 40,
        },
      ],
    };
    const rule: NewRule = { name: 'Rule', trigger: { kind: 'idle', minutes: 5 }, conditions };
    expect(newRuleSchema.parse(bodyOf(valuesOf(rule, US), US, rule)).conditions).toEqual(conditions);
    expect(bodyOf(valuesOf(null, US), US, null).conditions).toBeNull();
    // Nothing that happens in a moment has lasted.
    const values = { ...valuesOf(rule, METRIC), kind: 'enter' as const };
    expect(newRuleSchema.parse(bodyOf(values, METRIC, rule)).conditions?.or[0]?.minutes).toBeNull();
    const typed = { ...valuesOf(null, US), conditions: [{ ...NO_CASE, fromKmh: 'fast' }] };
    expect(newRuleSchema.safeParse({ ...bodyOf(typed, US, null), name: 'x' }).success).toBe(false);
  });

  it('takes temperatures in the reader’s unit, with any minus sign or decimal comma, and none for no limit', () => {
    const values = { ...valuesOf(null, US), kind: 'temperature' as const, 'trigger.min': '−4', 'trigger.max': '' };
    expect(bodyOf(values, US, null).trigger).toMatchObject({ min: -20, max: null });
    expect(bodyOf({ ...values, 'trigger.max': '2,5' }, METRIC, null).trigger).toMatchObject({ min: -4, max: 2.5 });
    expect(newRuleSchema.safeParse(bodyOf({ ...values, name: 'x', 'trigger.min': 'cold' }, US, null)).success).toBe(
      false,
    );
    expect(newRuleSchema.safeParse(bodyOf({ ...values, name: 'x', 'trigger.min': '' }, US, null)).success).toBe(false);
  });
});
