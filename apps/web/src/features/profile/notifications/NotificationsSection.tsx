import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Part } from '../../../base/chunks/Part.tsx';
import { withTexts } from '../../../base/chunks/with-texts.ts';
import { useMyNotifications } from '../../../notifications/my-notifications.ts';
import { paths } from '../../../paths.ts';
import { ReadState } from '../../../registry/ReadState.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { ChoiceForm } from './ChoiceForm.tsx';

const PushCard = withTexts(() => import('./push/PushCard.tsx'), {
  push: () => import('../../../locales/en-US/push.json'),
});

/** Which alerts this user gets by e-mail, and the quiet hours. */
export function NotificationsSection() {
  const { t } = useTranslation('notifications');
  const { data, error, refetch } = useMyNotifications();
  if (!data) return <ReadState error={error} onRetry={() => void refetch()} />;
  if (!data.mayReadAlerts) return <Notice>{t('mine.noAlerts')}</Notice>;
  return (
    <>
      {(!data.organisation.mail || !data.works) && <Notice>{t('mine.off')}</Notice>}
      {data.address === null && (
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
