import { DEFAULT_COLOURS, type Tenant, tenantChangeSchema, updateTenant } from '@milepost/contract';
import { IconRestore } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../../base/api.ts';
import { setTenant } from '../../../base/tenant/tenant.ts';
import type { BrandColours } from '../../../base/theme/brand/brand-sheet.ts';
import { toast } from '../../../base/toasts/toast.ts';
import { FormFrame } from '../../../forms/FormFrame.tsx';
import { changedValues } from '../../../forms/field-messages.ts';
import { SaveBar } from '../../../forms/SaveBar.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { Button } from '../../../ui/Button.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import { Card, SectionFrame } from '../SectionFrame.tsx';
import styles from '../SettingsForm.module.css';
import { BrandImages } from './BrandImages.tsx';
import { BrandPreview } from './BrandPreview.tsx';
import { ColourField, isColour } from './ColourField.tsx';

const COLOURS = ['primaryColour', 'secondaryColour', 'activeColour'] as const;

/** Name, address and colors of the tenant, with a preview before they are saved. */
export function BrandForm({ tenant }: { readonly tenant: Tenant }) {
  const { t } = useTranslation(['settings', 'forms']);
  const queries = useQueryClient();
  const keep = (saved: Tenant): void => {
    queries.setQueryData(['tenant'], saved);
    setTenant(saved);
  };
  const initial = {
    name: tenant.name,
    hostName: tenant.hostName ?? '',
    primaryColour: tenant.primaryColour,
    secondaryColour: tenant.secondaryColour,
    activeColour: tenant.activeColour,
  };
  const form = useForm({
    schema: tenantChangeSchema,
    initial,
    toBody: values => changedValues(initial, values),
    save: async body => (await call(updateTenant, { params: { id: tenant.id }, body })).tenant,
    onSaved: saved => {
      keep(saved);
      toast(t('forms:saved'));
    },
    problemFields: { 'host-name-taken': 'hostName' },
  });
  // While a color is being typed, the preview keeps the last complete one.
  const colours = Object.fromEntries(
    COLOURS.map(name => [name, isColour(form.values[name]) ? form.values[name].toLowerCase() : tenant[name]]),
  ) as unknown as BrandColours;

  return (
    <SectionFrame
      title={t('sections.branding')}
      aside={<BrandPreview colours={colours} name={form.values.name || tenant.name} />}
    >
      <FormFrame form={form} guarded label={t('sections.branding')}>
        <Card title={t('branding.colours')} text={t('branding.coloursText')}>
          {COLOURS.map(name => {
            const { value, error, onBlur } = form.text(name);
            return (
              <ColourField
                key={name}
                name={name}
                label={t(`branding.${name}`)}
                value={value}
                error={error}
                onBlur={onBlur}
                onChange={colour => form.set(name, colour)}
              />
            );
          })}
        </Card>
        <BrandImages tenant={tenant} onChange={keep} />
        <Card title={t('branding.names')}>
          <div className={styles.grid}>
            <TextField {...form.text('name')} label={t('branding.name')} hint={t('branding.nameHint')} />
            <TextField
              {...form.text('hostName')}
              label={t('branding.hostName')}
              optional={t('forms:optional')}
              hint={t('branding.hostNameHint')}
              inputMode="url"
              spellCheck={false}
              autoCapitalize="none"
            />
          </div>
        </Card>
        <SaveBar form={form} label={t('branding.save')}>
          <Button
            icon={<IconRestore size={16} stroke={1.75} aria-hidden />}
            onClick={() => {
              for (const name of COLOURS) form.set(name, DEFAULT_COLOURS[name]);
            }}
          >
            {t('branding.reset')}
          </Button>
        </SaveBar>
      </FormFrame>
    </SectionFrame>
  );
}
