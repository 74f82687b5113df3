import type { TFunction } from 'i18next';

/** A rule's name; its code if it has no name yet. */
export const ruleWords = (t: TFunction<'logbook'> | TFunction<['eld', 'logbook']>, rule: string): string =>
  (t as unknown as TFunction<'hosRules'>)(`hosRules:${rule}` as 'hosRules:US_11H', rule);
