import { type Alert, type AlertDelivery, alertSubject, DELIVERY_DAYS, readAlertDeliveries } from '@milepost/contract';
import { IconDeviceMobile, IconMail, IconWebhook } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { alertWords } from '../../alerts/alert-words.ts';
import { call } from '../../base/api.ts';
import { NotLoaded } from '../../base/NotLoaded.tsx';
import { listOf } from '../../format/locale.ts';
import { formatMoment } from '../../format/time.ts';
import { deviceName } from '../../format/user-agent.ts';
import { useFromNow } from '../../live/view.ts';
import { Chip, type ChipTone } from '../../ui/Chip.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { FactList } from '../../ui/FactList.tsx';
import styles from './Notified.module.css';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** How often it is read again while something is on its way. */
const AGAIN_MS = 5000;

const ICONS = { mail: IconMail, push: IconDeviceMobile, webhook: IconWebhook } as const;
const TONES: Readonly<Record<AlertDelivery['state'], ChipTone>> = {
  ...{ waiting: 'neutral', retrying: 'warning', sent: 'ok', failed: 'critical', digest: 'neutral', quiet: 'neutral' },
};
const isUnderWay = ({ state }: AlertDelivery): boolean => state === 'waiting' || state === 'retrying';

interface Props {
  readonly alert: Alert;
  readonly onClose: () => void;
}

/** To whom an alert went, by which way and when, and what came of it. */
export function Component({ alert, onClose }: Props) {
  const { t } = useTranslation(['alertDeliveries', 'forms']);
  const nowMs = useFromNow(ms => Math.floor(ms / MINUTE_MS) * MINUTE_MS);
  const { data, error, refetch } = useQuery({
    queryKey: ['alert-deliveries', alert.id],
    queryFn: () => call(readAlertDeliveries, { params: { id: alert.id } }),
    refetchInterval: ({ state }) => (state.data?.deliveries.some(isUnderWay) ? AGAIN_MS : false),
    gcTime: 0,
  });
  const moment = (iso: string): string => formatMoment(Date.parse(iso), nowMs);
  const { acknowledgedAt, acknowledgedBy, escalation, muted, note, openedAt } = alert;
  const subtitle = t('subtitle', { what: alertWords(alert), vehicle: alertSubject(alert), time: moment(openedAt) });
  return (
    <Dialog open onClose={onClose} title={t('title')} subtitle={subtitle} closeLabel={t('forms:close')}>
      <div className={styles.body}>
        <FactList
          facts={[
            [t('app'), muted ? t('appMuted') : t('appText', { time: moment(openedAt) })],
            [
              t('acknowledgedBy'),
              acknowledgedBy && acknowledgedAt
                ? t('by', { name: acknowledgedBy.name, time: moment(acknowledgedAt) })
                : acknowledgedAt === null && t('nobodyYet'),
            ],
            [t('note'), note],
            [
              t('escalatedTo'),
              escalation && t('escalated', { names: listOf(escalation.to), time: moment(escalation.at) }),
            ],
          ]}
        />
        {!data ? (
          <NotLoaded className={styles.loading} error={error} onRetry={() => void refetch()} />
        ) : (
          <>
            {data.deliveries.length > 0 && (
              <table className={styles.list}>
                <caption>{t('list')}</caption>
                <thead>
                  <tr>
                    <th scope="col">{t('to')}</th>
                    <th scope="col">{t('way')}</th>
                    <th scope="col">{t('result')}</th>
                  </tr>
                </thead>
                <tbody>
                  {data.deliveries.map((delivery, nth) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: they have no ids, and are only ever added to.
                    <Row key={nth} delivery={delivery} moment={moment} />
                  ))}
                </tbody>
              </table>
            )}
            {data.deliveries.length === 0 && <p className={styles.none}>{none(data.others)}</p>}
            {data.others > 0 && <p className={styles.none}>{t('others', { count: data.others })}</p>}
          </>
        )}
      </div>
    </Dialog>
  );

  function none(others: number): string {
    if (others > 0) return t('noneOfMine');
    const isOld = Date.parse(openedAt) < nowMs - DELIVERY_DAYS * DAY_MS;
    return isOld ? t('noneOld', { count: DELIVERY_DAYS }) : t('none');
  }
}

interface RowProps {
  readonly delivery: AlertDelivery;
  readonly moment: (iso: string) => string;
}

function Row({ delivery: { at, browser, failure, name, reason, state, tries, via }, moment }: RowProps) {
  const { t } = useTranslation('alertDeliveries');
  const Icon = ICONS[via];
  const device = browser === null ? '' : deviceName(browser);
  const facts = [
    at && (state === 'retrying' ? t('nextTry', { time: moment(at) }) : moment(at)),
    tries !== null && tries > 1 && t('tries', { count: tries }),
    failure && t(`failure.${failure}`),
  ];
  return (
    <tr>
      <th scope="row">
        {name}
        {reason !== 'opened' && <span>{t(`reason.${reason}`)}</span>}
      </th>
      <td>
        <span className={styles.way}>
          <Icon size={16} stroke={1.75} aria-hidden />
          {via === 'push' && device ? t('pushOn', { browser: device }) : t(via)}
        </span>
      </td>
      <td>
        <Chip tone={TONES[state]}>{t(`state.${state}`)}</Chip>
        <span>{facts.filter(Boolean).join(' · ')}</span>
      </td>
    </tr>
  );
}
