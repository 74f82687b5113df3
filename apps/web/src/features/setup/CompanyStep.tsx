import { readTenant, settingsChangeSchema, tenantChangeSchema, updateSettings, updateTenant } from '@milepost/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { ACCOUNT_SETTINGS_KEY, accountSettingsQuery } from '../../base/account-settings.ts';
import { call } from '../../base/api.ts';
import { setOrganisation } from '../../base/session/preferences.ts';
import { setTenant } from '../../base/tenant/tenant.ts';
import { useForm } from '../../forms/use-form.ts';
import { SelectField } from '../../ui/SelectField.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { FormStep, type StepProps, UnreadStep } from './StepFrame.tsx';

const UNITS = { distanceUnit: ['mi', 'km'], volumeUnit: ['gal', 'l'], temperatureUnit: ['f', 'c'] } as const;
const UNIT_NAMES = ['distanceUnit', 'volumeUnit', 'temperatureUnit'] as const;

const companySchema = z.object({
  name: tenantChangeSchema.shape.name.unwrap(),
  ...settingsChangeSchema.pick({ timeZone: true, distanceUnit: true, volumeUnit: true, temperatureUnit: true }).shape,
});

/** The company's name, and the formats for times and quantities. */
export function CompanyStep(props: StepProps) {
  const { t } = useTranslation('setup');
  const tenant = useQuery({ queryKey: ['setup', 'tenant'], queryFn: () => call(readTenant) });
  const settings = useQuery(accountSettingsQuery);
  if (tenant.data?.tenant && settings.data) {
    const { id, name } = tenant.data.tenant;
    return <CompanyForm {...props} id={id} name={name} settings={settings.data.settings} />;
  }
  const again = (): void => void Promise.all([tenant.refetch(), settings.refetch()]);
  const head = { title: t('company.title'), text: t('company.text') };
  return <UnreadStep head={head} step={props} error={tenant.error ?? settings.error} onRetry={again} />;
}

interface FormProps extends StepProps {
  readonly id: string;
  readonly name: string;
  readonly settings: {
    readonly timeZone: string;
    readonly distanceUnit: string;
    readonly volumeUnit: string;
    readonly temperatureUnit: string;
  };
}

function CompanyForm({ id, name, settings, ...props }: FormProps) {
  const { t } = useTranslation(['setup', 'settings']);
  const queries = useQueryClient();
  const zones = useMemo(
    () => Intl.supportedValuesOf('timeZone').map(zone => ({ value: zone, label: zone.replaceAll('_', ' ') })),
    [],
  );
  const { timeZone, distanceUnit, volumeUnit, temperatureUnit } = settings;
  const form = useForm({
    schema: companySchema,
    initial: { name, timeZone, distanceUnit, volumeUnit, temperatureUnit },
    save: async ({ name: wanted, ...body }) => {
      const { tenant } = await call(updateTenant, { params: { id }, body: { name: wanted } });
      return { tenant, saved: await call(updateSettings, { body }) };
    },
    onSaved: ({ tenant, saved }) => {
      setTenant(tenant);
      queries.setQueryData(['setup', 'tenant'], { tenant });
      queries.setQueryData(ACCOUNT_SETTINGS_KEY, { settings: saved.settings });
      setOrganisation(saved.settings);
      void props.onDone();
    },
  });
  return (
    <FormStep form={form} step={props} head={{ title: t('company.title'), text: t('company.text') }}>
      <TextField
        {...form.text('name')}
        label={t('settings:branding.name')}
        hint={t('company.hint')}
        autoComplete="organization"
      />
      <SelectField
        {...form.text('timeZone')}
        label={t('settings:organisation.timeZone')}
        hint={t('settings:organisation.timeZoneHint')}
        options={zones}
      />
      {UNIT_NAMES.map(unit => (
        <SelectField
          key={unit}
          {...form.text(unit)}
          label={t(`settings:organisation.${unit}`)}
          options={UNITS[unit].map(value => ({
            value,
            label: t(`settings:units.${unit}.${value}` as 'settings:units.distanceUnit.km'),
          }))}
        />
      ))}
    </FormStep>
  );
}
