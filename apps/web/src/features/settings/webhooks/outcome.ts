import type { WebhookDelivery } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import { formatDuration } from '../../../format/duration.ts';
import { formatCount } from '../../../format/locale.ts';

type Tried = Pick<WebhookDelivery, 'failure' | 'status' | 'tookMs'>;

/** The outcome of the last attempt in one line: the failure or status code, and how long it took. */
export function useOutcome(): (tried: Tried) => string {
  const { t } = useTranslation('webhooks');
  return ({ failure, status, tookMs }) =>
    [
      failure && t(`failure.${failure}`),
      status !== null && t('answered', { status: String(status) }),
      tookMs !== null && (tookMs < 1000 ? t('ms', { ms: formatCount(tookMs) }) : formatDuration(tookMs)),
    ]
      .filter(Boolean)
      .join(' · ');
}
