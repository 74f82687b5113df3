import { type Settings, settingsSchema, updateSettings } from '@milepost/contract';
import { fromMiles, metres, toKilometres, toMiles } from '@milepost/units';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ACCOUNT_SETTINGS_KEY } from '../../../app/account-settings.ts';
import { call } from '../../../app/api.ts';
import { toast } from '../../../app/toasts/toast.ts';
import { useMeasureSystem } from '../../../format/use-measure-system.ts';
import { FormFrame } from '../../../forms/FormFrame.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { DialogActions } from '../../../ui/DialogActions.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import styles from './TargetsDialog.module.css';

const targetsSchema = settingsSchema.pick({
  targetDistanceKmPerWeek: true,
  targetUtilisationPercent: true,
  targetIdlePercent: true,
  targetKnownPercent: true,
});

interface Props {
  readonly settings: Settings;
  readonly onClose: () => void;
}

/** What the organization aims at; only whoever may change its settings gets here. */
export function TargetsDialog({ settings, onClose }: Props) {
  const { t } = useTranslation(['overview', 'forms']);
  return (
    <Dialog open onClose={onClose} title={t('targets.title')} closeLabel={t('forms:close')}>
      <TargetsForm settings={settings} onClose={onClose} />
    </Dialog>
  );
}

/** A comma is a point in half of the world. What is no number stays text, and the schema says so. */
const read = (text: string): number | string | null =>
  text.trim() === '' ? null : /^-?\d+([.,]\d+)?$/.test(text.trim()) ? Number(text.trim().replace(',', '.')) : text;

function TargetsForm({ settings, onClose }: Props) {
  const { t } = useTranslation(['overview', 'forms']);
  const queryClient = useQueryClient();
  const isMiles = useMeasureSystem().distance === 'mi';
  const shown = (km: number | null): string =>
    km === null ? '' : String(Math.round(isMiles ? toMiles(metres(km * 1000)) : km));
  const inKm = (text: string): number | string | null => {
    const written = read(text);
    return isMiles && typeof written === 'number' ? toKilometres(fromMiles(written)) : written;
  };
  const percent = (value: number | null): string => (value === null ? '' : String(value));
  const form = useForm({
    schema: targetsSchema,
    initial: {
      targetDistanceKmPerWeek: shown(settings.targetDistanceKmPerWeek),
      targetUtilisationPercent: percent(settings.targetUtilisationPercent),
      targetIdlePercent: percent(settings.targetIdlePercent),
      targetKnownPercent: percent(settings.targetKnownPercent),
    },
    toBody: values => ({
      targetDistanceKmPerWeek: inKm(values.targetDistanceKmPerWeek),
      targetUtilisationPercent: read(values.targetUtilisationPercent),
      targetIdlePercent: read(values.targetIdlePercent),
      targetKnownPercent: read(values.targetKnownPercent),
    }),
    save: body => call(updateSettings, { body }),
    onSaved: async () => {
      await queryClient.invalidateQueries({ queryKey: ACCOUNT_SETTINGS_KEY });
      await queryClient.invalidateQueries({ queryKey: ['overview'] });
      toast(t('targets.saved'));
      onClose();
    },
  });
  const fields = [
    ['targetDistanceKmPerWeek', t('targets.distance', { unit: isMiles ? 'mi' : 'km' })],
    ['targetUtilisationPercent', t('targets.utilisation')],
    ['targetIdlePercent', t('targets.idle')],
    ['targetKnownPercent', t('targets.known')],
  ] as const;
  return (
    <FormFrame form={form} className={styles.form}>
      <p className={styles.lead}>{t('targets.lead')}</p>
      {fields.map(([name, label]) => (
        <TextField key={name} {...form.text(name)} label={label} inputMode="decimal" autoComplete="off" />
      ))}
      <DialogActions>
        <Button onClick={onClose}>{t('forms:cancel')}</Button>
        <Button type="submit" variant="primary" busy={form.saving}>
          {t('forms:save')}
        </Button>
      </DialogActions>
    </FormFrame>
  );
}
