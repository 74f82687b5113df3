import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '../language.ts';
import { isDated, RULE_TRIGGERS } from '../rule-trigger.ts';
import type { RuleReader } from './in-language.ts';
import { type RuleLike, type RuleNames, ruleCondition, ruleSentence, sentenceText } from './sentence.ts';
import { RULE_TEXTS } from './texts.ts';

const names: RuleNames = {
  hasHolidays: false,
  geofence: id => ({ 1: 'Depot North', 2: 'Verona food hub' })[id],
  folder: id => ({ 1: 'South' })[id],
  vehicle: id => ({ 1: '4127' })[id],
  user: id => ({ ann: 'Ann' })[id],
  driver: id => ({ 1: 'Sofia' })[id],
  department: () => undefined,
};
const US: RuleReader = { language: 'en-US', distanceUnit: 'mi', temperatureUnit: 'f' };
const FR: RuleReader = { language: 'fr', distanceUnit: 'km', temperatureUnit: 'c' };
const said = (rule: RuleLike, reader = US, known = names) => sentenceText(ruleSentence(rule, known, reader));

describe('the sentence of a rule', () => {
  it('says all that it waits for, and what it does then', () => {
    const rule: RuleLike = {
      trigger: { kind: 'stay', minutes: 40 },
      geofenceIds: ['2'],
      when: { days: [1, 2, 3, 4, 5], from: '05:00', to: '20:00', is: 'within' },
    };
    expect(said(rule)).toBe(
      'When any vehicle stays in Verona food hub for more than 40 min from 05:00 to 20:00 on weekdays, with any driver, the alert is a warning, comes every time, and goes to everyone who chose alerts from rules by email. If nobody acknowledges it, nobody else gets it.',
    );
    // Critical alerts without an escalation of their own have the organization's.
    expect(said({ ...rule, severity: 'critical' })).toMatch(
      /If nobody acknowledges it, it goes to owners and admins if your organization chose that\.$/,
    );
    expect(ruleCondition(rule, names, US)).toBe(
      'When any vehicle stays in Verona food hub for more than 40 min from 05:00 to 20:00 on weekdays.',
    );
    const except = said(rule, US, { ...names, hasHolidays: true });
    expect(except).toContain('on weekdays except holidays');
  });

  it('is in the reader’s language and units', () => {
    const rule: RuleLike = {
      trigger: { kind: 'speed', kmh: 113, seconds: 0 },
      conditions: { drivers: { driverIds: ['1', '9'], departmentIds: [] }, fromKmh: null, ignition: 'on' },
      mailTo: ['ann', 'bob', 'eve'],
    };
    expect(ruleCondition(rule, names, US)).toBe(
      'When any vehicle goes faster than 70\u202fmph even briefly anywhere at any hour, if Sofia or 1 other drives and with its ignition on.',
    );
    expect(said(rule)).toContain('goes to Ann and 2 more by email');
    const none = { drivers: null, fromKmh: null, ignition: null };
    const elsewhere: RuleLike = {
      trigger: { kind: 'idle', minutes: 5 },
      conditions: {
        ...{ ...none, places: { is: 'inside', geofenceIds: ['1'] }, minutes: 30 },
        or: [
          {
            ...{ ...none, fromKmh: null, vehicles: { folderIds: ['1'], deviceIds: [] } },
            when: { is: 'within', days: [6, 7], from: '08:00', to: '12:00' },
          },
        ],
      },
    };
    expect(ruleCondition(elsewhere, names, US)).toBe(
      'When any vehicle idles for more than 5 min anywhere at any hour, inside Depot North and after 30 min or more, or for a vehicle in South and from 08:00 to 12:00 on weekends.',
    );
    expect(ruleCondition(elsewhere, names, FR)).toContain(
      'à l’intérieur de Depot North et après 30 min ou plus, ou si c’est un véhicule de South et de 08:00 à 12:00 le week-end.',
    );
    expect(ruleCondition(elsewhere, names, { ...FR, language: 'es' })).toContain(
      'dentro de Depot North y después de 30 min o más, o si es un vehículo de South y de 08:00 a 12:00 los fines de semana.',
    );
    expect(ruleCondition(rule, names, FR)).toMatch(/^Quand n’importe quel véhicule roule à plus de 113\u202fkm\/h /);
    const cold: RuleLike = { trigger: { kind: 'temperature', min: -18, max: 4.5, minutes: 90 } };
    expect(said(cold)).toContain('below -0.4\u202f°F or above 40.1\u202f°F for more than 1 h 30 min');
    expect(said(cold, FR)).toContain('4,5\u202f°C');
  });

  it('names what is known, and says what is gone', () => {
    const rule: RuleLike = {
      trigger: { kind: 'enter' },
      geofenceIds: ['9', '1'],
      vehicles: { folderIds: ['1'], deviceIds: ['1'] },
      mailTo: ['eve'],
    };
    expect(said(rule)).toContain('When a vehicle in South or 1 other enters deleted or 1 other at any hour');
    expect(said(rule)).toContain('goes to 1 person by email');
    expect(said({ ...rule, mailTo: [], vehicles: { folderIds: [], deviceIds: [] } })).toMatch(
      /no vehicle .* nobody by/,
    );
  });
});

