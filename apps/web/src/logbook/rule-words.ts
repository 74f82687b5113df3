import type { TFunction } from 'i18next';

/** A rule's name for people; a rule that has none yet keeps its code. */
export const ruleWords = (t: TFunction<'logbook'> | TFunction<['eld', 'logbook']>, rule: string): string =>
  (t as TFunction<'logbook'>)(`logbook:rule.${rule}` as 'logbook:rule.US_11H', rule);
