import type { Exception } from '../exception.ts';
import type { RuleId } from '../rule-id.ts';
import type { RuleSetId } from '../rule-set-id.ts';

/**
 * The law a second time, in hours and written independently: the brute-force evaluator does not read the engine's rule
 * sets.
 */
export interface BruteLimits {
  readonly rest: number;
  readonly drive: readonly [RuleId, number];
  readonly window: readonly [RuleId, number, 'elapsed' | 'worked'];
  readonly onDuty?: readonly [RuleId, number];
  /** Driving and on-duty limits per day. */
  readonly day?: readonly [number, number];
  readonly break?: boolean;
  readonly cycle: readonly [RuleId, hours: number, days: number];
  readonly restart?: number;
  /**
   * `long`: one half with 7 hours of sleeper berth, 10 together. A number: sleeper berth only, this many hours
   * together.
   */
  readonly split?: 'long' | number;
  /** The window of a shift that uses the split, if it is another. */
  readonly splitWindow?: readonly [RuleId, number];
  /** Hours added to driving, the window and on-duty time; hours taken off the required time off. */
  readonly adverse?: readonly [drive: number, window: number, onDuty: number, timeOff: number];
  readonly shortHaul?: boolean;
  /** 1: no limit applies, the minutes count afterward; 2: they don't. */
  readonly exempt?: Partial<Record<Exception, 1 | 2>>;
  readonly well?: boolean;
  /** Canada: hours on duty for which cycle 2 needs a day off before; 0 in cycle 1. */
  readonly dayOffBefore?: number;
  /** Time off that Canada asks for in each day. */
  readonly daily?: true;
}

const PROPERTY = {
  rest: 10,
  drive: ['US_11H', 11],
  window: ['US_14H', 14, 'elapsed'],
  break: true,
  split: 'long',
  adverse: [2, 2, 0, 0],
  shortHaul: true,
  exempt: { agriculture: 2, emergencyRelief: 1 },
} as const;
const PASSENGER = {
  rest: 8,
  drive: ['US_PAX_10H', 10],
  window: ['US_PAX_15H', 15, 'worked'],
  split: 8,
  adverse: [2, 2, 0, 0],
  exempt: { emergencyRelief: 1 },
} as const;
const ALASKA = {
  rest: 10,
  drive: ['AK_15H', 15],
  window: ['AK_20H', 20, 'worked'],
  split: 'long',
  restart: 34,
  adverse: [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 0, 0],
  exempt: { agriculture: 2, emergencyRelief: 1 },
} as const;
const CANADA = {
  rest: 8,
  drive: ['CA_13H_DRIVE', 13],
  window: ['CA_16H_ELAPSED', 16, 'elapsed'],
  onDuty: ['CA_14H_ONDUTY', 14],
  day: [13, 14],
  split: 10,
  adverse: [2, 0, 2, 2],
  daily: true,
} as const;
const CANADA_NORTH = {
  rest: 8,
  drive: ['CA_15H_DRIVE', 15],
  window: ['CA_20H_ELAPSED', 20, 'elapsed'],
  onDuty: ['CA_18H_ONDUTY', 18],
  split: 8,
  splitWindow: ['CA_18H_SPLIT', 18],
  adverse: [2, 0, 0, 0],
} as const;

export const BRUTE_LIMITS: Readonly<Record<RuleSetId, BruteLimits>> = {
  US_PROPERTY_70_8: { ...PROPERTY, cycle: ['US_70H', 70, 8], restart: 34 },
  US_PROPERTY_60_7: { ...PROPERTY, cycle: ['US_60H', 60, 7], restart: 34 },
  US_OILFIELD_70_8: { ...PROPERTY, cycle: ['US_70H', 70, 8], restart: 24 },
  US_OILFIELD_WELL_70_8: { ...PROPERTY, cycle: ['US_70H', 70, 8], restart: 24, well: true },
  US_PASSENGER_70_8: { ...PASSENGER, cycle: ['US_PAX_70H', 70, 8] },
  US_PASSENGER_60_7: { ...PASSENGER, cycle: ['US_PAX_60H', 60, 7] },
  US_ALASKA_PROPERTY_80_8: { ...ALASKA, cycle: ['AK_80H', 80, 8] },
  US_ALASKA_PROPERTY_70_7: { ...ALASKA, cycle: ['AK_70H', 70, 7] },
  US_CALIFORNIA_INTRASTATE_80_8: {
    rest: 10,
    drive: ['CAL_12H', 12],
    window: ['CAL_16H', 16, 'elapsed'],
    cycle: ['CAL_80H', 80, 8],
    restart: 34,
    adverse: [2, 0, 0, 0],
  },
  US_TEXAS_INTRASTATE_70_7: {
    rest: 8,
    drive: ['TEX_12H', 12],
    window: ['TEX_15H', 15, 'worked'],
    split: 8,
    cycle: ['TEX_70H', 70, 7],
    restart: 34,
    adverse: [2, 0, 0, 0],
    exempt: { agriculture: 1, emergencyRelief: 1 },
  },
  CA_SOUTH_CYCLE1_70_7: { ...CANADA, cycle: ['CA_70H_7D', 70, 7], restart: 36, dayOffBefore: 0 },
  CA_SOUTH_CYCLE2_120_14: { ...CANADA, cycle: ['CA_120H_14D', 120, 14], restart: 72, dayOffBefore: 70 },
  CA_NORTH_CYCLE1_80_7: { ...CANADA_NORTH, cycle: ['CA_80H_7D', 80, 7], restart: 36, dayOffBefore: 0 },
  CA_NORTH_CYCLE2_120_14: { ...CANADA_NORTH, cycle: ['CA_120H_14D', 120, 14], restart: 72, dayOffBefore: 80 },
};
