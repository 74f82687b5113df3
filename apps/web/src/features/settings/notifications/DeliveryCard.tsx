import { may } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../../base/session/session.ts';
import { formatMoment } from '../../../format/time.ts';
import { TestMail } from '../../../notifications/TestMail.tsx';
import { FactList } from '../../../ui/FactList.tsx';
import { Card } from '../SectionFrame.tsx';
import type { NotificationsAnswer } from './notification-settings.ts';

/** Delivery of notifications, and a button that sends a test e-mail to the user. */
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
