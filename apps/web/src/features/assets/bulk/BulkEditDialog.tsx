import { bulkChangeSchema, FUEL_TYPES, updateVehicles, VEHICLE_TYPES } from '@milepost/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../base/api.ts';
import { toast } from '../../../base/toasts/toast.ts';
import { changedHere } from '../../../changes/apply-changes.ts';
import type { MeasureSystem } from '../../../format/measure.ts';
import { useMeasureSystem } from '../../../format/use-measure-system.ts';
import { FormFrame } from '../../../forms/FormFrame.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { Button } from '../../../ui/Button.tsx';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { DialogActions } from '../../../ui/DialogActions.tsx';
import { SelectField } from '../../../ui/SelectField.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import { bodyOf, listOf } from '../../../vehicles/vehicle-form.ts';
import styles from './BulkEditDialog.module.css';

const FIELDS = [
  'type',
  'make',
  'model',
  'year',
  'fuelType',
  'tankLitres',
  'speedLimitKmh',
  'trackerModel',
  'addTags',
  'removeTags',
] as const;
type Field = (typeof FIELDS)[number];
type Values = Readonly<Record<Field, string>>;
const EMPTY = Object.fromEntries(FIELDS.map(field => [field, ''])) as Values;

interface Props {
  readonly ids: readonly string[];
  readonly onClose: () => void;
}

/** Edits many vehicles at once: only the ticked fields change, and a ticked empty field is cleared. */
export function BulkEditDialog(props: Props) {
  const { t } = useTranslation(['assets', 'forms']);
  return (
    <Dialog
      open
      onClose={props.onClose}
      title={t('bulk.title', { count: props.ids.length })}
      subtitle={t('bulk.text')}
      closeLabel={t('forms:close')}
    >
      <BulkEditForm {...props} />
    </Dialog>
  );
}

function BulkEditForm({ ids, onClose }: Props) {
  const { t } = useTranslation(['assets', 'vehicle', 'forms']);
  const system = useMeasureSystem();
  const [ticked, setTicked] = useState<ReadonlySet<Field>>(new Set());
  const form = useForm({
    schema: bulkChangeSchema.shape.change,
    initial: EMPTY,
    toBody: values => changeOf(values, ticked, system),
    save: change => call(updateVehicles, { body: { ids: [...ids], change } }),
    onSaved: ({ changed }) => {
      toast(t('bulk.saved', { count: changed }));
      void changedHere(['vehicle', ...ids]);
      onClose();
    },
  });

  const none = { value: '', label: t('bulk.empty') };
  const fieldOf = (field: Field) => {
    const common = { ...form.text(field), label: t(`bulk.fields.${field}`) };
    if (field === 'type') {
      return (
        <SelectField
          {...common}
          options={[none, ...VEHICLE_TYPES.map(type => ({ value: type, label: t(`vehicle:type.${type}`) }))]}
        />
      );
    }
    if (field === 'fuelType') {
      return (
        <SelectField
          {...common}
          options={[none, ...FUEL_TYPES.map(fuel => ({ value: fuel, label: t(`vehicle:fuel.${fuel}`) }))]}
        />
      );
    }
    const label =
      field === 'tankLitres'
        ? t(`edit.tank.${system.volume}`)
        : field === 'speedLimitKmh'
          ? t('edit.speedLimit', { unit: system.distance === 'mi' ? 'mph' : 'km/h' })
          : common.label;
    const isTags = field === 'addTags' || field === 'removeTags';
    return <TextField {...common} label={label} hint={isTags && t('edit.tagsHint')} autoComplete="off" />;
  };

  return (
    <FormFrame form={form} label={t('bulk.title', { count: ids.length })}>
      <fieldset className={styles.choice}>
        <legend>{t('bulk.choose')}</legend>
        {FIELDS.map((field, index) => (
          <Checkbox
            key={field}
            checked={ticked.has(field)}
            onChange={() => setTicked(before => before.symmetricDifference(new Set([field])))}
            {...(index === 0 && { 'data-autofocus': true })}
          >
            {t(`bulk.fields.${field}`)}
          </Checkbox>
        ))}
      </fieldset>
      {FIELDS.filter(field => ticked.has(field)).map(field => (
        <div key={field}>{fieldOf(field)}</div>
      ))}
      <DialogActions>
        <Button onClick={onClose}>{t('forms:cancel')}</Button>
        <Button type="submit" variant="primary" busy={form.saving} disabled={ticked.size === 0}>
          {t('bulk.action', { count: ids.length })}
        </Button>
      </DialogActions>
    </FormFrame>
  );
}

/** The ticked fields, by their names in the contract. */
function changeOf(values: Values, ticked: ReadonlySet<Field>, system: MeasureSystem): Record<string, unknown> {
  const { addTags, removeTags, ...rest } = values;
  const chosen = Object.fromEntries(Object.entries(rest).filter(([field]) => ticked.has(field as Field)));
  return {
    ...bodyOf(chosen, system),
    ...(ticked.has('addTags') && { addTags: listOf(addTags) }),
    ...(ticked.has('removeTags') && { removeTags: listOf(removeTags) }),
  };
}
