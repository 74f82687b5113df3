import type { RuleSet } from './rule-set.ts';
import type { RuleSetId } from './rule-set-id.ts';
import { CA_NORTH_CYCLE1_80_7, CA_NORTH_CYCLE2_120_14 } from './rule-sets/canada-north.ts';
import { CA_SOUTH_CYCLE1_70_7, CA_SOUTH_CYCLE2_120_14 } from './rule-sets/canada-south.ts';
import { US_PASSENGER_60_7, US_PASSENGER_70_8 } from './rule-sets/us-passenger.ts';
import {
  US_OILFIELD_70_8,
  US_OILFIELD_WELL_70_8,
  US_PROPERTY_60_7,
  US_PROPERTY_70_8,
} from './rule-sets/us-property.ts';
import {
  US_ALASKA_PROPERTY_70_7,
  US_ALASKA_PROPERTY_80_8,
  US_CALIFORNIA_INTRASTATE_80_8,
  US_TEXAS_INTRASTATE_70_7,
} from './rule-sets/us-states.ts';

/** Every rule set by its id. */
export const ruleSets: Readonly<Record<RuleSetId, RuleSet>> = {
  US_PROPERTY_70_8,
  US_PROPERTY_60_7,
  US_PASSENGER_70_8,
  US_PASSENGER_60_7,
  US_OILFIELD_70_8,
  US_OILFIELD_WELL_70_8,
  US_ALASKA_PROPERTY_80_8,
  US_ALASKA_PROPERTY_70_7,
  US_CALIFORNIA_INTRASTATE_80_8,
  US_TEXAS_INTRASTATE_70_7,
  CA_SOUTH_CYCLE1_70_7,
  CA_SOUTH_CYCLE2_120_14,
  CA_NORTH_CYCLE1_80_7,
  CA_NORTH_CYCLE2_120_14,
};

/**
 * The same law read strictly: a long sleeper-berth rest is excluded from the window only once its other half has come.
 * This is what an enforcement officer may hold against a driver between the two.
 */
export function withoutTrust(ruleSet: RuleSet): RuleSet {
  return ruleSet.split ? { ...ruleSet, split: { ...ruleSet.split, loneSleeperPauses: false } } : ruleSet;
}
