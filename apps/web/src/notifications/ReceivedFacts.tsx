import type { ReceivedAlerts } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import { formatMoment } from '../format/time.ts';
import { FactList } from '../ui/FactList.tsx';
import { receivedIn } from './received.ts';

interface Props {
  /** The user's day. */
  readonly today: string;
  readonly received: readonly ReceivedAlerts[];
}

/** How many alerts reached someone by email and push, today and in the last seven days. */
export function ReceivedFacts({ today, received }: Props) {
  const { t } = useTranslation('notifications');
  const { alerts, beyond, digestAt, week } = receivedIn(received, today);
  return (
    <FactList
      facts={[
        [t('limit.today'), t('delivery.alerts', { count: alerts })],
        [
          t('limit.beyond'),
          digestAt !== null &&
            `${t('delivery.alerts', { count: beyond })} · ${t('limit.together', { time: formatMoment(Date.parse(digestAt), Date.now()) })}`,
        ],
        [t('limit.week'), t('delivery.alerts', { count: week })],
      ]}
    />
  );
}
