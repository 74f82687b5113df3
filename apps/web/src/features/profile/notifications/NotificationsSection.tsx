import { may } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Part } from '../../../base/chunks/Part.tsx';
import { withTexts } from '../../../base/chunks/with-texts.ts';
import { useSession } from '../../../base/session/session.ts';
import { useMyNotifications } from '../../../notifications/my-notifications.ts';
import { paths } from '../../../paths.ts';
import { ReadState } from '../../../registry/ReadState.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { ChoiceForm } from './ChoiceForm.tsx';

const PushCard = withTexts(() => import('./push/PushCard.tsx'), {
  push: () => import('../../../locales/en-US/push.json'),
});

/** Which alerts this user gets by e-mail, and the quiet hours; for those with a log of their own, its notifications. */
export function NotificationsSection() {
  const { t } = useTranslation('notifications');
  const { data, error, refetch } = useMyNotifications();
  const hasOwnLog = useSession(({ me }) => me !== null && may(me, 'logbook.own'));
  if (!data) return <ReadState error={error} onRetry={() => void refetch()} />;
  if (!data.mayReadAlerts && !hasOwnLog) return <Notice>{t('mine.noAlerts')}</Notice>;
  return (
    <>
      {data.mayReadAlerts && (!data.organisation.mail || !data.works) && <Notice>{t('mine.off')}</Notice>}
      {data.mayReadAlerts && data.address === null && (
        <Notice tone="warning">
          {t('mine.noAddress')} <Link to={paths.profile('you')}>{t('mine.addAddress')}</Link>
        </Notice>
      )}
      <ChoiceForm answer={data} />
      <Part>
        <PushCard />
      </Part>
    </>
  );
}
