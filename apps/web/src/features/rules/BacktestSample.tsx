import { type BacktestAlert, may } from '@milepost/contract';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { figuresText } from '../../alerts/alert-words.ts';
import { lazyChunk } from '../../base/chunks/load-chunk.ts';
import { Part } from '../../base/chunks/Part.tsx';
import { useSession } from '../../base/session/session.ts';
import { formatDuration } from '../../format/duration.ts';
import { formatCount } from '../../format/locale.ts';
import { formatMoment } from '../../format/time.ts';
import { useMeasureSystem } from '../../format/use-measure-system.ts';
import { useGeofences } from '../../geofences/use-geofences.ts';
import { vehicleListQuery } from '../../live/vehicle-list.ts';
import { paths } from '../../paths.ts';
import { FactList } from '../../ui/FactList.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { Plate } from '../../ui/Plate.tsx';
import { evidenceOf, replayAt } from '../../vehicles/day/replay-at.ts';
import styles from './Backtest.module.css';
import form from './RuleForm.module.css';

const EventMap = lazyChunk(async () => (await import('./EventMap.tsx')).EventMap);

const ICON = { size: 16, stroke: 1.75, 'aria-hidden': true } as const;

interface SampleProps {
  readonly alerts: readonly BacktestAlert[];
  readonly nameOf: (id: string) => string;
}

/** The alerts found, one at a time, each with its place. */
export function BacktestSample({ alerts, nameOf }: SampleProps) {
  const { t } = useTranslation(['rules', 'alerts']);
  const system = useMeasureSystem();
  const { data: geofences } = useGeofences();
  const { data: vehicles } = useQuery(vehicleListQuery);
  const mayPack = useSession(({ me }) => me !== null && may(me, 'profile.write'));
  const [nth, setNth] = useState(0);
  const at = Math.min(nth, alerts.length - 1);
  const alert = alerts[at];
  if (!alert) return null;
  const geofence = geofences?.find(({ id }) => id === alert.geofenceId);
  const expected = geofences?.find(({ id }) => id === alert.expectedId);
  const imei = vehicles?.find(({ id }) => id === alert.deviceId)?.imei;
  const [beganMs, atMs] = [Date.parse(alert.beganAt), Date.parse(alert.at)];
  const endMs = alert.endedAt === null ? null : Date.parse(alert.endedAt);
  const nowMs = Date.now();
  return (
    <section className={styles.sample} aria-label={t('sample.title')}>
      <div className={styles.stripHead}>
        <h4>{t('sample.title')}</h4>
        <span className={form.quiet} role="status">
          {t('sample.of', { number: formatCount(at + 1), count: alerts.length })}
        </span>
        <IconButton label={t('sample.previous')} bordered disabled={at === 0} onClick={() => setNth(at - 1)}>
          <IconChevronLeft {...ICON} />
        </IconButton>
        <IconButton
          label={t('sample.next')}
          bordered
          disabled={at === alerts.length - 1}
          onClick={() => setNth(at + 1)}
        >
          <IconChevronRight {...ICON} />
        </IconButton>
      </div>
      <div className={styles.sampleBody}>
        <Part>
          <EventMap alert={alert} geofence={geofence} />
        </Part>
        <div className={styles.facts}>
          <FactList
            facts={[
              [
                t('sample.vehicle'),
                imei ? (
                  <Link key="vehicle" to={paths.vehicleOnMap(imei)}>
                    <Plate>{nameOf(alert.deviceId)}</Plate>
                  </Link>
                ) : (
                  nameOf(alert.deviceId)
                ),
              ],
              [
                t('sample.geofence'),
                geofence &&
                  (expected
                    ? t('sample.insteadOf', { name: geofence.name, expected: expected.name })
                    : alert.crossing
                      ? t(`sample.${alert.crossing}`, geofence)
                      : geofence.name),
              ],
              [t('sample.other'), alert.otherId && nameOf(alert.otherId)],
              [t('sample.began'), formatMoment(beganMs, nowMs)],
              [t('sample.alert'), formatMoment(atMs, nowMs)],
              [
                t('sample.ended'),
                endMs === null
                  ? t('sample.lasts')
                  : `${formatMoment(endMs, nowMs)} · ${formatDuration(endMs - beganMs)}`,
              ],
              [t('sample.measured'), figuresText(alert.figures, system)],
            ]}
          />
          <p className={form.links}>
            <Link to={replayAt(alert.deviceId, beganMs)}>{t('sample.replay')}</Link>
            {mayPack && <Link to={evidenceOf(alert.deviceId, beganMs, endMs ?? atMs)}>{t('sample.evidence')}</Link>}
          </p>
        </div>
      </div>
    </section>
  );
}
