import {
  deletePushSubscription,
  may,
  type Permission,
  type RouteAnswer,
  readPush,
  SEVERITIES,
  type Severity,
} from '@milepost/contract';
import { IconBellRinging, IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../../../base/api.ts';
import { describeError } from '../../../../base/describe-error.ts';
import { useSession } from '../../../../base/session/session.ts';
import { toast } from '../../../../base/toasts/toast.ts';
import { formatDateOf } from '../../../../format/date.ts';
import { formatMoment } from '../../../../format/time.ts';
import { deviceOf } from '../../../../format/user-agent.ts';
import { useMinute } from '../../../../live/view.ts';
import { Button } from '../../../../ui/Button.tsx';
import { Checkbox } from '../../../../ui/Checkbox.tsx';
import { Chip } from '../../../../ui/Chip.tsx';
import { Notice } from '../../../../ui/Notice.tsx';
import { Card, RowItem, Rows } from '../../Card.tsx';
import { readBrowserPush, turnOffHere, turnOn } from './browser-push.ts';
import styles from './PushCard.module.css';

type Item = RouteAnswer<typeof readPush>['subscriptions'][number];

const PUSH = ['push'] as const;
const HERE = ['push', 'here'] as const;
const SUGGESTED: readonly Severity[] = ['critical', 'warning'];

/**
 * Push notifications, of alerts and of what the desk asks of the user’s own log: on or off in this browser, and the
 * user's other browsers.
 */
export function Component() {
  const { t } = useTranslation(['push', 'alerts', 'profile']);
  const queries = useQueryClient();
  const ofAlerts = useMay('alerts.read');
  const ofLog = useMay('logbook.own');
  const { data, error } = useQuery({ queryKey: [...PUSH, 'all'], queryFn: () => call(readPush), staleTime: 0 });
  const { data: here } = useQuery({ queryKey: HERE, queryFn: readBrowserPush, staleTime: 0 });
  const refresh = () => queries.invalidateQueries({ queryKey: PUSH });
  const choose = useMutation({
    mutationFn: async (severities: readonly Severity[]) => data && turnOn(data.publicKey, severities),
    onSuccess: made => made && toast(t('on')),
    onSettled: refresh,
  });
  const remove = useMutation({
    mutationFn: async (id: string) => {
      await call(deletePushSubscription, { params: { id } });
      if (here?.state === 'on' && here.id === id) await turnOffHere();
    },
    onSuccess: () => toast(t('removed')),
    onSettled: refresh,
  });
  const own = here?.state === 'on' ? data?.subscriptions.find(({ id }) => id === here.id) : undefined;
  const failed = error ?? remove.error ?? choose.error;
  return (
    <Card
      title={t('title')}
      lead={t(ofAlerts ? (ofLog ? 'leadBoth' : 'lead') : 'leadLog')}
      actions={
        here?.state === 'off' && (
          <Button
            busy={choose.isPending}
            icon={<IconBellRinging size={16} stroke={1.75} aria-hidden />}
            onClick={() => choose.mutate(SUGGESTED)}
          >
            {t('turnOn')}
          </Button>
        )
      }
    >
      {failed && (
        <Notice tone="critical" role="alert">
          {failed === choose.error && failed.name !== 'ProblemError' ? t('failed') : describeError(failed).message}
        </Notice>
      )}
      {here?.state === 'unsupported' && <Notice>{t('unsupported')}</Notice>}
      {here?.state === 'blocked' && <Notice tone="warning">{t('blocked')}</Notice>}
      {own && ofAlerts && (
        <Severities
          chosen={choose.isPending ? choose.variables : own.severities}
          onChoose={severities => choose.mutate(severities)}
        />
      )}
      <Rows>
        {data?.subscriptions.map(item => (
          <BrowserRow
            key={item.id}
            item={item}
            ofAlerts={ofAlerts}
            isHere={item.id === own?.id}
            busy={remove.isPending && remove.variables === item.id}
            onRemove={() => remove.mutate(item.id)}
          />
        ))}
      </Rows>
    </Card>
  );
}

const useMay = (permission: Permission): boolean => useSession(({ me }) => me !== null && may(me, permission));

interface SeveritiesProps {
  /** The last choice, even if the server doesn't know it yet. */
  readonly chosen: readonly Severity[];
  readonly onChoose: (severities: Severity[]) => void;
}

/** At least one severity stays chosen; for none, there is Turn off. */
function Severities({ chosen, onChoose }: SeveritiesProps) {
  const { t } = useTranslation(['push', 'alerts']);
  return (
    <fieldset className={styles.severities}>
      <legend>{t('which')}</legend>
      {SEVERITIES.map(severity => {
        const isChosen = chosen.includes(severity);
        return (
          <Checkbox
            key={severity}
            checked={isChosen}
            disabled={isChosen && chosen.length === 1}
            onChange={() =>
              onChoose(SEVERITIES.filter(each => (each === severity ? !isChosen : chosen.includes(each))))
            }
          >
            {t(`alerts:severity.${severity}`)}
          </Checkbox>
        );
      })}
    </fieldset>
  );
}

interface RowProps {
  readonly item: Item;
  readonly ofAlerts: boolean;
  readonly isHere: boolean;
  readonly busy: boolean;
  readonly onRemove: () => void;
}

function BrowserRow({ item, ofAlerts, isHere, busy, onRemove }: RowProps) {
  const { t } = useTranslation(['push', 'alerts', 'profile']);
  const now = useMinute();
  const { browser, mobile, system } = deviceOf(item.userAgent ?? '');
  const name =
    browser && system
      ? t('profile:sessions.device', { browser, system })
      : (browser ?? system ?? t('profile:sessions.unknown'));
  const Icon = mobile ? IconDeviceMobile : IconDeviceDesktop;
  const facts = [
    ofAlerts && item.severities.map(severity => t(`alerts:severity.${severity}`)).join(', '),
    t('since', { day: formatDateOf(Date.parse(item.createdAt)) }),
    item.lastSentAt && t('last', { time: formatMoment(Date.parse(item.lastSentAt), now) }),
  ];
  return (
    <RowItem
      icon={<Icon size={20} stroke={1.75} aria-hidden />}
      title={
        <>
          {name}
          {isHere && <Chip tone="live">{t('here')}</Chip>}
        </>
      }
      text={facts.filter(Boolean).join(' · ')}
    >
      <Button busy={busy} onClick={onRemove} aria-label={t('turnOffNamed', { name })}>
        {t('turnOff')}
      </Button>
    </RowItem>
  );
}
