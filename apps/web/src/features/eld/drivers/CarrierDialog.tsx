import { type Carrier, carrierSchema, RULE_SETS, updateCarrier, VEHICLE_CHOICES } from '@milepost/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../base/api.ts';
import { toast } from '../../../base/toasts/toast.ts';
import { useMeasureSystem } from '../../../format/use-measure-system.ts';
import { FormFrame } from '../../../forms/FormFrame.tsx';
import { changedValues } from '../../../forms/field-messages.ts';
import { useForm } from '../../../forms/use-form.ts';
import { ReadState } from '../../../registry/ReadState.tsx';
import { Button } from '../../../ui/Button.tsx';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { DialogActions } from '../../../ui/DialogActions.tsx';
import { SelectField } from '../../../ui/SelectField.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import { carrierQuery } from '../queries.ts';
import { useRefresh } from '../use-refresh.ts';
import { carrierOf, carrierValues } from './carrier-values.ts';
import styles from './Roster.module.css';
import { TerminalFields } from './TerminalFields.tsx';

const schema = carrierSchema.partial();

/** The carrier's details for logs: name, USDOT number, terminals, and drivers' default settings. */
export function CarrierDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation(['eld', 'forms']);
  const { data, error, refetch } = useQuery(carrierQuery);
  return (
    <Dialog open onClose={onClose} title={t('carrier.title')} closeLabel={t('forms:close')}>
      {data ? (
        <CarrierForm carrier={data} onClose={onClose} />
      ) : (
        <ReadState error={error} onRetry={() => void refetch()} />
      )}
    </Dialog>
  );
}

function CarrierForm({ carrier, onClose }: { readonly carrier: Carrier; readonly onClose: () => void }) {
  const { t } = useTranslation(['eld', 'forms', 'logbook']);
  const refresh = useRefresh();
  const system = useMeasureSystem();
  const [initial] = useState(() => carrierValues(carrier, system));
  const form = useForm({
    schema,
    initial,
    toBody: values => changedValues(carrierOf(initial, system), carrierOf(values, system)),
    save: body => call(updateCarrier, { body }),
    onSaved: () => {
      toast(t('carrier.saved'));
      void refresh();
      onClose();
    },
  });
  const optional = t('forms:optional');
  return (
    <FormFrame form={form} guarded>
      <div className={styles.pair}>
        <TextField
          {...form.text('name')}
          label={t('carrier.name')}
          optional={optional}
          hint={t('carrier.nameHint')}
          autoComplete="off"
          data-autofocus
        />
        <TextField
          {...form.text('usdotNumber')}
          label={t('carrier.usdot')}
          optional={optional}
          inputMode="numeric"
          autoComplete="off"
        />
      </div>
      <SelectField
        {...form.text('ruleSet')}
        label={t('roster.ruleSet')}
        options={RULE_SETS.map(value => ({ value, label: t(`logbook:ruleSet.${value}`) }))}
      />
      <Checkbox {...form.flag('personalUse')}>{t('carrier.personalUse')}</Checkbox>
      {form.values.personalUse && (
        <TextField
          {...form.text('personalUseLimitKm')}
          label={t('carrier.limit', { unit: system.distance })}
          optional={optional}
          hint={t('carrier.limitHint')}
          inputMode="decimal"
          autoComplete="off"
        />
      )}
      <Checkbox {...form.flag('yardMoves')}>{t('carrier.yardMoves')}</Checkbox>
      <SelectField
        {...form.text('vehicleChoice')}
        label={t('carrier.vehicleChoice')}
        hint={t('carrier.vehicleChoiceHint')}
        options={VEHICLE_CHOICES.map(value => ({ value, label: t(`carrier.vehicleChoices.${value}`) }))}
      />
      <TerminalFields
        terminals={form.values.terminals}
        error={form.messages.terminals}
        onChange={terminals => form.set('terminals', terminals)}
      />
      <DialogActions>
        <Button onClick={onClose}>{t('forms:cancel')}</Button>
        <Button variant="primary" type="submit" busy={form.saving}>
          {t('carrier.action')}
        </Button>
      </DialogActions>
    </FormFrame>
  );
}
