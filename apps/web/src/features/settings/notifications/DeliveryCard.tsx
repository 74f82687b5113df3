import { may, sendTestMail } from '@milepost/contract';
import { IconMailForward } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../../app/api.ts';
import { describeError } from '../../../app/describe-error.ts';
import { useSession } from '../../../app/session/session.ts';
import { formatMoment } from '../../../format/time.ts';
import { Button } from '../../../ui/Button.tsx';
import { FactList } from '../../../ui/FactList.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { Card } from '../SectionFrame.tsx';
import styles from './DeliveryCard.module.css';
import type { NotificationsAnswer } from './notification-settings.ts';

/** How the sending goes, and a mail to oneself to try it. */
export function DeliveryCard({ delivery }: Pick<NotificationsAnswer, 'delivery'>) {
  const { t } = useTranslation('notifications');
  const mayTest = useSession(({ me }) => me !== null && may(me, 'settings.write'));
  const { givenUp, lastFailure, lastSentAt, waiting } = delivery;
  const moment = (iso: string): string => formatMoment(Date.parse(iso), Date.now());
  return (
    <Card title={t('delivery.title')}>
      <FactList
        facts={[
          [t('delivery.waiting'), t('delivery.alerts', { count: waiting })],
          [t('delivery.lastSent'), lastSentAt === null ? t('delivery.never') : moment(lastSentAt)],
          [
            t('delivery.lastFailure'),
            lastFailure && `${moment(lastFailure.at)} · ${t(`outcome.${lastFailure.reason}`)}`,
          ],
          [t('delivery.givenUp'), givenUp > 0 && t('delivery.alerts', { count: givenUp })],
        ]}
      />
      {mayTest && <TestMail />}
    </Card>
  );
}

function TestMail() {
  const { t } = useTranslation('notifications');
  const { mutate, data, error, isPending } = useMutation({ mutationFn: () => call(sendTestMail) });
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
