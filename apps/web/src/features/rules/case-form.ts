import {
  casesOf,
  type NewRule,
  type RuleCase,
  type RuleConditions,
  type RuleWhen,
  saysNothing,
} from '@milepost/contract';
import type { MeasureSystem } from '../../format/measure.ts';
import { kmhOf, numberOf, speedText } from './typed.ts';

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
      minutes: minutes === null ? null : String(minutes),
    }),
  );
  return cases.length === 0 ? [NO_CASE] : cases;
}

/** Null if nothing else must be true; `lasts`: the rule is about something that does. */
export function conditionsOf(
  values: readonly CaseValues[],
  lasts: boolean,
  system: MeasureSystem,
): RuleConditions | null {
  const [first, ...or] = values
    .map(
      ({ fromKmh, minutes, ...others }): RuleCase => ({
        ...others,
        fromKmh: fromKmh === null ? null : kmhOf(fromKmh, system),
        minutes: minutes === null || !lasts ? null : numberOf(minutes),
      }),
    )
    .filter(one => !saysNothing(one));
  return first ? { ...first, or } : null;
}