describe.each(LANGUAGES)('[R9.09] the words of sentences in %s', language => {
  const filledIn = (text: string) => [...new Set(text.match(/\{\{\w+\}\}/g) ?? [])].toSorted();
  function* all(tree: object, path = ''): Generator<[string, string]> {
    for (const [key, value] of Object.entries(tree)) {
      if (typeof value === 'string') yield [`${path}.${key}`, value];
      else yield* all(value as object, `${path}.${key}`);
    }
  }

  it('are complete, and fill in what the English ones do', () => {
    const wanted = new Map(all(RULE_TEXTS['en-US']));
    const there = [...all(RULE_TEXTS[language])];
    expect(there.map(([path]) => path).toSorted()).toEqual([...wanted.keys()].toSorted());
    for (const [path, text] of there) {
      expect(text.trim(), path).not.toBe('');
      expect(filledIn(text), path).toEqual(filledIn(wanted.get(path) ?? ''));
    }
  });

  it('leave nothing to fill in, whatever a rule waits for', () => {
    const triggers: Record<(typeof RULE_TRIGGERS)[number], RuleLike['trigger']> = {
      enter: { kind: 'enter' },
      exit: { kind: 'exit', minutes: 5 },
      cross: { kind: 'cross' },
      stay: { kind: 'stay', minutes: 1500 },
      absent: { kind: 'absent', at: '08:00', days: [1, 3] },
      order: { kind: 'order' },
      near: { kind: 'near', meters: 200, minutes: 0, otherIds: ['1'], otherFolderIds: [] },
      apart: { kind: 'apart', meters: 300, minutes: 5, otherIds: ['1', '2'], otherFolderIds: ['7'] },
      speed: { kind: 'speed', kmh: 90, seconds: 30 },
      limit: { kind: 'limit', overKmh: 10, seconds: 0 },
      vehicleLimit: { kind: 'vehicleLimit', overKmh: 0, seconds: 10 },
      idle: { kind: 'idle', minutes: 10 },
      drive: { kind: 'drive' },
      unidentified: { kind: 'unidentified', minutes: 2 },
      tow: { kind: 'tow' },
      ignitionOn: { kind: 'ignitionOn' },
      ignitionOff: { kind: 'ignitionOff' },
      temperature: { kind: 'temperature', min: null, max: 8, minutes: 5 },
      fuel: { kind: 'fuel', percent: 10 },
      voltage: { kind: 'voltage', volts: 11.5, minutes: 0 },
      battery: { kind: 'battery', percent: 20, minutes: 1 },
      document: { kind: 'document', withinDays: 30 },
      driverDocument: { kind: 'driverDocument', withinDays: 30 },
      subscription: { kind: 'subscription', withinDays: 1 },
    };
    for (const kind of RULE_TRIGGERS) {
      const sentence = said({ trigger: triggers[kind], geofenceIds: ['1'] }, { ...US, language });
      expect(sentence).not.toMatch(/[{}]|undefined| {2}/);
      expect(sentence.includes('Depot North')).toBe(!isDated(kind));
    }
  });
});
