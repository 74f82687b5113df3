export const RULE_SET_IDS = [
  'US_PROPERTY_70_8',
  'US_PROPERTY_60_7',
  'US_PASSENGER_70_8',
  'US_PASSENGER_60_7',
  'US_OILFIELD_70_8',
  'US_OILFIELD_WELL_70_8',
  'US_ALASKA_PROPERTY_80_8',
  'US_ALASKA_PROPERTY_70_7',
  'US_CALIFORNIA_INTRASTATE_80_8',
  'US_TEXAS_INTRASTATE_70_7',
  'CA_SOUTH_CYCLE1_70_7',
  'CA_SOUTH_CYCLE2_120_14',
  'CA_NORTH_CYCLE1_80_7',
  'CA_NORTH_CYCLE2_120_14',
] as const;
export type RuleSetId = (typeof RULE_SET_IDS)[number];

export const isRuleSetId = (value: unknown): value is RuleSetId => RULE_SET_IDS.some(id => id === value);
