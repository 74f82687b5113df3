import { type Settings, settingsSchema } from '@milepost/contract';
import type { MeasureSystem } from '../../../format/measure.ts';
import { kmPerUnit, typedNumber, typedText } from '../../../format/typed.ts';
import { changedValues } from '../../../forms/field-messages.ts';

export const targetsSchema = settingsSchema
  .pick({
    targetDistanceKmPerWeek: true,
    targetUtilisationPercent: true,
    targetIdlePercent: true,
    targetKnownPercent: true,
  })
  .partial();

/** The targets as form fields: texts, with the distance in the user's unit. No target is an empty text. */
export type TargetTexts = Record<keyof typeof targetsSchema.shape, string>;

export function targetTexts(settings: Settings, system: MeasureSystem): TargetTexts {
  const km = settings.targetDistanceKmPerWeek;
  return {
    targetDistanceKmPerWeek: typedText(km && km / kmPerUnit(system), 0),
    targetUtilisationPercent: typedText(settings.targetUtilisationPercent),
    targetIdlePercent: typedText(settings.targetIdlePercent),
    targetKnownPercent: typedText(settings.targetKnownPercent),
  };
}

/** Only the changed fields: a distance that was rounded for display must not be sent back rounded. */
export function changedTargets(initial: TargetTexts, texts: TargetTexts, system: MeasureSystem) {
  return Object.fromEntries(
    Object.entries(changedValues(initial, texts)).map(([name, text]) => {
      const unit = name === 'targetDistanceKmPerWeek' ? kmPerUnit(system) : 1;
      return [name, text.trim() === '' ? null : typedNumber(text) * unit];
    }),
  );
}
