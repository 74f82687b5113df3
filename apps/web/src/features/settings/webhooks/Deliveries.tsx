import { sendWebhookDelivery, WEBHOOK_TRIES_MAX, type Webhook, type WebhookDelivery } from '@milepost/contract';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../base/api.ts';
import { describeError } from '../../../base/describe-error.ts';
import { toast } from '../../../base/toasts/toast.ts';
import { formatMoment } from '../../../format/time.ts';
import { useNow } from '../../../live/view.ts';
import { ReadState } from '../../../registry/ReadState.tsx';
import { Button } from '../../../ui/Button.tsx';
import { Chip } from '../../../ui/Chip.tsx';
import { Segments } from '../../../ui/Segments.tsx';
import { useOutcome } from './outcome.ts';
import { type DeliveryState, useDeliveries, useRefresh } from './queries.ts';
import styles from './Webhooks.module.css';

const VIEWS = ['all', 'waiting', 'failed'] as const;
const TONES = { waiting: 'info', delivered: 'ok', failed: 'critical' } as const;

/** Deliveries of the last 7 days, newest first: the outcome of each, and when it is tried again. */
export function Deliveries({ webhook }: { readonly webhook: Webhook }) {
  const { t } = useTranslation('webhooks');
  const [view, setView] = useState<DeliveryState | 'all'>('all');
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useDeliveries(webhook.id, view);
  const deliveries = data?.pages.flat();
  return (
    <section className={styles.deliveries} aria-label={t('deliveries.of', { name: webhook.name })}>
      <Segments
        label={t('deliveries.which')}
        chosen={view}
        onChoose={setView}
        segments={VIEWS.map(id => ({
          id,
          label: t(`deliveries.view.${id}`),
          count: id === 'all' ? undefined : webhook[id],
        }))}
      />
      {!deliveries && <ReadState error={error} onRetry={() => void refetch()} />}
      {deliveries?.length === 0 && (
        <p className={styles.none}>{t(`deliveries.none.${view}` as 'deliveries.none.all')}</p>
      )}
      <ul>
        {deliveries?.map(delivery => (
          <DeliveryRow key={delivery.id} delivery={delivery} isOn={webhook.enabled} />
        ))}
      </ul>
      {hasNextPage && (
        <div>
          <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {t('deliveries.more')}
          </Button>
        </div>
      )}
    </section>
  );
}

function DeliveryRow({ delivery, isOn }: { readonly delivery: WebhookDelivery; readonly isOn: boolean }) {
  const { t } = useTranslation(['webhooks', 'alerts']);
  const now = useNow();
  const refresh = useRefresh();
  const outcomeOf = useOutcome();
  const again = useMutation({
    mutationFn: () => call(sendWebhookDelivery, { params: { id: delivery.id } }),
    onSuccess: () => toast(t('deliveries.queued')),
    onError: error => toast(describeError(error).message, 'error'),
    onSettled: refresh,
  });
  const { alert, answer, createdAt, failure, nextAt, state, tries } = delivery;
  const moment = (iso: string): string => formatMoment(Date.parse(iso), now);
  const what = alert
    ? `${alert.rule ?? t(`alerts:kind.${alert.kind}`, { defaultValue: alert.kind })} · ${alert.deviceName}`
    : t('deliveries.test');
  const next = nextAt !== null && isOn && Date.parse(nextAt) > now;
  const facts = [
    moment(createdAt),
    tries > 0 && outcomeOf(delivery),
    tries > 1 && t('deliveries.tries', { tries, max: WEBHOOK_TRIES_MAX }),
    next && t('deliveries.next', { time: moment(nextAt) }),
    state === 'waiting' && !isOn && t('deliveries.off'),
  ];
  const label = t(state === 'waiting' ? 'deliveries.now' : 'deliveries.again');
  return (
    <li>
      <div className={styles.what}>
        <Chip tone={state === 'waiting' && failure !== null ? 'warning' : TONES[state]}>
          {t(`deliveries.state.${state}`)}
        </Chip>
        <b>{what}</b>
        <small>{facts.filter(Boolean).join(' · ')}</small>
        {answer && state !== 'delivered' && <code>{answer}</code>}
      </div>
      {isOn && (
        <Button busy={again.isPending} onClick={() => again.mutate()} aria-label={`${label}: ${what}`}>
          {label}
        </Button>
      )}
    </li>
  );
}
