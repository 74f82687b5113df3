import { type Settings, updateSettings } from '@milepost/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ACCOUNT_SETTINGS_KEY, accountSettingsQuery } from '../../../base/account-settings.ts';
import { call } from '../../../base/api.ts';
import { describeError } from '../../../base/describe-error.ts';
import { RetryButton } from '../../../base/RetryButton.tsx';
import { toast } from '../../../base/toasts/toast.ts';
import { useMeasureSystem } from '../../../format/use-measure-system.ts';
import { FormFrame } from '../../../forms/FormFrame.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { DialogActions } from '../../../ui/DialogActions.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import styles from './TargetsDialog.module.css';
import { changedTargets, targetsSchema, targetTexts } from './target-values.ts';

/** The organization's targets. Only users who may change its settings get here. */
export function TargetsDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation(['overview', 'forms']);
  // The page uses defaults if the settings can't be loaded, but only loaded settings may be edited.
  const { data, error, refetch } = useQuery(accountSettingsQuery);
  return (
    <Dialog open onClose={onClose} title={t('targets.title')} closeLabel={t('forms:close')}>
      {data ? (
        <TargetsForm settings={data.settings} onClose={onClose} />
      ) : error ? (
        <ErrorState
          title={t('targets.failed')}
          text={describeError(error).message}
          actions={<RetryButton error={error} onRetry={() => void refetch()} variant="primary" />}
        />
      ) : (
        <p className={styles.lead} role="status">
          {t('targets.reading')}
        </p>
      )}
    </Dialog>
  );
}

function TargetsForm({ settings, onClose }: { readonly settings: Settings; readonly onClose: () => void }) {
  const { t } = useTranslation(['overview', 'forms']);
  const queryClient = useQueryClient();
  const system = useMeasureSystem();
  const initial = targetTexts(settings, system);
  const form = useForm({
    schema: targetsSchema,
    initial,
    toBody: texts => changedTargets(initial, texts, system),
    save: body => call(updateSettings, { body }),
    onSaved: async () => {
      await queryClient.invalidateQueries({ queryKey: ACCOUNT_SETTINGS_KEY });
      await queryClient.invalidateQueries({ queryKey: ['overview'] });
      toast(t('targets.saved'));
      onClose();
    },
  });
  const fields = [
    ['targetDistanceKmPerWeek', t('targets.distance', { unit: system.distance })],
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
        <Button type="submit" variant="primary" busy={form.saving} disabled={form.changed.length === 0}>
          {t('forms:save')}
        </Button>
      </DialogActions>
    </FormFrame>
  );
}
