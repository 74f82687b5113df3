import { type Share, shareChangeSchema, updateShare } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import { call } from '../../base/api.ts';
import { toast } from '../../base/toasts/toast.ts';
import { momentOf, wallClock } from '../../format/time.ts';
import { FormFrame } from '../../forms/FormFrame.tsx';
import { useForm } from '../../forms/use-form.ts';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { useRefreshShares } from '../use-shares.ts';
import styles from './ShareLinks.module.css';

/** Changes when a link ends, to an earlier or later time. */
export function ChangeEnd({ share, onDone }: { readonly share: Share; readonly onDone: () => void }) {
  const { t } = useTranslation(['sharing', 'forms']);
  const refresh = useRefreshShares();
  const form = useForm({
    schema: shareChangeSchema,
    initial: { expiresAt: wallClock(Date.parse(share.expiresAt)) },
    toBody: ({ expiresAt }) => {
      const ms = momentOf(expiresAt);
      return { expiresAt: ms === null ? '' : new Date(ms).toISOString() };
    },
    save: body => call(updateShare, { params: { id: share.id }, body }),
    onSaved: () => {
      toast(t('forms:saved'));
      refresh();
      onDone();
    },
  });
  return (
    <FormFrame form={form} className={styles.ask} label={t('changeEnd')}>
      <TextField {...form.text('expiresAt')} type="datetime-local" label={t('until')} autoFocus />
      <div className={styles.actions}>
        <Button onClick={onDone}>{t('forms:cancel')}</Button>
        <Button type="submit" variant="primary" busy={form.saving}>
          {t('forms:save')}
        </Button>
      </div>
    </FormFrame>
  );
}
