import type { TFunction } from 'i18next';

/** A rule's name; its code if it has no name yet. */
export const ruleWords = (t: TFunction<'logbook'> | TFunction<['eld', 'logbook']>, rule: string): string =>
  (t as TFunction<'logbook'>)(`logbook:rule.${rule}` as 'logbook:rule.US_11H', rule);
