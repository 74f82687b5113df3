import { useTranslation } from 'react-i18next';
import { RetryButton } from '../../base/RetryButton.tsx';
import { formatClock } from '../../format/time.ts';
import { Notice } from '../../ui/Notice.tsx';

interface Props {
  readonly query: {
    readonly data: unknown;
    readonly error: Error | null;
    readonly dataUpdatedAt: number;
    readonly refetch: () => unknown;
  };
}

/** Says that the data shown is old and since when, with a button to retry. Renders nothing if it is current. */
export function Stale({ query: { data, error, dataUpdatedAt, refetch } }: Props) {
  const { t } = useTranslation('eld');
  if (data === undefined || error === null) return null;
  return (
    <Notice tone="warning" role="status">
      {t('stale', { time: formatClock(dataUpdatedAt) })} <RetryButton error={error} onRetry={() => void refetch()} />
    </Notice>
  );
}
