import { DEFAULT_SETTINGS, type SettingName, type Settings } from '@milepost/contract';

/** Settings as text, as form fields have them. */
export type SettingTexts<N extends SettingName> = Record<N, string>;

const NUMBERS: ReadonlySet<SettingName> = new Set([
  'firstWeekday',
  'offlineAfterMinutes',
  'outdatedAfterMinutes',
  'keepPositionsDays',
  'keepLooksDays',
  'warnBeforeExpiryDays',
]);

const FLAGS: ReadonlySet<SettingName> = new Set(['privateDrive', 'privatePersonalUse']);

const settingText = (settings: Settings, name: SettingName): string => String(settings[name] ?? '');
export const defaultText = (name: SettingName): string => settingText(DEFAULT_SETTINGS, name);

export function settingTexts<N extends SettingName>(settings: Settings, names: readonly N[]): SettingTexts<N> {
  return Object.fromEntries(names.map(name => [name, settingText(settings, name)])) as SettingTexts<N>;
}

/** The value of a field. An empty number means no limit, for settings that allow it. */
function settingValue(name: SettingName, text: string): string | number | boolean | null {
  if (FLAGS.has(name)) return text === 'true';
  if (!NUMBERS.has(name)) return text;
  return text === '' && DEFAULT_SETTINGS[name] === null ? null : Number(text);
}

/** Only the changes, so that untouched settings keep following their defaults. */
export function changedSettings(settings: Settings, texts: Readonly<Partial<Record<SettingName, string>>>) {
  const entries = Object.entries(texts) as [SettingName, string][];
  return Object.fromEntries(
    entries
      .filter(([name, text]) => text !== settingText(settings, name))
      .map(([name, text]) => [name, text === defaultText(name) ? null : settingValue(name, text)]),
  );
}
