import type { Shared } from '@milepost/contract';
import { useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { AppearanceMenu } from '../../base/AppearanceMenu.tsx';
import { lazyChunk } from '../../base/chunks/load-chunk.ts';
import { Part } from '../../base/chunks/Part.tsx';
import { TenantLogo } from '../../base/tenant/TenantLogo.tsx';
import { adoptTenant } from '../../base/tenant/tenant.ts';
import { formatDuration } from '../../format/duration.ts';
import { formatMoment } from '../../format/time.ts';
import type { ServerClock } from '../../live/server-clock.ts';
import { EmptyRoad } from '../../ui/EmptyRoad.tsx';
import { Notice } from '../../ui/Notice.tsx';
import styles from './SharedPage.module.css';
import type { SharedClient } from './shared-client.ts';
import { useShared } from './use-shared.ts';
import { useSharedTrail } from './use-shared-trail.ts';
import { VehicleRows } from './VehicleRows.tsx';
import { vehicleNow } from './vehicle-now.ts';

const SharedMap = lazyChunk(async () => (await import('./SharedMap.tsx')).SharedMap);

/** `/s#token`, for anyone who has the link: a few vehicles, live, and nothing else of the fleet. */
export function Component() {
  const { t } = useTranslation('shared');
  const { hash } = useLocation();
  return (
    <>
      <meta name="robots" content="noindex, nofollow, noarchive" />
      <meta name="referrer" content="no-referrer" />
      {/* The token stays in memory and in the address bar; it must not get into the title. */}
      <title>{t('title')}</title>
      <View key={hash} token={hash.slice(1)} />
    </>
  );
}

function View({ token }: { readonly token: string }) {
  const { t } = useTranslation('shared');
  const { client, shared, over, troubled } = useShared(token);
  if (over || token === '') return <Over />;
  if (!shared) {
    return (
      <main className={styles.message} aria-busy={!troubled}>
        <h1>{t('title')}</h1>
        <p role="status">{troubled ? t('troubled') : t('loading')}</p>
      </main>
    );
  }
  return <LiveView client={client} shared={shared} troubled={troubled} />;
}

interface Props {
  readonly client: SharedClient;
  readonly shared: Shared;
  readonly troubled: boolean;
}

function LiveView({ client, shared, troubled }: Props) {
  const { t } = useTranslation('shared');
  const nowMs = useSecond(client.clock);
  const [wanted, setWanted] = useState<string | null>(null);
  const startMs = Date.parse(shared.startsAt);
  const endMs = Date.parse(shared.expiresAt);
  const begun = nowMs >= startMs;
  const vehicles = useMemo(
    () => shared.vehicles.map(vehicle => vehicleNow(vehicle, nowMs, shared.limits)),
    [shared.vehicles, shared.limits, nowMs],
  );
  // A single vehicle is selected automatically.
  const only = shared.vehicles.length === 1 ? (shared.vehicles[0]?.key ?? null) : null;
  const chosen = shared.vehicles.some(({ key }) => key === wanted) ? wanted : only;
  const trail = useSharedTrail(
    client,
    shared.showTrail ? (shared.vehicles.find(({ key }) => key === chosen) ?? null) : null,
  );
  // Each answer is a new object, mostly with the same outlines.
  const outlines = JSON.stringify(shared.geofences);
  const geofences = useMemo((): Shared['geofences'] => JSON.parse(outlines), [outlines]);
  const { brand } = shared;
  const looks = JSON.stringify(brand);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer is a new object with the same brand.
  useEffect(() => adoptTenant(brand), [looks]);

  return (
    <main className={styles.page}>
      <header className={styles.head}>
        <TenantLogo name={brand.name} size={32} />
        <div className={styles.titles}>
          <span className={styles.brand}>{brand.name}</span>
          <h1>{shared.name ?? t('title')}</h1>
        </div>
        <AppearanceMenu bordered />
      </header>
      <section className={styles.side} aria-label={t('vehicles')}>
        <p className={styles.clock}>
          {begun
            ? t('endsIn', { time: formatDuration(endMs - nowMs), at: formatMoment(endMs, nowMs) })
            : t('beginsAt', { at: formatMoment(startMs, nowMs) })}
        </p>
        {troubled && <Notice tone="warning">{t('troubled')}</Notice>}
        {shared.note !== null && <p className={styles.note}>{shared.note}</p>}
        {!begun && <p className={styles.note}>{t('notYet')}</p>}
        {begun && vehicles.length === 0 && <p className={styles.note}>{t('noVehicles')}</p>}
        {begun && <VehicleRows vehicles={vehicles} nowMs={nowMs} chosen={chosen} onChoose={setWanted} />}
      </section>
      <div className={styles.map}>
        <Part>
          <SharedMap
            vehicles={vehicles}
            nowMs={nowMs}
            chosen={chosen}
            onChoose={setWanted}
            trail={trail}
            geofences={geofences}
            showsGeofences={shared.showGeofences}
          />
        </Part>
      </div>
    </main>
  );
}

/** The server's clock, updated every second. */
function useSecond(clock: ServerClock): number {
  const [nowMs, setNowMs] = useState(() => clock.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(clock.now()), 1000);
    return () => clearInterval(timer);
  }, [clock]);
  return nowMs;
}

/** Shown for a link that has ended, was revoked or never existed, so that visitors can't tell which. */
function Over() {
  const { t } = useTranslation('shared');
  return (
    <main className={styles.message}>
      <EmptyRoad />
      <h1>{t('overTitle')}</h1>
      <p>{t('over')}</p>
    </main>
  );
}
