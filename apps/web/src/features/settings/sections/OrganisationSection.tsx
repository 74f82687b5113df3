import { LANGUAGES, type SettingName, WEEKDAYS } from '@milepost/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { SelectField } from '../../../ui/SelectField.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import { Card } from '../SectionFrame.tsx';
import styles from '../SettingsForm.module.css';
import { SettingsForm } from '../SettingsForm.tsx';

const NAMES = [
  'address',
  'dotNumber',
  'authorityNumber',
  'timeZone',
  'language',
  'distanceUnit',
  'volumeUnit',
  'temperatureUnit',
  'firstWeekday',
  'currency',
  'holidays',
] as const satisfies readonly SettingName[];

/** Any Monday, to get weekday names from. */
const MONDAY_MS = Date.UTC(2024, 0, 1);
const DAY_MS = 86_400_000;

/** The carrier's details, and the formats for times and quantities. */
export function OrganisationSection() {
  const { t, i18n } = useTranslation(['settings', 'forms']);
  const zones = useMemo(
    () => Intl.supportedValuesOf('timeZone').map(zone => ({ value: zone, label: zone.replaceAll('_', ' ') })),
    [],
  );
  const words = useMemo(() => {
    const weekday = new Intl.DateTimeFormat(i18n.language, { weekday: 'long', timeZone: 'UTC' });
    const currency = new Intl.DisplayNames(i18n.language, { type: 'currency' });
    return {
      languages: LANGUAGES.map(value => ({
        value,
        label: new Intl.DisplayNames(value, { type: 'language' }).of(value) ?? value,
      })),
      weekdays: WEEKDAYS.map(day => ({
        value: String(day),
        label: weekday.format(MONDAY_MS + (day - 1) * DAY_MS),
      })),
      currencies: Intl.supportedValuesOf('currency').map(value => ({
        value,
        label: `${value} · ${currency.of(value)}`,
      })),
    };
  }, [i18n.language]);
  const units = (name: 'distanceUnit' | 'volumeUnit' | 'temperatureUnit', values: readonly string[]) =>
    values.map(value => ({ value, label: t(`units.${name}.${value}` as 'units.distanceUnit.km') }));

  return (
    <SettingsForm title={t('sections.organisation')} names={NAMES}>
      {(form, hint) => (
        <>
          <Card title={t('organisation.carrier')} text={t('organisation.carrierText')}>
            <div className={styles.grid}>
              <TextField
                {...form.text('address')}
                className={styles.whole}
                label={t('organisation.address')}
                optional={t('forms:optional')}
                hint={hint('address')}
                autoComplete="street-address"
              />
              <TextField
                {...form.text('dotNumber')}
                label={t('organisation.dotNumber')}
                optional={t('forms:optional')}
                hint={hint('dotNumber')}
              />
              <TextField
                {...form.text('authorityNumber')}
                label={t('organisation.authorityNumber')}
                optional={t('forms:optional')}
                hint={hint('authorityNumber')}
              />
            </div>
          </Card>
          <Card title={t('organisation.reading')} text={t('organisation.readingText')}>
            <div className={styles.grid}>
              <SelectField
                {...form.text('timeZone')}
                label={t('organisation.timeZone')}
                hint={hint('timeZone', t('organisation.timeZoneHint'))}
                options={zones}
              />
              <SelectField
                {...form.text('language')}
                label={t('organisation.language')}
                hint={hint('language')}
                options={words.languages}
              />
              <SelectField
                {...form.text('distanceUnit')}
                label={t('organisation.distanceUnit')}
                hint={hint('distanceUnit')}
                options={units('distanceUnit', ['mi', 'km'])}
              />
              <SelectField
                {...form.text('volumeUnit')}
                label={t('organisation.volumeUnit')}
                hint={hint('volumeUnit')}
                options={units('volumeUnit', ['gal', 'l'])}
              />
              <SelectField
                {...form.text('temperatureUnit')}
                label={t('organisation.temperatureUnit')}
                hint={hint('temperatureUnit')}
                options={units('temperatureUnit', ['f', 'c'])}
              />
              <SelectField
                {...form.text('firstWeekday')}
                label={t('organisation.firstWeekday')}
                hint={hint('firstWeekday')}
                options={words.weekdays}
              />
              <SelectField
                {...form.text('currency')}
                label={t('organisation.currency')}
                hint={hint('currency')}
                options={words.currencies}
              />
              <TextField
                {...form.text('holidays')}
                className={styles.whole}
                label={t('organisation.holidays')}
                optional={t('forms:optional')}
                hint={hint('holidays', t('organisation.holidaysHint'))}
              />
            </div>
          </Card>
        </>
      )}
    </SettingsForm>
  );
}
