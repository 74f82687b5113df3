import { logSettingsSchema, type RosterDriver, RULE_SETS, updateLogSettings } from '@milepost/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../base/api.ts';
import { toast } from '../../../base/toasts/toast.ts';
import { FormFrame } from '../../../forms/FormFrame.tsx';
import { changedValues } from '../../../forms/field-messages.ts';
import { SaveBar } from '../../../forms/SaveBar.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { SelectField } from '../../../ui/SelectField.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import { carrierQuery } from '../queries.ts';
import { useRefresh } from '../use-refresh.ts';
import styles from './Roster.module.css';
import { settingsOf, valuesOf } from './settings-values.ts';

const schema = logSettingsSchema.partial();

/** How a driver's log is kept. Empty fields use the carrier's settings. */
export function SettingsForm({ driver }: { readonly driver: RosterDriver }) {
  const { t } = useTranslation(['eld', 'forms', 'logbook']);
  const refresh = useRefresh();
  const { data: carrier } = useQuery(carrierQuery);
  const [initial] = useState(() => valuesOf(driver.settings));
  const form = useForm({
    schema,
    initial,
    toBody: values => changedValues(settingsOf(initial), settingsOf(values)),
    save: body => call(updateLogSettings, { params: { driverId: driver.driverId }, body }),
    onSaved: ({ name }) => {
      toast(t('roster.saved', { name }));
      void refresh();
    },
  });
  const allowed = (carriers: boolean | undefined) => [
    { value: '', label: t('roster.asCarrier', { what: t(carriers ? 'roster.yes' : 'roster.no') }) },
    { value: 'yes', label: t('roster.yes') },
    { value: 'no', label: t('roster.no') },
  ];
  return (
    <FormFrame form={form} guarded className={styles.form} label={t('roster.settingsOf', { name: driver.name })}>
      <Checkbox {...form.flag('keepsLog')}>{t('roster.keepsLog')}</Checkbox>
      <SelectField
        {...form.text('ruleSet')}
        label={t('roster.ruleSet')}
        options={[
          {
            value: '',
            label: t('roster.asCarrier', { what: carrier ? t(`logbook:ruleSet.${carrier.ruleSet}`) : '' }),
          },
          ...RULE_SETS.map(value => ({ value, label: t(`logbook:ruleSet.${value}`) })),
        ]}
      />
      <SelectField
        {...form.text('terminalId')}
        label={t('roster.terminal')}
        options={[
          { value: '', label: t('roster.asCarrier', { what: carrier?.terminals[0]?.name ?? '' }) },
          ...(carrier?.terminals ?? []).map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
      <div className={styles.pair}>
        <SelectField
          {...form.text('personalUse')}
          label={t('logbook:status.PC')}
          options={allowed(carrier?.personalUse)}
        />
        <SelectField {...form.text('yardMoves')} label={t('logbook:status.YM')} options={allowed(carrier?.yardMoves)} />
      </div>
      <Checkbox {...form.flag('isExempt')}>{t('roster.isExempt')}</Checkbox>
      {form.values.isExempt && (
        <TextField
          {...form.text('exemptReason')}
          label={t('roster.exemptReason')}
          hint={t('roster.exemptHint')}
          maxLength={60}
          autoComplete="off"
        />
      )}
      <SaveBar form={form} />
    </FormFrame>
  );
}
