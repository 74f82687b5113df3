import { sendTestMail } from '@milepost/contract';
import { IconMailForward } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../base/api.ts';
import { describeError } from '../base/describe-error.ts';
import { Button } from '../ui/Button.tsx';
import { Notice } from '../ui/Notice.tsx';
import styles from './TestMail.module.css';

/** Sends the user a test email and shows the result. */
export function TestMail({ onSent }: { readonly onSent?: () => void }) {
  const { t } = useTranslation('notifications');
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: () => call(sendTestMail),
    onSuccess: ({ outcome }) => outcome === 'sent' && onSent?.(),
  });
  const sent = data?.outcome === 'sent';
  return (
    <div className={styles.test}>
      <Button busy={isPending} icon={<IconMailForward size={16} stroke={1.75} aria-hidden />} onClick={() => mutate()}>
        {t('test.send')}
      </Button>
      <div role="status" className={styles.outcome}>
        {!isPending && error && <Notice tone="critical">{describeError(error).message}</Notice>}
        {!isPending && data && (
          <Notice tone={sent ? 'ok' : 'warning'}>
            {t(`outcome.${data.outcome}`, { address: data.address ?? '' })}
          </Notice>
        )}
      </div>
    </div>
  );
}
