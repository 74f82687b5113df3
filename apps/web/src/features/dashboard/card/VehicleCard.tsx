import { may, type Permission } from '@milepost/contract';
import { IconX } from '@tabler/icons-react';
import type { ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import { useAlertsByVehicle } from '../../../alerts/use-alerts.ts';
import { lazyChunk } from '../../../base/chunks/load-chunk.ts';
import { Part } from '../../../base/chunks/Part.tsx';
import { withTexts } from '../../../base/chunks/with-texts.ts';
import { useSession } from '../../../base/session/session.ts';
import { CommandHistory } from '../../../commands/lazy.ts';
import { formatCount } from '../../../format/locale.ts';
import { usePast } from '../../../live/past.ts';
import type { VehicleEntry } from '../../../live/vehicle-entry.ts';
import { useVehicle } from '../../../live/view.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Plate } from '../../../ui/Plate.tsx';
import { Tabs } from '../../../ui/Tabs.tsx';
import { modelOf } from '../../../vehicles/vehicle-words.ts';
import { CardHead } from '../phone/CardHead.tsx';
import { chooseTab, useDashboard } from '../state/dashboard-state.ts';
import { CARD_TABS, type CardTab } from '../state/url-state.ts';
import { useLayout } from '../use-layout.ts';
import { CardActions } from './CardActions.tsx';
import { closeCard } from './close-card.ts';
import { NowTab } from './NowTab.tsx';
import { Status } from './Status.tsx';
import styles from './VehicleCard.module.css';

interface TabProps {
  readonly entry: VehicleEntry;
}

/** Users without the permission don't see the tab. */
const NEEDED: Readonly<Record<CardTab, Permission>> = {
  now: 'vehicles.read',
  today: 'vehicles.read',
  alerts: 'alerts.read',
  commands: 'commands.read',
  hours: 'logbook.read',
  raw: 'vehicles.read',
};

const THEN: { readonly [T in CardTab]?: 'timeTravel:then' | 'timeTravel:dayThen' } = {
  now: 'timeTravel:then',
  today: 'timeTravel:dayThen',
};

/** A tab's content loads when it is first opened. */
const TAB_CONTENT: Readonly<Record<CardTab, ComponentType<TabProps>>> = {
  now: NowTab,
  today: withTexts(() => import('./TodayTab.tsx'), {
    vehicleDay: () => import('../../../locales/en-US/vehicle-day.json'),
  }),
  alerts: withTexts(() => import('./AlertsTab.tsx'), {
    alerts: () => import('@milepost/contract/texts/en-US/alerts.json'),
  }),
  commands: ({ entry }) => <CommandHistory vehicleId={entry.vehicle.id} />,
  hours: withTexts(() => import('./HoursTab.tsx'), { logbook: () => import('../../../locales/en-US/logbook.json') }),
  raw: lazyChunk(async () => (await import('./RawTab.tsx')).RawTab),
};

interface HeadProps extends TabProps {
  readonly onZoom: (imei: string) => void;
}

/** The current vehicle: data, status, actions and raw messages. */
export function VehicleCard({ imei, onZoom }: { readonly imei: string; readonly onZoom: (imei: string) => void }) {
  const { t } = useTranslation(['dashboard', 'vehicle', 'timeTravel']);
  const entry = useVehicle(imei);
  const me = useSession(session => session.me);
  const wanted = useDashboard(state => state.tab);
  const alerts = useAlertsByVehicle().get(entry?.vehicle.id ?? '');
  const isPhone = useLayout() === 'phone';
  const isPast = usePast() !== undefined;
  if (!entry) return null;
  // The clocks are those of now.
  const tabs = CARD_TABS.filter(id => me !== null && may(me, NEEDED[id]) && !(isPast && id === 'hours'));
  const tab = tabs.find(id => id === wanted) ?? 'now';
  const Content = TAB_CONTENT[tab];
  return (
    <aside className={styles.card} aria-label={t('card.label', { name: entry.vehicle.deviceName })}>
      {isPhone ? <CardHead entry={entry} onZoom={onZoom} /> : <Head entry={entry} onZoom={onZoom} />}
      <Tabs
        tabs={tabs.map(id => ({
          id,
          label: isPast ? t(THEN[id] ?? `card.${id}`) : t(`card.${id}`),
          count: id === 'alerts' && alerts ? formatCount(alerts.count) : undefined,
        }))}
        chosen={tab}
        onChoose={chooseTab}
        label={t('card.tabs')}
      >
        <Part>
          <Content key={imei} entry={entry} />
        </Part>
      </Tabs>
    </aside>
  );
}

function Head({ entry, onZoom }: HeadProps) {
  const { t } = useTranslation('dashboard');
  const { vehicle } = entry;
  const facts = [vehicle.plate, vehicle.vin].filter(Boolean).join(' · ');
  return (
    <header className={styles.head}>
      <div className={styles.title}>
        <h2>
          <Plate size="lg">{vehicle.deviceName}</Plate>
        </h2>
        <div className={styles.what}>
          <b>{modelOf(vehicle) || t('card.noModel')}</b>
          <span>{facts}</span>
        </div>
        <IconButton label={t('card.close')} tooltip="left" onClick={() => closeCard(vehicle.imei)}>
          <IconX size={18} stroke={1.75} aria-hidden />
        </IconButton>
      </div>
      <Status entry={entry} />
      <CardActions entry={entry} onZoom={onZoom} />
    </header>
  );
}
