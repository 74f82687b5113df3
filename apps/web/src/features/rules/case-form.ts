import {
  casesOf,
  type NewRule,
  type RuleCase,
  type RuleConditions,
  type RuleWhen,
  saysNothing,
} from '@milepost/contract';
import type { MeasureSystem } from '../../format/measure.ts';
import { kmPerUnit, typedNumber, typedText } from '../../format/typed.ts';

/** A speed in the user's unit, as the text of a field. */
export const speedText = (kmh: number, system: MeasureSystem): string => typedText(kmh / kmPerUnit(system), 1);

/** km/h of a speed typed in the user's unit; NaN if it is not a number. */
export const kmhOf = (typed: string, system: MeasureSystem): number =>
  Math.round(typedNumber(typed) * kmPerUnit(system) * 100) / 100;

/** What can be asked for, in the order of the sentence. */
export const CASE_PARTS = ['vehicles', 'drivers', 'fromKmh', 'ignition', 'places', 'when', 'minutes'] as const;
export type CasePart = (typeof CASE_PARTS)[number];

/** Some of what else must be true; null is not asked for. */
export interface CaseValues {
  readonly vehicles: RuleCase['vehicles'];
  readonly drivers: RuleCase['drivers'];
  /** In the user's unit. */
  readonly fromKmh: string | null;
  readonly ignition: RuleCase['ignition'];
  readonly places: RuleCase['places'];
  readonly when: RuleWhen | null;
  readonly minutes: string | null;
}

export const NO_CASE: CaseValues = {
  ...{ vehicles: null, drivers: null, fromKmh: null, ignition: null, places: null, when: null, minutes: null },
};

/** What a part begins with. */
export const BEGUN: { readonly [P in CasePart]: NonNullable<CaseValues[P]> } = {
  vehicles: { folderIds: [], deviceIds: [] },
  drivers: { driverIds: [], departmentIds: [] },
  fromKmh: '',
  ignition: 'on',
  places: { is: 'inside', geofenceIds: [] },
  when: { is: 'within', days: [1, 2, 3, 4, 5, 6, 7], from: '22:00', to: '05:00' },
  minutes: '30',
};

/** One or more. */
export function caseValuesOf(conditions: NewRule['conditions'], system: MeasureSystem): CaseValues[] {
  const cases = casesOf<Partial<RuleCase>>(conditions).map(
    ({
      drivers = null,
      fromKmh = null,
      ignition = null,
      minutes = null,
      places = null,
      vehicles = null,
      when = null,
    }) => ({
      ...{ drivers, ignition, places, vehicles, when },
      fromKmh: fromKmh === null ? null : speedText(fromKmh, system),
      minutes: minutes === null ? null : typedText(minutes),
    }),
  );
  return cases.length === 0 ? [NO_CASE] : cases;
}

/**
 * Null if nothing else must be true; `lasts`: the rule is about something that does. A speed that reads as one of
 * `known` does is sent as it was.
 */
export function conditionsOf(
  values: readonly CaseValues[],
  lasts: boolean,
  system: MeasureSystem,
  known: NewRule['conditions'] = null,
): RuleConditions | null {
  const speeds = casesOf<Partial<RuleCase>>(known).map(one => one.fromKmh ?? null);
  const speedOf = (typed: string): number =>
    speeds.find(kmh => kmh !== null && speedText(kmh, system) === typed) ?? kmhOf(typed, system);
  const [first, ...or] = values
    .map(
      ({ fromKmh, minutes, ...others }): RuleCase => ({
        ...others,
        fromKmh: fromKmh === null ? null : speedOf(fromKmh),
        minutes: minutes === null || !lasts ? null : typedNumber(minutes),
      }),
    )
    .filter(one => !saysNothing(one));
  return first ? { ...first, or } : null;
}
