import { type Settings, settingsSchema } from '@milepost/contract';
import { fromMiles, metres, toKilometres, toMiles } from '@milepost/units';
import type { MeasureSystem } from '../../../format/measure.ts';
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
type Unit = MeasureSystem['distance'];

const textOf = (value: number | null): string => (value === null ? '' : String(value));

export function targetTexts(settings: Settings, unit: Unit): TargetTexts {
  const km = settings.targetDistanceKmPerWeek;
  const distance = km === null ? null : Math.round(unit === 'mi' ? toMiles(metres(km * 1000)) : km);
  return {
    targetDistanceKmPerWeek: textOf(distance),
    targetUtilisationPercent: textOf(settings.targetUtilisationPercent),
    targetIdlePercent: textOf(settings.targetIdlePercent),
    targetKnownPercent: textOf(settings.targetKnownPercent),
  };
}

/** Accepts a decimal comma. Text that is not a number stays text, so that the schema can report it. */
const read = (text: string): number | string | null =>
  text.trim() === '' ? null : /^-?\d+([.,]\d+)?$/.test(text.trim()) ? Number(text.trim().replace(',', '.')) : text;

/** Only the changed fields: a distance that was rounded for display must not be sent back rounded. */
export function changedTargets(initial: TargetTexts, texts: TargetTexts, unit: Unit) {
  const inKm = (written: ReturnType<typeof read>) =>
    unit === 'mi' && typeof written === 'number' ? toKilometres(fromMiles(written)) : written;
  const changes = Object.entries(changedValues(initial, texts)).map(([name, text]) => [name, read(text)] as const);
  return Object.fromEntries(
    changes.map(([name, value]) => [name, name === 'targetDistanceKmPerWeek' ? inKm(value) : value]),
  );
}
