import {
  readTenant,
  settingsChangeSchema,
  type Tenant,
  tenantChangeSchema,
  updateSettings,
  updateTenant,
} from '@milepost/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { ACCOUNT_SETTINGS_KEY, accountSettingsQuery } from '../../base/account-settings.ts';
import { call } from '../../base/api.ts';
import { setOrganisation } from '../../base/session/preferences.ts';
import { useSession } from '../../base/session/session.ts';
import { setTenant } from '../../base/tenant/tenant.ts';
import { LogoSlot } from '../../branding/LogoSlot.tsx';
import { measureSystemOf } from '../../format/measure.ts';
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
    return <CompanyForm {...props} tenant={tenant.data.tenant} settings={settings.data.settings} />;
  }
  const again = (): void => void Promise.all([tenant.refetch(), settings.refetch()]);
  const head = { title: t('company.title'), text: t('company.text') };
  return <UnreadStep head={head} step={props} error={tenant.error ?? settings.error} onRetry={again} />;
}

/** What to suggest until the user has answered: the time zone of this browser, and the units of its language. */
function ofBrowser(): Partial<FormProps['settings']> {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const { distance, volume, temperature } = measureSystemOf(navigator.language);
  return {
    // Some browsers have zones that can't be chosen, such as UTC.
    ...(Intl.supportedValuesOf('timeZone').includes(timeZone) && { timeZone }),
    distanceUnit: distance,
    volumeUnit: volume,
    temperatureUnit: temperature,
  };
}

interface FormProps extends StepProps {
  readonly tenant: Tenant;
  readonly settings: {
    readonly timeZone: string;
    readonly distanceUnit: string;
    readonly volumeUnit: string;
    readonly temperatureUnit: string;
  };
}

function CompanyForm({ tenant, settings, ...props }: FormProps) {
  const { t } = useTranslation(['setup', 'settings']);
  const queries = useQueryClient();
  const zones = useMemo(
    () => Intl.supportedValuesOf('timeZone').map(zone => ({ value: zone, label: zone.replaceAll('_', ' ') })),
    [],
  );
  const answered = useSession(({ me }) => me?.preferences.setupDone?.includes('company'));
  const { timeZone, distanceUnit, volumeUnit, temperatureUnit } = answered ? settings : { ...settings, ...ofBrowser() };
  const takeTenant = (changed: Tenant): void => {
    setTenant(changed);
    queries.setQueryData(['setup', 'tenant'], { tenant: changed });
  };
  const form = useForm({
    schema: companySchema,
    initial: { name: tenant.name, timeZone, distanceUnit, volumeUnit, temperatureUnit },
    save: async ({ name: wanted, ...body }) => {
      const changed = await call(updateTenant, { params: { id: tenant.id }, body: { name: wanted } });
      return { changed: changed.tenant, saved: await call(updateSettings, { body }) };
    },
    onSaved: ({ changed, saved }) => {
      takeTenant(changed);
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
      <LogoSlot tenant={tenant} onChange={takeTenant} />
    </FormStep>
  );
}
