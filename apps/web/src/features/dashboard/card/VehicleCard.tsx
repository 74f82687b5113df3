import { may, type Permission } from '@milepost/contract';
import { IconBroadcast, IconX } from '@tabler/icons-react';
import { type ComponentType, lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { useAlertsByVehicle } from '../../../alerts/use-alerts.ts';
import { useSession } from '../../../app/session/session.ts';
import { withTexts } from '../../../app/with-texts.ts';
import { CommandHistory } from '../../../commands/CommandHistory.tsx';
import { formatAge, formatDuration } from '../../../format/duration.ts';
import { formatCount } from '../../../format/locale.ts';
import { formatMoment } from '../../../format/time.ts';
import { useNow } from '../../../live/use-now.ts';
import { useVehicle } from '../../../live/use-vehicle.ts';
import type { VehicleEntry } from '../../../live/vehicle-entry.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Plate } from '../../../ui/Plate.tsx';
import { StatusChip } from '../../../ui/StatusChip.tsx';
import { Tabs } from '../../../ui/Tabs.tsx';
import { toldMs } from '../../../vehicles/shown.ts';
import { courseOf, isOld, shapeOfEntry } from '../../../vehicles/vehicle-shape.ts';
import { modelOf } from '../../../vehicles/vehicle-words.ts';
import { chooseTab, useDashboard } from '../state/dashboard-state.ts';
import { CARD_TABS, type CardTab } from '../state/url-state.ts';
import { CardActions } from './CardActions.tsx';
import { closeCard } from './close-card.ts';
import { NowTab } from './NowTab.tsx';
import styles from './VehicleCard.module.css';
import { Why } from './Why.tsx';

interface TabProps {
  readonly entry: VehicleEntry;
}

/** Who may not see what is behind a tab does not see the tab. */
const NEEDED: Readonly<Record<CardTab, Permission>> = {
  now: 'vehicles.read',
  today: 'vehicles.read',
  alerts: 'alerts.read',
  commands: 'commands.read',
  raw: 'vehicles.read',
};

/** What is behind a tab comes when it is first opened. */
const TAB_CONTENT: Readonly<Record<CardTab, ComponentType<TabProps>>> = {
  now: NowTab,
  today: lazy(async () => ({ default: (await import('./TodayTab.tsx')).TodayTab })),
  alerts: withTexts(() => import('./AlertsTab.tsx'), { alerts: () => import('../../../locales/en-US/alerts.json') }),
  commands: ({ entry }) => <CommandHistory vehicleId={entry.vehicle.id} />,
  raw: lazy(async () => ({ default: (await import('./RawTab.tsx')).RawTab })),
};

/** The current vehicle: what it is, how it is, what can be done, and the proof. */
export function VehicleCard({ imei, onZoom }: { readonly imei: string; readonly onZoom: (imei: string) => void }) {
  const { t } = useTranslation(['dashboard', 'vehicle']);
  const entry = useVehicle(imei);
  const me = useSession(session => session.me);
  const wanted = useDashboard(state => state.tab);
  const alerts = useAlertsByVehicle().get(entry?.vehicle.id ?? '');
  if (!entry) return null;
  const { vehicle } = entry;
  const tabs = CARD_TABS.filter(id => me !== null && may(me, NEEDED[id]));
  const tab = tabs.find(id => id === wanted) ?? 'now';
  const Content = TAB_CONTENT[tab];
  const facts = [vehicle.plate, vehicle.vin].filter(Boolean).join(' · ');
  return (
    <aside className={styles.card} aria-label={t('card.label', { name: vehicle.deviceName })}>
      <header className={styles.head}>
        <div className={styles.title}>
          <h2>
            <Plate size="lg">{vehicle.deviceName}</Plate>
          </h2>
          <div className={styles.what}>
            <b>{modelOf(vehicle) || t('card.noModel')}</b>
            <span>{facts}</span>
          </div>
          <IconButton label={t('card.close')} tooltip="left" onClick={() => closeCard(imei)}>
            <IconX size={18} stroke={1.75} aria-hidden />
          </IconButton>
        </div>
        <Status entry={entry} />
        <CardActions entry={entry} onZoom={onZoom} />
      </header>
      <Tabs
        tabs={tabs.map(id => ({
          id,
          label: t(`card.${id}`),
          count: id === 'alerts' && alerts ? formatCount(alerts.count) : undefined,
        }))}
        chosen={tab}
        onChoose={chooseTab}
        label={t('card.tabs')}
      >
        <Suspense>
          <Content key={imei} entry={entry} />
        </Suspense>
      </Tabs>
    </aside>
  );
}

export function Status({ entry }: { readonly entry: VehicleEntry }) {
  const { t } = useTranslation(['dashboard', 'vehicle']);
  const nowMs = useNow();
  const { now } = entry;
  const told = toldMs(entry);
  const word = t(`vehicle:status.${now.status}`);
  const old = isOld(entry);
  const since =
    now.sinceMs === null || now.status === 'no-gps'
      ? word
      : old
        ? t('card.asOf', { status: word, time: formatMoment(now.sinceMs, nowMs) })
        : t('card.since', { status: word, duration: formatDuration(nowMs - now.sinceMs) });
  return (
    <div className={styles.status}>
      <StatusChip shape={shapeOfEntry(entry)} course={courseOf(entry)}>
        {since}
      </StatusChip>
      {told !== null && (
        <span className={styles.age} data-old={old || undefined}>
          <IconBroadcast size={13} stroke={1.75} aria-hidden />
          {t('card.ago', { age: formatAge(nowMs - told) })}
        </span>
      )}
      <Why entry={entry} />
    </div>
  );
}
