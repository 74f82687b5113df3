import { disputeEvidence, newDisputeSchema, type PerformanceDays } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import { call } from '../../../base/api.ts';
import { toast } from '../../../base/toasts/toast.ts';
import { FormFrame } from '../../../forms/FormFrame.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { Button } from '../../../ui/Button.tsx';
import { TextArea } from '../../../ui/TextField.tsx';
import { useRefresh } from '../use-refresh.ts';
import styles from './Inspector.module.css';

interface Props {
  readonly evidence: string;
  readonly days: PerformanceDays;
  /** What the driver said before, if the desk has not decided yet. */
  readonly initial: string;
  readonly onDone: () => void;
}

/** The driver's reply to something that counts against them. */
export function DisputeForm({ evidence, days, initial, onDone }: Props) {
  const { t } = useTranslation(['eld', 'forms']);
  const refresh = useRefresh();
  const form = useForm({
    schema: newDisputeSchema,
    initial: { evidence, text: initial },
    save: body => call(disputeEvidence, { query: { days }, body }),
    onSaved: () => {
      toast(t('dispute.sent'));
      void refresh();
      onDone();
    },
  });
  return (
    <FormFrame form={form} label={t('dispute.start')}>
      <TextArea {...form.text('text')} label={t('dispute.text')} hint={t('dispute.hint')} maxLength={500} />
      <div className={styles.actions}>
        <Button onClick={onDone}>{t('forms:cancel')}</Button>
        <Button variant="primary" type="submit" busy={form.saving}>
          {t('dispute.send')}
        </Button>
      </div>
    </FormFrame>
  );
}
